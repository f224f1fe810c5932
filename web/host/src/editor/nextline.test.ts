import { expect, test } from 'vitest';

import { nextEmpty } from './nextline.ts';

test('leads to the next empty line, and not to an earlier one', () => {
  expect(nextEmpty(['Stonehenge', '', 'Colosseum', ' '], 0)).toBe(1);
  expect(nextEmpty(['Stonehenge', '', 'Colosseum', ' '], 1)).toBe(3);
  expect(nextEmpty(['', 'Colosseum'], 1)).toBeNull();
});
