import { expect, it } from 'vitest';

import { msToNextSecond } from './seconds.ts';

it('the digits change when a whole second is left, however little is missing to that', () => {
  expect([10_000, 9_999, 9_001, 9_000.4, 0.2].map(msToNextSecond)).toEqual([1_000, 999, 1, 1, 1]);
});
