// Names as the server measures them.
import { describe, expect, it } from 'vitest';

import { characters, mistakeIn, tidyName } from './name.ts';

const FAMILY = '👨\u200D👩\u200D👧\u200D👦';

describe('tidyName', () => {
  it.each([
    ['  Ann \t\u3000 Lee\n', 'Ann Lee'],
    ['Jose\u0301', 'José'],
    [' \u00a0 ', ''],
  ])('%j is %j', (typed, name) => {
    expect(tidyName(typed)).toBe(name);
  });
});

describe('characters', () => {
  it.each([
    ['Ann', 3],
    ['~ The Quiz & a Half!', 20],
    ['Zoë', 3],
    ['हिन्दी', 2],
    [`${FAMILY} Lee`, 5],
    ['🇨🇭', 1],
    ['', 0],
  ])('counts what people count in %j', (name, count) => {
    // Some versions of Unicode count two clusters here, others three.
    expect(Math.abs(characters(name) - count)).toBeLessThanOrEqual(name.startsWith('ह') ? 1 : 0);
  });
});

describe('mistakeIn', () => {
  it.each(['Ann', 'R2 & the 7 Dwarfs', '7', 'Quiz & Chips', 'x'.repeat(40), '漢'.repeat(40), FAMILY.repeat(10)])(
    'finds none in %j',
    (name) => {
      expect(mistakeIn(name)).toBeNull();
    },
  );

  it.each([
    ['', 'name_missing'],
    ['x'.repeat(41), 'name_long'],
    [FAMILY.repeat(11), 'name_heavy'],
    ['x\u0323\u0325'.repeat(33), 'name_heavy'],
    ['Host', 'name_reserved'],
    ['SYSTEM', 'name_reserved'],
  ])('finds what is wrong with %j: %s', (name, mistake) => {
    expect(mistakeIn(name)).toBe(mistake);
  });
});
