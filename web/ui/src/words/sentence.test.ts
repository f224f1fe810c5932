// Numbers are written as the language writes them, also where no formatter is asked.
import { afterAll, describe, expect, it } from 'vitest';

import { LOCALES } from './locales.ts';
import { count, speakBy } from './sentence.ts';

const NUMBERS = [...Array(1_001).keys(), -1, 1.5, 9_999, 10_000, 1_234_567];

describe('count', () => {
  afterAll(() => {
    speakBy(() => LOCALES[0]);
  });

  it.each(LOCALES)('writes numbers in %s', (locale) => {
    speakBy(() => locale);
    const { format } = new Intl.NumberFormat(locale);
    expect(NUMBERS.map(count)).toEqual(NUMBERS.map((number) => format(number)));
  });
});
