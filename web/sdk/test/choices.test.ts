// The choices that an answer names: tested with the table that the server is tested with.

import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { answerOf, namedChoices } from '../src/choices.ts';

interface Case {
  readonly choices: readonly string[];
  readonly answers: readonly (readonly [string, readonly number[] | null])[];
}

const table = new URL('../../../crates/quiz/tests/choices.json', import.meta.url);
const cases = JSON.parse(readFileSync(table, 'utf8')) as readonly Case[];

describe.each(cases)('of $choices', ({ choices, answers }) => {
  test.each(answers)('%j', (answer, places) => {
    expect(namedChoices(answer, choices)).toEqual(places);
  });

  test('an answer that is made of places names them again', () => {
    const places = choices.map((_, place) => place).reverse();
    expect(namedChoices(answerOf(places, choices), choices)).toEqual(places);
  });
});
