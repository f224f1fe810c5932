import { expect, test } from 'vitest';

import { keepWords } from './fit.ts';

/** A box of 500 pixels, with a border of 20, whose longest word takes `length` pixels at its full size. */
function boxOf(length: number) {
  const set = new Map<string, string>();
  const style = {
    set overflowWrap(value: string) {
      set.set('overflow-wrap', value);
    },
    get overflowWrap() {
      return set.get('overflow-wrap') ?? '';
    },
    setProperty: (name: string, value: string | null) => void set.set(name, value ?? ''),
    removeProperty: (name: string) => {
      set.delete(name);
      return '';
    },
  };
  return {
    set,
    style,
    clientWidth: 500,
    get scrollWidth() {
      return Math.max(500, 20 + length * Number(set.get('--word') ?? 1));
    },
  };
}

test('a word that fits keeps its size', () => {
  const box = boxOf(480);
  keepWords(box);
  expect([...box.set]).toEqual([['overflow-wrap', 'normal']]);
});

test('a longer word gets as small as its line, and stays whole', () => {
  const box = boxOf(1000);
  keepWords(box);
  expect(box.scrollWidth).toBe(500);
  expect(Number(box.set.get('--word'))).toBeGreaterThan(0.45);
  expect(box.set.get('overflow-wrap')).toBe('normal');
});

test('a word breaks only at the smallest size', () => {
  const box = boxOf(5000);
  keepWords(box);
  expect([...box.set]).toEqual([['--word', '0.2']]);
});
