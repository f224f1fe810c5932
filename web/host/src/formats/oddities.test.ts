// @vitest-environment jsdom
// Files of learning platforms, odd ones and those that lost something once: exactly these questions come in, and exactly this
// is reported of the rest.

import { describe, expect, it } from 'vitest';

import { AIKEN, GIFT, MOODLE, QTI } from './oddities.ts';
import { questionsOf, readText, reportOf } from './reading.ts';

describe.each([
  ['Moodle XML', MOODLE],
  ['GIFT', GIFT],
  ['Aiken', AIKEN],
  ['QTI', QTI],
])('%s', (name, oddities) => {
  it.each(oddities)('%s', (_, text, questions, report) => {
    const file = readText(text);
    expect(file.format?.name).toBe(name);
    expect(questionsOf(file).slice(1).filter((line) => line !== '# ')).toEqual(questions);
    expect(reportOf(file)).toEqual(report);
  });
});
