// @vitest-environment jsdom
// Files that are no quiz: the page says what they are.

import { zipSync } from 'fflate';
import { expect, it } from 'vitest';

import { skippedWords } from '../import/skipwords.ts';
import { readFormat } from './formats.ts';
import { readSample, reportOf } from './reading.ts';

const bytesOf = (letters: string): Uint8Array => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const wide = (name: string): string => Array.from(name, (letter) => `${letter}\0`).join('');
const OLD = `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(504)}`;
const archive = (files: Record<string, string>): Uint8Array => zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytesOf(text)])));

it.each([
  ['sheet.ods', 'This is a spreadsheet that can’t be read: OpenDocument (ods). Open it and save it as an Excel workbook (xlsx).'],
  ['scan.pdf', 'This is a different kind of file: PDF. Put the questions into a table and save it as an Excel workbook (xlsx).'],
  ['old.xls', 'This is a different kind of file: Office 97–2003 (xls, doc, ppt). Put the questions into a table and save it as an Excel workbook (xlsx).'],
])('%s', (name, words) => {
  const file = readSample(name);
  expect(file).toMatchObject({ quiz: null, format: null, readings: [] });
  expect(file.skipped.map((each) => skippedWords(each, file.unit))).toEqual([words]);
});

it.each([
  ['PNG', bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['JPEG', bytesOf('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['GIF', bytesOf('GIF89a')],
  ['WebP', bytesOf('RIFF\x24\0\0\0WEBPVP8 ')],
  ['HEIC', bytesOf('\0\0\0\x18ftypheic')],
  ['MP4', bytesOf('\0\0\0\x18ftypisom')],
  ['RTF', bytesOf('{\\rtf1\\ansi {\\b Q?}{=1 ~2}}')],
  ['HTML', bytesOf('\xef\xbb\xbf<!-- x --><!DOCTYPE html><html><body>Q?{=1}</body></html>')],
  ['SVG', bytesOf('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['gzip', bytesOf('\x1f\x8b\x08\0')],
  ['Excel 97–2003 (xls)', bytesOf(OLD + wide('Workbook'))],
  ['Excel 5 (xls)', bytesOf(OLD + wide('Book'))],
  ['Word 97–2003 (doc)', bytesOf(OLD + wide('WordDocument'))],
  ['Office (password)', bytesOf(OLD + wide('EncryptedPackage'))],
  ['Word (docx)', archive({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<document/>' })],
  ['PowerPoint (pptx)', archive({ 'ppt/presentation.xml': '<presentation/>' })],
  ['Excel (xlsb)', archive({ 'xl/workbook.bin': '\x83\x01' })],
  ['OpenDocument (odt)', archive({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' })],
  ['Anki (apkg)', archive({ 'collection.anki2': 'SQLite', media: '{}' })],
  ['ZIP', archive({ 'questions.csv': 'question,answers\nA?,b' })],
])('%s', (kind, bytes) => {
  expect(reportOf(readFormat(bytes, 'From a file'))).toEqual([`- out other_file ${kind}`]);
});
