// The outcome of each question, from a game's results: how many were right, and the given answers. Pure.

import type { QuestionResults } from '$sdk';
import { fold } from '$sdk/fold.ts';

import { type Share, shareOf, takenOf } from '../run/shares.ts';

/** An answer with all players who gave it. */
export interface GivenAnswer {
  readonly text: string;
  readonly correct: boolean;
  /** The points that each of them earned, without those for streaks and speed. */
  readonly points: number;
  /** Whether the host overruled the marking for one of them. */
  readonly overridden: boolean;
  /** The co-hosts who did so. */
  readonly markers: readonly string[];
  readonly names: readonly string[];
}

/** The numbers of a question. */
export interface Tally extends Share {
  readonly given: number;
  /** The share of right answers, between 0 and 1. */
  readonly part: number;
  /** Equal texts with equal marks together: right ones first, then partly right ones, then by how many gave them. */
  readonly answers: readonly GivenAnswer[];
}

/** Counts a question's answers. */
export function tally(question: QuestionResults): Tally {
  const given = question.answers.filter((answer) => answer.answer !== '').length;
  const { right, of } = shareOf(question);
  return { given, right, of, part: of > 0 ? right / of : 0, answers: together(question) };
}

/** How often each answer of a question without marks was given: by the choices of a poll, or by the words of a cloud, most frequent first. */
export function countsOf(question: QuestionResults, choices: readonly string[]): readonly { readonly answer: string; readonly count: number }[] {
  if (question.type === 'poll' && choices.length > 0) {
    const taken = takenOf(choices, question.answers);
    return choices.map((answer, at) => ({ answer, count: taken[at] ?? 0 }));
  }
  const counts = new Map<string, number>();
  for (const { answer } of question.answers) {
    const word = question.type === 'word_cloud' ? fold(answer) : answer;
    if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([answer, count]) => ({ answer, count })).sort((one, other) => other.count - one.count);
}

function together(question: QuestionResults): readonly GivenAnswer[] {
  const groups = new Map<string, GivenAnswer>();
  for (const { answer, correct, overridden, marker, displayName, ...earned } of question.answers) {
    // Equal answers earn the same, except for streaks, speed and jokers.
    const points = earned.points - (earned.streakPoints ?? 0) - (earned.speedPoints ?? 0) - (earned.jokerPoints ?? 0);
    const key = `${correct ? 'right' : String(points)} ${answer}`;
    const known = groups.get(key) ?? { text: answer, correct, points, overridden: false, markers: [], names: [] };
    groups.set(key, {
      ...known,
      overridden: known.overridden || (overridden && marker === undefined),
      markers: marker === undefined || known.markers.includes(marker) ? known.markers : [...known.markers, marker],
      names: [...known.names, displayName],
    });
  }
  return [...groups.values()].sort(
    (one, other) =>
      Number(other.correct) - Number(one.correct) || other.points - one.points || other.names.length - one.names.length,
  );
}

/** A file name that every system takes: the title's letters and digits, the day, and the ending. */
export function fileName(title: string, day: Date, ending: string): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const date = `${String(day.getFullYear())}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
  const start = [...words.join('-')].slice(0, 60).join('').replace(/-$/, '');
  return `${start === '' ? date : `${start}-${date}`}.${ending}`;
}

const pad = (value: number): string => String(value).padStart(2, '0');
