import { expect, it } from 'vitest';

import { FORMULA, hasFormula } from './formula.ts';
import { piecesOf } from './typeset.ts';

it.each([
  ['What is $x^2$ for $x = 3$?', ['What is ', '[x^2]', ' for ', '[x = 3]', '?']],
  ['$\\frac{1}{2}$', ['[\\frac{1}{2}]']],
  ['$a$', ['[a]']],
  ['$\\$5$ in cents', ['[\\$5]', ' in cents']],
])('finds the formulas in %s', (text, expected) => {
  expect(piecesOf(text, FORMULA).map(({ kind, text: piece }) => (kind === 'formula' ? `[${piece}]` : piece))).toEqual(expected);
  expect(hasFormula(text)).toBe(true);
});

it.each([
  'Which coin is worth $5?',
  'Between $5 and $10, which is more?',
  'From $5-$10',
  'A shell says $ and again $ for a user',
  'No dollar at all',
  '$$',
])('leaves %s as it is', (text) => {
  expect(hasFormula(text)).toBe(false);
  expect(piecesOf(text, FORMULA)).toEqual([{ kind: 'text', text }]);
});
