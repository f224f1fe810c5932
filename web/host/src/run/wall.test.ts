import { describe, expect, test } from 'vitest';

import { afterQuestions, beginOf, endOf, placeOfSlide, placesOf, slidesOf } from './wall.ts';

/** A board of these scores, best first. */
function boardOf(...scores: readonly number[]) {
  return scores.map((score, index) => {
    const rank = scores.findIndex((other) => other === score) + 1;
    return { playerId: `p${String(index)}`, displayName: `N${String(index)}`, score, rank, previousRank: null };
  });
}

const kinds = (played: Parameters<typeof slidesOf>[0]): string[] =>
  slidesOf(played).map((slide) => {
    if (slide.kind === 'standings') return `page ${String(slide.at)}`;
    return slide.kind === 'podium' ? `podium ${String(slide.at)}` : slide.kind;
  });

test('between rounds: the questions, the standings from below', () => {
  const board = boardOf(...Array.from({ length: 21 }, (_, place) => 50 - place));
  const between = { questions: 2, board, isLast: false };
  expect(kinds(between)).toEqual(['question', 'question', 'page 2', 'page 1', 'page 0']);
  expect(endOf(slidesOf(between))).toBeNull();
  expect(afterQuestions(slidesOf(between))).toBe(4);
});

test('after the last round: the questions, the podium from below, the winner, and only then the standings', () => {
  const last = { questions: 1, board: boardOf(50, 40, 30, 20), isLast: true };
  expect(kinds(last)).toEqual(['question', 'podium 1', 'podium 2', 'winner', 'page 0']);
  expect(endOf(slidesOf(last))).toBe(3);
  expect(afterQuestions(slidesOf(last))).toBe(1);
  expect(kinds({ ...last, isOver: true }), 'over: the whole podium, too').toEqual(['question', 'podium 1', 'podium 2', 'winner', 'podium 3', 'page 0']);
  expect(kinds({ ...last, isEarly: true }), 'finished early: an empty podium first').toEqual(['question', 'podium 0', 'podium 1', 'podium 2', 'winner', 'page 0']);
});

test('shared ranks share a place, and leave the next one out', () => {
  const places = placesOf(boardOf(50, 50, 30, 30, 10));
  expect(places.map((place) => [place.rank, place.names.length])).toEqual([
    [1, 2],
    [3, 2],
  ]);
  expect(kinds({ questions: 0, board: boardOf(50, 50, 50), isLast: true })).toEqual(['winner', 'page 0']);
});

test('without points there is no winner', () => {
  const pointless = { questions: 0, board: boardOf(0, 0), isLast: true };
  expect(placesOf(pointless.board)).toEqual([]);
  expect(kinds(pointless)).toEqual(['podium 0', 'page 0']);
  expect(endOf(slidesOf(pointless))).toBe(0);
});

describe('where a page begins that remembers nothing', () => {
  const slides = slidesOf({ questions: 2, board: boardOf(50, 40), isLast: true, isOver: true });

  test('question by question: at the answer, and at the first places once the standings are out', () => {
    const between = slidesOf({ questions: 1, board: boardOf(...Array.from({ length: 21 }, (_, place) => 50 - place)), isLast: false });
    const at = (standingsHeld: boolean) => between[beginOf(between, { phase: 'leaderboard', standingsHeld }, true)];
    expect(at(true)).toEqual({ kind: 'question', at: 0 });
    expect(at(false)).toEqual({ kind: 'standings', at: 0 });
  });

  test('held: at the first question', () => {
    expect(beginOf(slides, { phase: 'leaderboard', standingsHeld: true })).toBe(0);
  });

  test('shown on the phones already: at the winner', () => {
    expect(slides[beginOf(slides, { phase: 'leaderboard', standingsHeld: false })]).toEqual({ kind: 'winner' });
  });

  test('over: at the whole podium', () => {
    expect(slides[beginOf(slides, { phase: 'ended', standingsHeld: false })]).toEqual({ kind: 'podium', at: 2 });
  });

  test('between rounds: at the first question', () => {
    const between = slidesOf({ questions: 2, board: boardOf(50), isLast: false });
    expect(beginOf(between, { phase: 'leaderboard', standingsHeld: false })).toBe(0);
  });
});

test('every picture is found again by what the server says of it', () => {
  const slides = slidesOf({ questions: 2, board: boardOf(50, 40), isLast: true });
  for (const [index, slide] of slides.entries()) expect(placeOfSlide(slides, slide)).toBe(index);
  expect(placeOfSlide(slides, { kind: 'question' })).toBe(0);
  expect(placeOfSlide(slides, { kind: 'standings', at: 7 })).toBe(-1);
});
