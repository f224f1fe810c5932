import { expect, test } from 'vitest';

import { codeEms } from './codewidth.ts';

test('wide letters make a wide code', () => {
  expect(codeEms('WMWMWM')).toBeCloseTo(3 * 1.03 + 3 * 0.96 + 6 * 0.06 + 0.28);
  expect(codeEms('ABC234')).toBeLessThan(5.2);
  expect(codeEms('222222')).toBeLessThan(codeEms('ABCDEF'));
});
