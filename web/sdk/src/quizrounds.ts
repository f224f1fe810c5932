// Checks the rounds of a file by the limits of the server, and reports omissions and changes. Called by every reader of quiz files,
// here and in the pages. Pure; never throws because of a file's content.

import type { QuestionBody, QuizUpload, RoundBody } from './generated/protocol.ts';
import { LIMITS } from './generated/limits.ts';
import { checkedQuestion, checkedTitle, FIELDS, tidyLine, usableTags } from './quizcheck.ts';
import type { Note, Params, RawQuestion, SkipReason } from './quizcheck.ts';

/** A part that a reader, or a check after it, left out or changed. */
export interface Remark {
  readonly reason: SkipReason;
  readonly params: Params;
  /** Whether all of it (the question, the round, the column) was left out; false: the rest is in the quiz. */
  readonly dropped: boolean;
}

/** A remark with its place. */
export interface Skipped extends Remark {
  /** From 1, in the units of the format: lines of a text, rows of a sheet, questions. Null if it is about the whole. */
  readonly at: number | null;
  /** The round as in the file, from 1; null when it is not about one. */
  readonly round: number | null;
  readonly question: number | null;
  /** How the question begins; empty when there is none. */
  readonly excerpt: string;
  /** The question in the quiz; null when it is not there. */
  readonly about: QuestionBody | null;
}

/** The contents of a file. `quiz` is null when nothing of it can be used; otherwise the server accepts it. */
export interface QuizFile {
  readonly quiz: QuizUpload | null;
  readonly skipped: readonly Skipped[];
}

/** A question of a file before any check. A dropped remark leaves it out. */
export interface FileQuestion {
  readonly at: number | null;
  readonly raw: RawQuestion;
  readonly remarks?: readonly Remark[];
}

/** A round of a file before any check. */
export interface FileRound {
  readonly title: string;
  readonly questions: readonly FileQuestion[];
  /** If the format has it. */
  readonly timeLimit?: unknown;
  /** Where the format has them: what the round's answers earn besides, by the names of RoundBody. */
  readonly scoring?: Readonly<Record<string, unknown>>;
}

/** What can be switched on in a round. A switch that the server has and this does not have fails to compile. */
export const SWITCHES = { streaks: true, speedPoints: true, joker: true, halfPoints: true } as const satisfies Record<Switch, true>;

/** One of them: a field of a round that is true or absent. */
export type Switch = { [Name in keyof RoundBody]-?: RoundBody[Name] extends boolean | undefined ? Name : never }[keyof RoundBody];

/** All of them. */
export const EACH_SWITCH = Object.keys(SWITCHES) as Switch[];

/** Those that are on; anything but true is off. */
export function switchedOn(round: Readonly<Partial<Record<Switch, unknown>>>): Partial<Record<Switch, true>> {
  return Object.fromEntries(EACH_SWITCH.filter((name) => round[name] === true).map((name) => [name, true]));
}

/** Code points of a question that a report quotes. */
const EXCERPT = 60;

/** Whether wrong answers may earn these points. */
export const isCost = (points: unknown): points is number =>
  Number.isInteger(points) && (points as number) <= 0 && (points as number) >= -LIMITS.wrongPointsMost;

/** What is stored of it; points of wrong answers that are no whole number within the limits are 0. */
const scoringOf = ({ scoring = {} }: FileRound) => ({
  ...switchedOn(scoring),
  ...(isCost(scoring.wrongPoints) && scoring.wrongPoints !== 0 && { wrongPoints: scoring.wrongPoints }),
});

/** The contents of a file besides its rounds. */
export interface FileHead {
  readonly title: string;
  /** If the format has them. */
  readonly tags?: unknown;
}

/** The quiz by the limits of the server. `before` are the reader's remarks about the whole file. */
export function checkedQuiz(head: FileHead, raw: readonly FileRound[], before: readonly Skipped[] = []): QuizFile {
  const skipped = [...before];
  const whole = noteAt(skipped, null);
  const rounds: RoundBody[] = [];
  let left: number = LIMITS.questions;
  for (const [at, one] of raw.entries()) {
    const note = noteAt(skipped, at + 1);
    if (rounds.length === LIMITS.rounds) {
      whole('too_many_rounds', true, { max: LIMITS.rounds, count: raw.length - at });
      break;
    }
    const questions = one.questions.flatMap((question, number) => {
      const read = checkedIn(question, { round: at + 1, question: number + 1 });
      skipped.push(...read.skipped);
      return read.body ?? [];
    });
    const fitting = questions.slice(0, Math.min(LIMITS.questionsPerRound, left));
    if (fitting.length < questions.length) {
      note('too_many_questions', true, { max: fitting.length, count: questions.length - fitting.length });
    } else if (fitting.length === 0) note('no_questions', true);
    left -= fitting.length;
    const timeLimit = FIELDS.timeLimit.check(one.timeLimit, () => note('bad_timeLimit', false));
    const options = { ...(timeLimit !== undefined && { timeLimit }), ...scoringOf(one) };
    if (fitting.length > 0) rounds.push({ title: checkedTitle(one.title, note), questions: fitting, ...options });
  }
  if (rounds.length === 0) return { quiz: null, skipped: [...skipped, ...nothing('no_questions').skipped] };
  const tags = usableTags(head.tags, () => whole('bad_tags', false));
  return { quiz: { title: checkedTitle(head.title, whole) || 'Quiz', rounds, ...(tags && { tags }) }, skipped };
}

/** A file of which nothing can be used. */
export function nothing(reason: SkipReason, params: Params = {}): QuizFile {
  return { quiz: null, skipped: [wholeRemark({ reason, params, dropped: true })] };
}

/** A remark about the whole file. */
export function wholeRemark(remark: Remark, at: number | null = null): Skipped {
  return { at, round: null, question: null, excerpt: '', about: null, ...remark };
}

function noteAt(skipped: Skipped[], round: number | null): Note {
  return (reason, dropped, params = {}) => skipped.push({ ...wholeRemark({ reason, params, dropped }), round });
}

function checkedIn(
  { at, raw, remarks = [] }: FileQuestion,
  place: { round: number; question: number },
): { body: QuestionBody | null; skipped: Skipped[] } {
  const found = [...remarks];
  const note: Note = (reason, dropped, params = {}) => found.push({ reason, dropped, params });
  const body = found.some(({ dropped }) => dropped) ? null : checkedQuestion(raw, note);
  const excerpt = excerptOf(raw.text);
  return { body, skipped: found.map((remark) => ({ at, ...place, excerpt, about: body, ...remark })) };
}

function excerptOf(text: string): string {
  const letters = Array.from(tidyLine(text));
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join('').trim()}…` : letters.join('');
}
