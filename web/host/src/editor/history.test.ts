import { describe, expect, it } from 'vitest';

import type { QuizDocument } from './document.ts';
import { begin, change, type History, MOST_STEPS, opened, PAUSE, redo, undo } from './history.ts';

const titled = (title: string): QuizDocument => ({ title, rounds: [] });
const step = (history: History, title: string, field: string | null = null, at = 0): History =>
  change(history, { document: titled(title), open: history.now.open }, field, at);
const title = (history: History): string => history.now.document.title;

describe('history', () => {
  it('goes back and forth', () => {
    const three = step(step(begin(titled('a')), 'b'), 'c');
    const one = undo(undo(three));
    expect([title(undo(three)), title(one), title(redo(one)), title(redo(redo(one)))]).toEqual(['b', 'a', 'b', 'c']);
    expect(undo(one)).toBe(one);
    expect(redo(three)).toBe(three);
  });

  it('forgets what was taken back once something else is done', () => {
    const other = step(undo(step(begin(titled('a')), 'b')), 'c');
    expect(other.future).toEqual([]);
    expect(title(undo(other))).toBe('a');
  });

  it('takes typing into one field as one step, until a pause, another field or another thing', () => {
    const typed = step(step(step(begin(titled('')), 'a', 'x', 0), 'ab', 'x', 500), 'abc', 'x', 900);
    expect(title(undo(typed))).toBe('');
    expect(title(undo(step(typed, 'abcd', 'x', 900 + PAUSE + 1)))).toBe('abc');
    expect(title(undo(step(typed, 'abcd', 'y', 901)))).toBe('abc');
    expect(title(undo(step(opened(typed, 'q'), 'abcd', 'x', 901)))).toBe('abc');
    expect(title(undo(step(typed, 'abcd', null, 901)))).toBe('abc');
  });

  it('does not join typing after an undo to what was typed before it', () => {
    const typed = step(step(begin(titled('')), 'a', 'x', 0), 'ab', 'y', 1);
    expect(title(undo(step(undo(typed), 'ac', 'x', 2)))).toBe('a');
  });

  it('remembers what was open', () => {
    const open = opened(begin(titled('a')), 'first');
    const moved = change(open, { document: titled('b'), open: 'second' }, null, 0);
    expect(undo(moved).now.open).toBe('first');
    expect(redo(undo(moved)).now.open).toBe('second');
  });

  it('is not a step when nothing changed', () => {
    const history = begin(titled('a'));
    expect(change(history, history.now, null, 0)).toBe(history);
  });

  it('keeps a bounded number of steps, the newest', () => {
    let history = begin(titled('0'));
    for (let at = 1; at <= MOST_STEPS + 10; at += 1) history = step(history, String(at));
    expect(history.past).toHaveLength(MOST_STEPS);
    while (undo(history) !== history) history = undo(history);
    expect(title(history)).toBe('10');
  });
});
