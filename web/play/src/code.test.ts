// Codes as people type them.
import { describe, expect, it } from 'vitest';

import { codeIn, isCode, shownCode, tidyCode, withCode } from './code.ts';

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
