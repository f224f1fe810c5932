import { expect, it } from 'vitest';

import { hardestFirst } from '../src/hardest.ts';

it('the smallest share of right answers is first, and what has none is last', () => {
  const asked = [
    { name: 'half', type: 'text', right: 2, of: 4 },
    { name: 'poll', type: 'poll', right: 0, of: 4 },
    { name: 'withdrawn', type: 'text', right: 0, of: 4, withdrawn: true },
    { name: 'all', type: 'order', right: 4, of: 4 },
    { name: 'none', type: 'text', right: 0, of: 4 },
    { name: 'also half', type: 'text', right: 1, of: 2 },
  ];
  expect(hardestFirst(asked).map(({ name }) => name)).toEqual(['none', 'half', 'also half', 'all', 'poll', 'withdrawn']);
});

it('no player who could answer is not a division by nothing', () => {
  expect(hardestFirst([{ type: 'text', right: 0, of: 0 }])).toHaveLength(1);
});
