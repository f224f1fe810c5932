import { describe, expect, it } from 'vitest';

import { dayWords } from './dates.ts';

const at = (month: number, day: number, hour = 12, year = 2026): Date => new Date(year, month - 1, day, hour);

describe('dayWords', () => {
  const now = at(3, 12, 0);

  it.each([
    [at(3, 12, 23), 'en', 'today'],
    [at(3, 11, 23), 'en', 'yesterday'],
    [at(3, 11, 1), 'de', 'gestern'],
    [at(3, 9), 'es', 'hace 3 días'],
    [at(3, 6), 'fr', 'il y a 6 jours'],
    [at(3, 5), 'en', 'March 5'],
    [at(12, 31, 12, 2025), 'de', '31. Dezember 2025'],
  ])('%s in %s', (when, language, words) => {
    expect(dayWords(when, now, language)).toBe(words);
  });
});
