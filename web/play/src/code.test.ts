// Tests codes in the forms in which people type them.
import { describe, expect, it } from 'vitest';

import { codeIn, isCode, isTeam, shownCode, teamIn, teamLink, tidyCode, tidyTeam, withCode } from './code.ts';

describe('tidyCode', () => {
  it.each([
    ['abc 234', 'ABC234'],
    ['  ABC-234\n', 'ABC234'],
    ['abc\u00a0234', 'ABC234'],
    ['ＡＢＣ　２３４', 'ABC234'],
    ['ａｂｃ２３４', 'ABC234'],
    ['http://192.168.0.7:8080/?code=abc234', 'ABC234'],
    ['https://quiz.example/?lang=de&code=ABC234#x', 'ABC234'],
    ['', ''],
  ])('%j is %j', (typed, tidy) => {
    expect(tidyCode(typed)).toBe(tidy);
  });
});

describe('isCode', () => {
  it.each(['ABC234', 'ZZZ999', 'HJKMNP'])('%s can be one', (code) => {
    expect(isCode(code)).toBe(true);
  });

  it.each(['', 'ABC23', 'ABC2345', 'ABC230', 'ABC231', 'OBC234', 'IBC234', 'LBC234', 'abc234'])('%j cannot', (code) => {
    expect(isCode(code)).toBe(false);
  });
});

it('finds the code of a team in what was typed, pasted and linked', () => {
  expect(tidyTeam(' k7-qm ')).toBe('K7QM');
  expect(tidyTeam('https://quiz.example/?code=ABC234#team=k7qm')).toBe('K7QM');
  expect(['K7QM', 'K7Q', 'K7QMX', 'K0QM', ''].map(isTeam)).toEqual([true, false, false, false, false]);
  expect(teamIn('http://a.test/?code=ABC234#team=k7qm')).toBe('K7QM');
  expect(teamIn('http://a.test/?code=ABC234#seat=ABC234')).toBeNull();
  expect(teamIn(teamLink('http://a.test', 'ABC234', 'K7QM'))).toBe('K7QM');
});

it('keeps the code of a team beside the code of its game, until there is a seat', () => {
  expect(withCode('http://a.test/?code=ABC234#team=K7QM', 'ABC234')).toBe('/?code=ABC234#team=K7QM');
  expect(withCode('http://a.test/?code=ABC234#team=K7QM', '')).toBe('/');
});

it('shows a code in two groups', () => {
  expect(shownCode('ABC234')).toBe('ABC 234');
  expect(shownCode('ABC')).toBe('ABC');
});

it('finds the code of a link', () => {
  expect(codeIn('http://a.test/?code=abc-234&lang=de#x')).toBe('ABC234');
  expect(codeIn('http://a.test/?lang=de')).toBeNull();
});

it('puts a code into an address and takes it out again, and leaves the rest alone', () => {
  expect(withCode('http://a.test/?lang=de#x', 'ABC234')).toBe('/?lang=de&code=ABC234#x');
  expect(withCode('http://a.test/?code=XYZ789', 'ABC234')).toBe('/?code=ABC234');
  expect(withCode('http://a.test/?code=abc-234&lang=de#x', '')).toBe('/?lang=de#x');
  expect(withCode('http://a.test/', '')).toBe('/');
});
