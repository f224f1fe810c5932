import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Search } from '$sdk';

import { allTags, Searching } from './searching.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('sends a search when typing has rested, and an equal one not again', () => {
  const sent: Search[] = [];
  const searching = new Searching((search) => sent.push(search));
  searching.changed({ q: '', tag: '' });
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([]);
  searching.changed({ q: 'li', tag: '' });
  vi.advanceTimersByTime(100);
  searching.changed({ q: 'lima ', tag: '' });
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual([{ q: 'lima', tag: '' }]);
  searching.changed({ q: ' lima', tag: '' });
  vi.advanceTimersByTime(1_000);
  expect(sent).toHaveLength(1);
  searching.changed({ q: '', tag: 'School' });
  searching.stop();
  vi.advanceTimersByTime(1_000);
  expect(sent).toHaveLength(1);
});

it('sends as many words as the server takes', () => {
  const sent: Search[] = [];
  new Searching((search) => sent.push(search)).changed({ q: 'a '.repeat(12) });
  vi.advanceTimersByTime(1_000);
  expect(sent[0]?.q).toBe('a a a a a a a a a a');
});

it('lists a tag once, whatever its letter case', () => {
  expect(allTags([['b', 'A'], undefined, ['a', 'c']])).toEqual(['a', 'b', 'c']);
});
