// The options that have no effect in a quiz, by the rules of marking (docs/reference/messages.md), and what would give them one. Pure; the
// start dialogue says them.

import type { QuestionBody, RoundBody } from '$sdk';
import { isMarked } from '$sdk/choices.ts';
import { LIMITS } from '$sdk/generated/limits.ts';

import type { Options } from './options.ts';

/** The points of a question that names none, as the server has it. */
const PLAIN_POINTS = 1_000;

/** The least points of which half is a point, and of which 10 % is one: what the second right answer in a row earns. */
const HALF_NEEDS = 2;
const STREAK_NEEDS = 10;

/** Speed adds whole points, at most those of the question: with fewer than the first of these it hardly grades, with the second it does. */
const SPEED_LEAST = 5;
const SPEED_NEEDS = 10;

/** Seconds for each question where speed has no time to measure. */
export const USUAL_SECONDS = 20;

/** An option without effect, or with little: in which rounds (from 1) and why. */
export type Idle =
  /** The questions are worth at most `points`; `factor` times the points of the whole quiz would be enough. With `coarse`, speed has a little. */
  | { readonly option: 'half' | 'streaks' | 'coarse'; readonly rounds: readonly number[]; readonly points: number; readonly factor: number }
  /** A row needs two questions. */
  | { readonly option: 'row'; readonly rounds: readonly number[] }
  /** No question has a time; `mends`: a time for each would give it an effect. */
  | { readonly option: 'speed'; readonly rounds: readonly number[]; readonly mends: boolean }
  /** Each question by itself is too small for a joker. */
  | { readonly option: 'joker'; readonly rounds: readonly number[] };

interface Numbered {
  readonly round: RoundBody;
  readonly number: number;
  readonly marked: readonly QuestionBody[];
}

/** The options that have no effect in some rounds of this quiz. */
export function idleIn(rounds: readonly RoundBody[], options: Options): Idle[] {
  const numbered = rounds.map((round, at): Numbered => {
    return { round, number: at + 1, marked: round.questions.filter(({ type }) => isMarked(type)) };
  });
  const played = numbered.filter(({ marked }) => marked.length > 0);
  return [...idleHalf(played), ...idleStreaks(played, options), ...idleSpeed(played, options), ...idleJoker(numbered, options)];
}

function idleHalf(played: readonly Numbered[]): Idle[] {
  const idle = played.filter(({ round, marked }) => round.halfPoints && mostOf(marked) === 1);
  if (idle.length === 0) return [];
  return [few('half', idle, HALF_NEEDS)];
}

function idleStreaks(played: readonly Numbered[], options: Options): Idle[] {
  const counting = played.filter(({ round, marked }) => (options.streaks || round.streaks) && mostOf(marked) > 0);
  const short = counting.filter(({ marked }) => marked.length === 1);
  const small = counting.filter(({ marked }) => marked.length > 1 && bestBonus(marked) === 0);
  return [
    ...(small.length > 0 ? [few('streaks', small, STREAK_NEEDS)] : []),
    ...(short.length > 0 ? [{ option: 'row', rounds: numbersOf(short) } as const] : []),
  ];
}

/** What the longest row earns: each further right answer 10 % of its points, at most 50 %, rounded down. */
function bestBonus(marked: readonly QuestionBody[]): number {
  return Math.floor((mostOf(marked) * Math.min(5, marked.length - 1)) / 10);
}

function idleSpeed(played: readonly Numbered[], options: Options): Idle[] {
  const counting = played.filter(({ round }) => options.speedPoints || round.speedPoints);
  const isMeasured = ({ round, marked }: Numbered): boolean => marked.some(({ timeLimit }) => timeLimit !== undefined || isTimed(round, options));
  const idle = counting.filter((one) => !isMeasured(one));
  const coarse = counting.filter((one) => isMeasured(one) && mostOf(one.marked) > 0 && mostOf(one.marked) < SPEED_LEAST);
  return [
    ...(idle.length > 0 ? [{ option: 'speed', rounds: numbersOf(idle), mends: idle.some(({ round }) => round.timeLimit === undefined) } as const] : []),
    ...(coarse.length > 0 ? [few('coarse', coarse, SPEED_NEEDS)] : []),
  ];
}

/** Rounds whose questions are worth too little; each of them needs `needs` points. */
function few(option: 'half' | 'streaks' | 'coarse', rounds: readonly Numbered[], needs: number): Idle {
  const worths = rounds.map(({ marked }) => mostOf(marked));
  return { option, rounds: numbersOf(rounds), points: Math.max(...worths), factor: Math.ceil(needs / Math.min(...worths)) };
}

/** Whether questions without a time of their own get one in this game. A round's own time is none, but question by question it may be. */
function isTimed(round: RoundBody, { pace, answerSeconds }: Options): boolean {
  if (round.timeLimit !== undefined) return pace === 'question';
  return answerSeconds !== null;
}

function idleJoker(numbered: readonly Numbered[], { pace }: Options): Idle[] {
  const idle = numbered.filter(({ round }) => round.joker);
  return pace === 'question' && idle.length > 0 ? [{ option: 'joker', rounds: numbersOf(idle) }] : [];
}

/**
 * The rounds with `factor` times the points of every question, and of wrong answers: what the questions are worth beside each other stays. Null
 * where that is more than a question can have.
 */
export function timesPoints(rounds: readonly RoundBody[], factor: number): RoundBody[] | null {
  const times = rounds.map(({ wrongPoints, ...round }): RoundBody => {
    const questions = round.questions.map((question) => (isMarked(question.type) ? { ...question, points: pointsOf(question) * factor } : question));
    return { ...round, ...(wrongPoints !== undefined && { wrongPoints: wrongPoints * factor }), questions };
  });
  const all = times.flatMap(({ questions, wrongPoints = 0 }) => [-wrongPoints, ...questions.map(({ points = 0 }) => points)]);
  return all.every((points) => points <= LIMITS.points) ? times : null;
}

const numbersOf = (rounds: readonly Numbered[]): number[] => rounds.map(({ number }) => number);

const pointsOf = ({ points = PLAIN_POINTS }: QuestionBody): number => points;

const mostOf = (questions: readonly QuestionBody[]): number => Math.max(0, ...questions.map(pointsOf));
