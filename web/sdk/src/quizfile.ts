// Quiz files in and out: JSON as the server has it, and CSV for spreadsheets. Says what it left out and why, by codes; the
// page has the words. Pure; used by the editor.

import type { QuestionBody, QuizBody, RoundBody } from './generated/protocol.ts';
import { LIMITS } from './generated/limits.ts';
import { checkedQuestion, checkedTitle, rawQuestion } from './quizcheck.ts';
import type { FieldKinds, Note, RawQuestion, SkipReason } from './quizcheck.ts';
import { readQuizCsv, roundTitle, writeQuizCsv } from './quizcsv.ts';
import { isRecord } from './storage.ts';

export type { SkipReason } from './quizcheck.ts';

/** Something that was left out, or set right. */
export interface Skipped {
  /** Of a CSV file, from 1; null in JSON, and where it is about the whole. */
  readonly line: number | null;
  /** As they stand in the file, from 1; null when it is not about one. */
  readonly round: number | null;
  readonly question: number | null;
  readonly reason: SkipReason;
  readonly params: Readonly<Record<string, string | number>>;
  /** Whether all of it (the question, the round, the column) was left out; false: the rest came in. */
  readonly dropped: boolean;
}

/** What a file held. `quiz` is null when nothing of it can be used; otherwise the server takes it. */
export interface QuizFile {
  readonly quiz: QuizBody | null;
  readonly skipped: readonly Skipped[];
}

/** Characters of a file: what the server takes, and much more than any quiz has. */
const LONGEST = 2 * 1_024 * 1_024;

interface RawRound {
  readonly title: string;
  readonly questions: readonly { readonly line: number | null; readonly raw: RawQuestion }[];
}

/** Reads JSON or CSV, by looking at it. `title` is for files that have none, such as the file's name. */
export function readQuizFile(text: string, title: string): QuizFile {
  if (text.length > LONGEST) return nothing('too_large', { megabytes: LONGEST >> 20 });
  const start = text.replace(/^[\ufeff\s]+/, '').charAt(0);
  return start === '{' || start === '[' ? readJsonQuiz(text, title) : readCsvQuiz(text, title);
}

/** The quiz as JSON: what `readQuizFile` and `quizhall quiz import` read. */
export function quizToJson(quiz: QuizBody): string {
  const rounds = quiz.rounds.map(({ title, questions }) => ({ title, questions: questions.map(withoutId) }));
  return `${JSON.stringify({ title: quiz.title, rounds }, null, 2)}\n`;
}

/** The quiz as CSV (docs/quiz-csv.md); what a spreadsheet would run is made harmless. */
export function quizToCsv(quiz: QuizBody): string {
  return writeQuizCsv(quiz);
}

function withoutId({ id: _id, ...question }: QuestionBody): QuestionBody {
  return question;
}

function readJsonQuiz(text: string, title: string): QuizFile {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return nothing('not_a_quiz_file');
  }
  if (!isRecord(read) || !Array.isArray(read.rounds)) return nothing('not_a_quiz_file');
  const rounds = (read.rounds as unknown[]).map((round) => {
    const { title: name, questions } = isRecord(round) ? round : {};
    const entries = Array.isArray(questions) ? (questions as unknown[]) : [];
    return { title: textOf(name), questions: entries.map((entry) => ({ line: null, raw: rawOf(entry) })) };
  });
  return checked(textOf(read.title) || title, rounds, []);
}

/** What JSON holds, as a field of this kind. */
const VALUES: { readonly [Kind in keyof FieldKinds]: (value: unknown) => FieldKinds[Kind] } = {
  text: textOf,
  list: (list) => (Array.isArray(list) ? (list as unknown[]).map(textOf) : []),
  value: (value) => value,
};

function rawOf(entry: unknown): RawQuestion {
  const fields = isRecord(entry) ? entry : {};
  return rawQuestion((name, { kind }) => VALUES[kind](fields[name]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function readCsvQuiz(text: string, title: string): QuizFile {
  const read = readQuizCsv(text);
  if (read === null) return nothing('not_a_quiz_file');
  const whole = { line: 1, round: null, question: null, dropped: true } as const;
  const skipped = read.problems.map(({ reason, column }) => ({ ...whole, reason, params: { column } }));
  if (skipped.some(({ reason }) => reason === 'missing_column')) return { quiz: null, skipped };
  const rounds: { title: string; cell: string; questions: { line: number; raw: RawQuestion }[] }[] = [];
  for (const { line, round, raw } of read.questions) {
    const last = rounds.at(-1);
    if (last !== undefined && (round === '' || round === last.cell)) last.questions.push({ line, raw });
    else rounds.push({ title: roundTitle(round), cell: round, questions: [{ line, raw }] });
  }
  return checked(title, rounds, skipped);
}

/** Everything by the limits of the server; what does not fit is noted. */
function checked(title: string, raw: readonly RawRound[], before: readonly Skipped[]): QuizFile {
  const skipped = [...before];
  const noteAt = (line: number | null, round: number | null, question: number | null): Note => {
    return (reason, dropped, params = {}) => skipped.push({ line, round, question, reason, params, dropped });
  };
  const rounds: RoundBody[] = [];
  let left: number = LIMITS.questions;
  for (const [at, one] of raw.entries()) {
    const note = noteAt(null, at + 1, null);
    if (rounds.length === LIMITS.rounds) {
      noteAt(null, null, null)('too_many_rounds', true, { max: LIMITS.rounds, count: raw.length - at });
      break;
    }
    const questions = one.questions.flatMap(({ line, raw: question }, number) => {
      return checkedQuestion(question, noteAt(line, at + 1, number + 1)) ?? [];
    });
    const fitting = questions.slice(0, Math.min(LIMITS.questionsPerRound, left));
    if (fitting.length < questions.length) {
      note('too_many_questions', true, { max: fitting.length, count: questions.length - fitting.length });
    } else if (fitting.length === 0) note('no_questions', true);
    left -= fitting.length;
    if (fitting.length > 0) rounds.push({ title: checkedTitle(one.title, note), questions: fitting });
  }
  if (rounds.length === 0) return { quiz: null, skipped: [...skipped, ...nothing('no_questions').skipped] };
  return { quiz: { title: checkedTitle(title, noteAt(null, null, null)) || 'Quiz', rounds }, skipped };
}

function nothing(reason: SkipReason, params: Skipped['params'] = {}): QuizFile {
  return { quiz: null, skipped: [{ line: null, round: null, question: null, reason, params, dropped: true }] };
}
