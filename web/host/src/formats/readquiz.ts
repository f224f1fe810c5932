// What every reader of a format makes of its file: questions in their order, each with its round and what was lost beside
// it. Puts them into rounds and counts the losses. Pure.

import { questionFrom, type RawQuestion } from '$sdk/quizcheck.ts';
import { checkedQuiz, type FileQuestion, type FileRound, type QuizFile, type Remark, wholeRemark } from '$sdk/quizrounds.ts';
import { LIMITS } from '$sdk/generated/limits.ts';

/** What Quizhall does not have, counted over the file. */
export type Beside = 'feedback' | 'time' | 'units' | 'case' | 'hints' | 'categories';

/** Kinds of questions that cannot be played; a format's own word where there is no other. */
export type Kind =
  | 'essay'
  | 'matching'
  | 'ordering'
  | 'gaps'
  | 'several_answers'
  | 'several_parts'
  | 'information'
  | 'calculated'
  | 'picture';

/** A question as its reader found it. */
export interface Found {
  /** From 1: a line, a row or the number of the question, as the format counts. */
  readonly at: number;
  /** The title of its round. */
  readonly round: string;
  readonly raw: Partial<RawQuestion>;
  readonly remarks?: readonly Remark[];
  readonly beside?: readonly Beside[];
  /** Pictures, sounds and films of it. */
  readonly media?: number;
}

/** The question cannot be played. */
export function unsupported(kind: string): Remark {
  return { reason: 'unsupported_kind', params: { kind: kind.slice(0, 40) }, dropped: true };
}

/** The question is not written as the format demands. */
export const MALFORMED: Remark = { reason: 'malformed', params: {}, dropped: true };

/** The quiz of these questions. `before` is remarked of the whole file. */
export function quizOf(title: string, found: readonly Found[], before: readonly Remark[] = []): QuizFile {
  const remarks = [...before, ...besides(found)].map((remark) => wholeRemark(remark));
  return checkedQuiz({ title }, roundsOf(found), remarks);
}

function roundsOf(found: readonly Found[]): FileRound[] {
  const rounds: { title: string; questions: FileQuestion[]; usable: number }[] = [];
  for (const one of found) {
    const isUsable = !isDropped(one);
    const last = rounds.at(-1);
    // A list that is longer than a round goes on in the next one.
    const fits = last !== undefined && last.title === one.round && last.usable < LIMITS.questionsPerRound;
    const round = fits ? last : { title: one.round, questions: [], usable: 0 };
    if (!fits) rounds.push(round);
    round.questions.push(questionOf(one));
    if (isUsable) round.usable += 1;
  }
  return rounds;
}

function questionOf(found: Found): FileQuestion {
  const { at, raw, remarks = [], media = 0 } = found;
  const lost: Remark = { reason: 'left_out', params: { what: 'media', count: media }, dropped: false };
  return { at, raw: questionFrom(raw), remarks: media > 0 && !isDropped(found) ? [...remarks, lost] : remarks };
}

function besides(found: readonly Found[]): Remark[] {
  const counts = new Map<Beside, number>();
  for (const one of found.filter((each) => !isDropped(each))) {
    for (const what of new Set(one.beside)) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => ({ reason: 'left_out', params: { what, count }, dropped: false }));
}

const isDropped = ({ remarks = [] }: Found): boolean => remarks.some(({ dropped }) => dropped);
