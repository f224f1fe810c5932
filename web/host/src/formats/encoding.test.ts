// @vitest-environment jsdom
// Character sets: Unicode is certain, others are offered to choose from by words that read right.

import { describe, expect, it } from 'vitest';

import { decode, readingsOf } from './encoding.ts';
import { readFormat } from './formats.ts';
import { questionsOf, readSample, reportOf, sample } from './reading.ts';

/** The bytes of a text in a character set that browsers only read. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(Array.from(text), (letter) => bytes.get(letter) ?? 0x3f);
}

describe('samples', () => {
  it.each([
    ['cp1251.gift', 'windows-1251', 'multiple_choice: Столица России  Москва | Киев | Минск  = Москва'],
    ['latin2.aiken.txt', 'windows-1250', 'multiple_choice: Które miasto jest stolicą Polski?  Łódź | Warszawa | Gdańsk  = Warszawa'],
  ])('%s is read as %s, with a choice', (name, encoding, question) => {
    const file = readSample(name);
    expect(questionsOf(file)[2]).toBe(question);
    expect(reportOf(file)).toEqual([`- in read_as ${encoding}`]);
    expect(file.readings[0]?.encoding).toBe(encoding);
    expect(file.readings.map((each) => each.encoding)).toEqual(expect.arrayContaining(['koi8-r', 'x-mac-cyrillic']));
  });

  it('a character set that was chosen is no guess', () => {
    const file = readFormat(sample('cp1251.gift'), 'From a file', 'windows-1252');
    expect(questionsOf(file)[2]).toBe('multiple_choice: Ñòîëèöà Ðîññèè  Ìîñêâà | Êèåâ | Ìèíñê  = Ìîñêâà');
    expect(file.skipped).toEqual([]);
    expect(file.readings.find(({ encoding }) => encoding === 'windows-1251')?.words).toBe('Столица · России · Москва · Киев');
  });

  it('UTF-16 without a mark is certain', () => {
    const file = readSample('utf16-without-mark.gift');
    expect(questionsOf(file)[2]).toBe('multiple_choice: Which is even?  2 | 3  = 2');
    expect(file).toMatchObject({ skipped: [], readings: [] });
  });
});

describe('certain', () => {
  const text = 'Столица России?{=Москва}\n東京 Łódź café';
  const wide = Buffer.from(text, 'utf16le');

  it.each([
    ['utf-8', new TextEncoder().encode(text), text],
    ['utf-16le', Uint8Array.from(wide), text],
    ['utf-16be', Uint8Array.from(Buffer.from(wide).swap16()), text],
    ['utf-16le', Uint8Array.from([0xff, 0xfe, ...wide]), text],
    ['iso-2022-jp', Uint8Array.from([0x1b, 0x24, 0x42, 0x45, 0x6c, 0x35, 0x7e, 0x1b, 0x28, 0x42]), '東京'],
  ])('%s', (encoding, bytes, reads) => {
    expect(decode(bytes)).toEqual({ encoding, isSure: true, text: reads });
  });
});

describe('guessed, and always among the choices', () => {
  it.each([
    ['windows-1252', 'Où est le musée ? À Orléans, près de la forêt'],
    ['windows-1250', 'Które miasto jest stolicą Polski? Łódź, Gdańsk, Wrocław i święty'],
    ['windows-1251', 'Какой город является столицей России'],
    ['koi8-r', 'Какой город является столицей России'],
    ['windows-1253', 'Ποια είναι η πρωτεύουσα της Ελλάδας'],
    ['macintosh', 'Où est le musée ? Près de l’église à Orléans'],
  ])('%s', (encoding, text) => {
    const bytes = encoded(text, encoding);
    const read = decode(bytes);
    expect(read.isSure).toBe(false);
    expect(read.text).toBe(text);
    expect(readingsOf(bytes, 'windows-1252').map(({ encoding: each }) => new TextDecoder(each).decode(bytes))).toContain(text);
  });

  it.each(['x-mac-cyrillic', 'ibm866', 'iso-8859-5', 'iso-8859-2', 'windows-1254', 'windows-1257'])('%s can be chosen', (encoding) => {
    const text = { 'iso-8859-2': 'Łódź święty', 'windows-1254': 'İstanbul şehir', 'windows-1257': 'Ąžuolas ėjo' }[encoding] ?? 'Столица России';
    const bytes = encoded(text, encoding);
    const readings = readingsOf(bytes, decode(bytes).encoding);
    expect(readings.map(({ encoding: each }) => decode(bytes, each).text)).toContain(text);
    expect(new Set(readings.map(({ encoding: each }) => each)).size).toBe(readings.length);
  });
});
