import type { ReviewAnswer } from '$sdk';
import { expect, test } from 'vitest';

import { answer } from '../run/sample.ts';
import { readPages } from './pages.ts';

const ALL = Array.from({ length: 5 }, (_, at) => answer(`p${String(at)}`, 'q1', 'Porto', false));

function server(all: readonly ReviewAnswer[]) {
  const asked: number[] = [];
  const read = (skip: number) => {
    asked.push(skip);
    return Promise.resolve({ answers: all.slice(skip, skip + 2), total: all.length });
  };
  return { asked, read };
}

test('pages are read one after the other, as many as are wanted, and no page after the last', async () => {
  const { asked, read } = server(ALL);
  expect(await readPages(read, 1)).toEqual(ALL.slice(0, 2));
  expect(await readPages(read, 9)).toEqual(ALL);
  expect(asked).toEqual([0, 0, 2, 4]);
});

test('answers that are removed meanwhile end the pages', async () => {
  const read = (skip: number) => Promise.resolve({ answers: skip === 0 ? ALL.slice(0, 2) : [], total: 5 });
  expect(await readPages(read, 9)).toHaveLength(2);
});
