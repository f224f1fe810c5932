// The result of every reader of a format: questions in their order, each with its round and its losses. Puts them into rounds
// and counts the losses. Pure.

import { questionFrom, type RawQuestion } from '$sdk/quizcheck.ts';
import { checkedQuiz, type FileQuestion, type FileRound, type QuizFile, type Remark, wholeRemark } from '$sdk/quizrounds.ts';
import { LIMITS } from '$sdk/generated/limits.ts';
import { choiceLetter } from '$ui/parts/choices.ts';

import { Damaged } from './damaged.ts';
import type { Plain } from './markup.ts';
import type { BroughtFiles } from './media.ts';

/** A quiz, and the pictures and sounds that came with it. */
export interface ReadQuiz extends QuizFile {
  readonly files?: BroughtFiles;
}

/** Features that Quizhall lacks, counted over the file. */
export type Beside = 'feedback' | 'time' | 'units' | 'case' | 'hints' | 'categories' | 'languages' | 'selection' | 'difficulty' | 'players' | 'card_fields';

/** Kinds of questions that cannot be played; a format's own word is used where there is no other. */
export type Kind =
  | 'essay'
  | 'matching'
  | 'ordering'
  | 'gaps'
  | 'several_answers'
  | 'several_parts'
  | 'information'
  | 'calculated'
  | 'random'
  | 'picture'
  | 'pictures';

/** A question as it was read. */
export interface Found {
  /** The place from 1: a line, a row or the number of the question, in the units of the format. */
  readonly at: number;
  /** The title of its round. */
  readonly round: string;
  readonly raw: Partial<RawQuestion>;
  readonly remarks?: readonly Remark[];
  readonly beside?: readonly Beside[];
  /** Its pictures, sounds and films that are left out. */
  readonly media?: number;
  /** Its texts with their other contents, as they were read. */
  readonly texts?: readonly Plain[];
  /** Whole seconds in which its round closes, where the format has them. */
  readonly roundTime?: number | undefined;
}

/** The question cannot be played. */
export function unsupported(kind: string): Remark {
  return { reason: 'unsupported_kind', params: { kind: kind.slice(0, 40) }, dropped: true };
}

/** The question does not have the form that the format requires. */
export const MALFORMED: Remark = { reason: 'malformed', params: {}, dropped: true };

/** A choice has several lines: all choices are then part of the question, and players choose letters. */
const MOVED: Remark = { reason: 'choices_moved', params: {}, dropped: false };

/** The result of `read` for a question. A question that cannot be converted to text is reported, and the others are imported. */
export function soundly(name: string, read: () => Omit<Found, 'at' | 'round'>): Omit<Found, 'at' | 'round'> {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) return { raw: { text: name }, remarks: [MALFORMED] };
    throw error;
  }
}

/** The quiz of these questions. `before` are the remarks about the whole file. */
export function quizOf(title: string, found: readonly Found[], before: readonly Remark[] = [], files?: BroughtFiles): ReadQuiz {
  const remarks = [...before, ...besides(found)].map((remark) => wholeRemark(remark));
  const read = checkedQuiz({ title }, roundsOf(found), remarks);
  return files && files.size > 0 ? { ...read, files } : read;
}

function roundsOf(found: readonly Found[]): FileRound[] {
  const rounds: { title: string; questions: FileQuestion[]; usable: number; timeLimit: number | undefined }[] = [];
  for (const one of found) {
    const isUsable = !isDropped(one);
    const last = rounds.at(-1);
    // A list that exceeds a round continues in the next one.
    const fits = last !== undefined && last.title === one.round && last.usable < LIMITS.questionsPerRound;
    const round = fits ? last : { title: one.round, questions: [], usable: 0, timeLimit: one.roundTime };
    if (!fits) rounds.push(round);
    round.questions.push(questionOf(one));
    if (isUsable) round.usable += 1;
  }
  return rounds;
}

function questionOf(found: Found): FileQuestion {
  const { at, raw, remarks = [], media = 0, texts = [] } = found;
  if (isDropped(found)) return { at, raw: questionFrom(raw), remarks };
  const moved = withLines(raw);
  const unset = texts.reduce((sum, text) => sum + text.unset, 0);
  const more: Remark[] = [
    ...(moved === raw ? [] : [MOVED]),
    ...(unset > 0 ? [{ reason: 'formula', params: { count: unset }, dropped: false } as const] : []),
    ...(media > 0 ? [{ reason: 'left_out', params: { what: 'media', count: media }, dropped: false } as const] : []),
  ];
  return { at, raw: questionFrom(moved), remarks: [...remarks, ...more] };
}

/** Choices have one line each. Where one has several lines, such as code, all are part of the question. */
function withLines(raw: Partial<RawQuestion>): Partial<RawQuestion> {
  const { choices = [], correctAnswers = [], text = '' } = raw;
  if (choices.length > LIMITS.choices || !choices.some((choice) => choice.includes('\n')) || new Set(choices).size < choices.length) return raw;
  const letters = choices.map((_, at) => choiceLetter(at));
  const listed = choices.map((choice, at) => `${letters[at] ?? ''})\n${choice}`);
  const right = correctAnswers.flatMap((answer) => letters[choices.indexOf(answer)] ?? []);
  return { ...raw, text: [text, ...listed].join('\n\n'), choices: letters, correctAnswers: right };
}

function besides(found: readonly Found[]): Remark[] {
  const counts = new Map<Beside, number>();
  for (const one of found.filter((each) => !isDropped(each))) {
    const isOneOfSeveral = one.texts?.some((text) => text.isOneOfSeveral) ?? false;
    const all = new Set<Beside>([...(one.beside ?? []), ...(isOneOfSeveral ? ['languages' as const] : [])]);
    for (const what of all) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => ({ reason: 'left_out', params: { what, count }, dropped: false }));
}

const isDropped = ({ remarks = [] }: Found): boolean => remarks.some(({ dropped }) => dropped);

/** Keeps points only where they differ between the questions: equal points are the default, which no quiz needs to repeat. */
export function whereTheyDiffer(found: readonly Found[]): readonly Found[] {
  const isDifferent = new Set(found.filter((one) => !isDropped(one)).map(({ raw: { points } }) => String(points ?? ''))).size > 1;
  return isDifferent ? found : found.map((one) => ({ ...one, raw: { ...one.raw, points: undefined } }));
}
