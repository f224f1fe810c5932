// @vitest-environment jsdom
// The report that is kept with an imported quiz: what concerns it, within what the server takes.

import { expect, it } from 'vitest';

import { readFormat } from '../formats/formats.ts';
import { reportOf } from './skipwords.ts';

const read = (lines: readonly string[]) => readFormat(new TextEncoder().encode(['question;answers', ...lines].join('\n')), 'A quiz');

it('leaves out what is said of questions that were not taken', () => {
  const file = read(['One?;1', 'Without an answer?;']);
  const [one] = file.quiz?.rounds[0]?.questions ?? [];
  expect(one?.text).toBe('One?');
  expect(reportOf(file, new Set())).toEqual(['Line 3 (“Without an answer?”): There is no accepted answer. Question left out.']);
  const about = { ...file, skipped: file.skipped.map((skipped) => ({ ...skipped, about: one ?? null })) };
  expect(reportOf(about, new Set())).toEqual([]);
  expect(reportOf(about, new Set(one ? [one] : []))).toHaveLength(1);
});

it('has at most 200 lines of 200 characters, and says how many are missing', () => {
  const many = reportOf(read(['One?;1', ...Array.from({ length: 250 }, (_, at) => `Question ${String(at)}?;`)]), new Set());
  expect(many).toHaveLength(200);
  expect(many.at(-1)).toBe('and 51 more notes');
  const file = read(['One?;1', 'x;']);
  const long = { ...file, skipped: file.skipped.map((skipped) => ({ ...skipped, excerpt: '𝔵'.repeat(300) })) };
  const [line = ''] = reportOf(long, new Set());
  expect([...line]).toHaveLength(200);
  expect(line.endsWith('…')).toBe(true);
});
