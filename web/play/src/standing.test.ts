// Tests the states of answers during a round and after it.
import { describe, expect, it } from 'vitest';

import { questionWith } from './sample.ts';
import { answerKind, onOneLine, outcomeOf, outcomeSign, standingOf, stateMark } from './standing.ts';

const stored = { state: 'stored', answer: 'Paris', storedAnswer: 'Paris' } as const;

describe('standingOf', () => {
  it.each([
    ['none', {}],
    ['draft', { draft: 'Pa' }],
    ['sending', { state: 'sending', answer: 'Paris' }],
    ['changing', { state: 'changing', answer: 'Paris', storedAnswer: 'Lyon' }],
    ['stored', stored],
    ['change', { ...stored, draft: 'Par' }],
    ['elsewhere', { state: 'stored' }],
    ['draft', { state: 'stored', draft: 'Par' }],
    ['refused', { answer: 'Paris', missed: true }],
    ['sending', { state: 'sending', answer: 'Paris', draft: 'Pari' }],
    ['words', { ...stored, question: { ...questionWith(1).question, type: 'numeric' }, storedAnswer: 'eighty eight' }],
    ['words', { ...stored, question: { ...questionWith(1).question, type: 'nearest' }, storedAnswer: 'many', by: 'ben' }],
    ['stored', { ...stored, question: { ...questionWith(1).question, type: 'numeric' }, answer: '88', storedAnswer: '88' }],
    ['shared', { ...stored, by: 'ben' }],
    ['overtaken', { ...stored, by: 'ben', draft: 'Par', overtaken: true }],
    ['change', { ...stored, by: 'ben', draft: 'Par' }],
    ['changing', { state: 'changing', answer: 'Lyon', storedAnswer: 'Paris', by: 'ben' }],
  ] as const)('%s', (standing, different) => {
    expect(standingOf(questionWith(1, different), true)).toBe(standing);
  });

  it.each([
    ['none', {}, true],
    ['none', { state: 'stored', storedAnswer: 'Paris', by: 'first' }, true],
    ['draft', { draft: 'Pa' }, true],
    ['suggesting', { answer: 'Paris' }, true],
    ['kept', { answer: 'Paris' }, false],
    ['suggested', { answer: 'Paris', suggestions: [{ questionId: 'q1', answer: 'Paris', by: 'ben' }] }, true],
    ['suggesting', { answer: 'Lyon', suggestions: [{ questionId: 'q1', answer: 'Paris', by: 'ben' }] }, true],
  ] as const)('%s, of a phone that suggests', (standing, different, connected) => {
    expect(standingOf(questionWith(1, different), connected, true)).toBe(standing);
  });

  it('never says "sending" while nothing can be sent', () => {
    expect(standingOf(questionWith(1, { state: 'sending', answer: 'Paris' }), false)).toBe('kept');
    expect(standingOf(questionWith(1, { state: 'changing', answer: 'Paris' }), false)).toBe('kept');
    expect(standingOf(questionWith(1, stored), false)).toBe('stored');
  });
});

describe('outcomeSign', () => {
  it('is a tick until the right answer stands below it', () => {
    for (const outcome of ['stored', 'elsewhere'] as const) {
      expect(outcomeSign(outcome, false)).toBe('stored');
      expect(outcomeSign(outcome, true)).toBe('plain');
    }
  });

  it.each([
    ['none', 'none'],
    ['unsent', 'bad'],
    ['missed', 'bad'],
    ['missed_change', 'bad'],
    ['unsure', 'going'],
  ] as const)('says of %s that it is %s, whatever is revealed', (outcome, sign) => {
    expect([outcomeSign(outcome, false), outcomeSign(outcome, true)]).toEqual([sign, sign]);
  });
});

describe('outcomeOf', () => {
  it.each([
    ['none', {}],
    ['unsent', { draft: 'Pa' }],
    ['stored', stored],
    ['stored', { ...stored, draft: 'Par' }],
    ['elsewhere', { state: 'stored' }],
    ['missed', { answer: 'Paris', missed: true }],
    ['missed_change', { ...stored, answer: 'Lyon', missed: true }],
    ['unsure', { state: 'sending', answer: 'Paris', unsure: true }],
    ['unsure', { state: 'changing', answer: 'Lyon', storedAnswer: 'Paris', unsure: true }],
    ['unsure', { state: 'sending', answer: 'Paris' }],
  ] as const)('%s', (outcome, different) => {
    expect(outcomeOf(questionWith(1, different))).toBe(outcome);
  });
});

it('marks what did not get in', () => {
  expect(stateMark(questionWith(1, { ...stored, missed: true }))).toBe('missed');
  expect(stateMark(questionWith(1, stored))).toBe('stored');
});

describe('answerKind', () => {
  const kind = (type: string, choices?: string[]) =>
    answerKind({ id: 'q', text: '?', type, points: 1, ...(choices ? { choices } : {}) });

  it.each([
    ['text', undefined, 'text'],
    ['numeric', undefined, 'number'],
    ['multiple_choice', ['a', 'b'], 'choice'],
    ['true_false', ['True', 'False'], 'choice'],
    ['multiple_choice', undefined, 'text'],
    ['multiple_choice', [], 'text'],
    ['drawing', undefined, 'text'],
    ['drawing', ['a', 'b'], 'text'],
  ] as const)('%s with %j is %s', (type, choices, expected) => {
    expect(kind(type, choices && [...choices])).toBe(expected);
  });
});

it.each([
  ['multi_select', ['a', 'b'], 'select'],
  ['order', ['a', 'b'], 'order'],
  ['poll', ['a', 'b'], 'choice'],
  ['word_cloud', undefined, 'word'],
  ['nearest', undefined, 'number'],
  ['a kind to come', undefined, 'text'],
] as const)('%s is answered as it asks to be', (type, choices, kind) => {
  const { question } = questionWith(1, {});
  expect(answerKind({ ...question, type, ...(choices && { choices: [...choices] }) })).toBe(kind);
});

it('puts an answer of several lines into a sentence', () => {
  expect(onOneLine('Trumpet\nTuba')).toBe('Trumpet, Tuba');
});
