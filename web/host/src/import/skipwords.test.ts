// @vitest-environment jsdom
// The report that is kept with an imported quiz: what concerns it, within what the server takes.

import { expect, it } from 'vitest';

import { readFormat } from '../formats/formats.ts';
import { remarksOn, reportOf } from './skipwords.ts';

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

it('says once how a question with several right answers counts, in any format', () => {
  const words = /^More than one choice is right: players must pick all of them, and a wrong tick cancels a right one\. 1 point has no parts/;
  const files = ['Question,Answer 1,Answer 2,Answer 3,Correct answer\nTwo?,a,b,c,"1,2"', '::Two:: Two? {~%50%a ~%50%b ~%-100%c}'];
  for (const text of files) {
    const file = readFormat(new TextEncoder().encode(text), 'A quiz');
    const [two] = file.quiz?.rounds[0]?.questions ?? [];
    expect(two?.type).toBe('multi_select');
    const said = two ? remarksOn(file, two) : [];
    expect(said.filter((line) => words.test(line)), text).toHaveLength(1);
  }
});
