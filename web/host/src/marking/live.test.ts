import { describe, expect, test } from 'vitest';

import type { HostView } from '$sdk';

import { nextOf, waitingOf } from './live.ts';

const QUESTION = { id: 'q', text: '', type: 'text', points: 1 };

function view(groups: readonly { text: string; correct?: boolean; ruled?: boolean; nearMiss?: boolean }[]): Pick<HostView, 'questions' | 'groups'> {
  const whole = groups.map((group) => ({ count: 1, correct: false, ...group }));
  return {
    questions: [{ question: QUESTION, number: 1, answerCount: 1, answeredBy: new Set(), closed: false }],
    groups: new Map([['q', { questionId: 'q', groups: whole, total: whole.length }]]),
  };
}

const texts = (...args: Parameters<typeof waitingOf>) => waitingOf(...args).map(({ text }) => text);

describe('what waits for the host', () => {
  test('is neither right, nor ruled upon, nor decided on here', () => {
    const given = view([{ text: 'a' }, { text: 'b', correct: true }, { text: 'c', ruled: true }, { text: 'd' }]);
    expect(texts(given, [], new Set(['q:d']))).toEqual(['a']);
  });

  test('is what is being taken back here, although the server still brings the decision', () => {
    const given = view([{ text: 'a', correct: true, ruled: true }, { text: 'b', ruled: true }, { text: 'c', ruled: true }]);
    expect(texts(given, [], new Set(['q:b']), new Set(['q:a', 'q:b']))).toEqual(['a']);
  });

  test('is a text, or one that should be a number and is none', () => {
    const of = (type: string, ...given: string[]) => {
      const { questions, groups } = view(given.map((text) => ({ text })));
      return texts({ questions: questions.map((each) => ({ ...each, question: { ...QUESTION, type } })), groups }, [], new Set());
    };
    expect(of('numeric', '17', 'a dozen')).toEqual(['a dozen']);
    expect(of('multiple_choice', 'Red')).toEqual([]);
  });

  test('comes first when the key may have misjudged it', () => {
    const given = view([{ text: 'a' }, { text: 'b', nearMiss: true }, { text: 'c' }]);
    expect(texts(given, ['q:a'], new Set())).toEqual(['b', 'a', 'c']);
    expect(waitingOf(given, [], new Set()).map(({ doubtful }) => doubtful)).toEqual([true, false, false]);
  });

  test('keeps its place when others come', () => {
    expect(texts(view([{ text: 'new' }, { text: 'b' }, { text: 'a' }]), ['q:a', 'q:b'], new Set())).toEqual(['a', 'b', 'new']);
  });

  test('is followed by the next one, the last by the first', () => {
    const waiting = waitingOf(view([{ text: 'a' }, { text: 'b' }, { text: 'c' }]), [], new Set());
    expect([nextOf(waiting, 'q:a'), nextOf(waiting, 'q:c'), nextOf(waiting.slice(0, 1), 'q:a')]).toEqual(['q:b', 'q:a', null]);
  });
});
