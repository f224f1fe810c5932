// Groups of answers in place of a review: complete with the last part, changed group by group, and replaced by a review.

import { expect, test } from 'vitest';

import type { GroupedAnswers, ReviewGroup } from '../src/generated/protocol.ts';
import { ReviewGroups } from '../src/reviewgroups.ts';
import { v1 } from './hosting.ts';
import { hostStatus, leaderboard, marked, marking, overruled, review, room, roundEnded, roundStarted } from './messages.ts';

const group = (key: string, count: number, rest: Partial<ReviewGroup> = {}): ReviewGroup => ({ key, texts: [key], count, ...rest });
const grouped = (groups: readonly ReviewGroup[], right = 0): GroupedAnswers => {
  return { answers: 10, right, toCheck: 0, total: groups.length, groups: [...groups] };
};

function reviewed(): ReviewGroups {
  const review = new ReviewGroups();
  review.add({ questionId: 'q1', grouped: grouped([group('rome', 6), group('roma', 4)]), part: 1, parts: 2 });
  expect(review.questions).toBe(null);
  review.add({ questionId: 'q2', grouped: grouped([group('blue', 10)]), part: 2, parts: 2 });
  return review;
}

test('they are complete with the last question, and the first one begins again', () => {
  const review = reviewed();
  expect([...(review.questions?.keys() ?? [])]).toEqual(['q1', 'q2']);
  review.add({ questionId: 'q3', grouped: grouped([]), part: 1, parts: 1 });
  expect([...(review.questions?.keys() ?? [])]).toEqual(['q3']);
  review.clear();
  expect(review.questions).toBe(null);
});

test('changed groups replace those before, empty ones go, and only what differs counts as changed', () => {
  const review = reviewed();
  const marked = grouped([group('roma', 4, { right: 4, ruled: true }), group('rome', 6), group('gone', 0)], 4);
  expect(review.change({ questionId: 'q1', grouped: marked })).toEqual(['roma', 'gone']);
  const question = review.questions?.get('q1');
  expect([question?.right, question?.groups.get('roma')?.right, question?.groups.size]).toEqual([4, 4, 2]);
  const removed = grouped([group('rome', 0)]);
  expect(review.change({ questionId: 'q1', grouped: removed })).toEqual(['rome']);
  expect([...(review.questions?.get('q1')?.groups.keys() ?? [])]).toEqual(['roma']);
});

test('groups of a question that is not known change nothing', () => {
  const review = reviewed();
  const before = review.questions;
  expect(review.change({ questionId: 'q9', grouped: grouped([group('x', 1)]) })).toEqual([]);
  expect(review.questions).toBe(before);
});

const sent = (questionId: string, groups: readonly ReviewGroup[], part?: { part: number; parts: number }) => {
  return { type: 'review_groups', payload: { questionId, grouped: grouped(groups), ...part } };
};
const SYNC = [hostStatus(), room(true, [['Ann', 'connected']]), roundStarted(), roundEnded];
const WHOLE = sent('q1', [group('rome', 6), group('roma', 4)], { part: 1, parts: 1 });

test('a host marks groups by one of their texts, and only the marking confirms it', () => {
  const { game, deliver, sent: lines } = v1(...SYNC, WHOLE, marking(0));
  expect([game.view.review, game.view.reviewGroups?.size]).toEqual([null, 1]);
  expect(game.markAnswers('q1', ['roma'], true, { alike: true })).toBe(true);
  expect(lines()).toEqual(['mark_answers {"questionId":"q1","answers":["roma"],"correct":true,"alike":true}']);
  const changed = sent('q1', [group('roma', 4, { right: 4, ruled: true })]);
  expect(deliver(overruled('Ben', 'q1', true), changed, marking(1)).pending, 'another co-host marks one of them').toEqual(['mark_answers:q1']);
  expect(deliver(changed, marked('q1', []), marking(2)).pending).toEqual([]);
  expect(deliver(sent('q1', [group('rome', 5)]), marking(1)).undone, 'a player was removed, and a marking with them').toBe(null);
  game.undoMarking();
  const undone = deliver(sent('q1', [group('roma', 4), group('rome', 5)]), marked('q1', []), marking(0));
  expect([undone.undone, undone.pending]).toEqual([{ questionId: 'q1', playerIds: [], groups: ['roma'] }, []]);
});

test('groups come again with each connection, end with the round, and give way to a review', () => {
  const { game, deliver, comeBack } = v1(...SYNC, WHOLE, marking(0));
  comeBack(...SYNC, sent('q1', [group('rome', 7)], { part: 1, parts: 1 }), marking(0));
  expect(game.view.reviewGroups?.get('q1')?.groups.get('rome')?.count).toBe(7);
  comeBack(...SYNC, review([['Ann', 'q1', 'Rome', true]]), marking(0));
  expect([game.view.review?.length, game.view.reviewGroups]).toEqual([1, null]);
  comeBack(...SYNC, WHOLE, marking(0));
  expect(deliver(leaderboard(['Ann', 100, 1]), roundStarted(2)).reviewGroups).toBe(null);
});
