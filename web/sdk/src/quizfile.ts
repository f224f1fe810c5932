// Reads and writes quiz files: JSON as the server has it, and CSV for spreadsheets. Reports by codes what it left out and why; the
// page has the sentences. Pure; used by the editor.

import type { QuestionBody, QuizBody, QuizUpload } from './generated/protocol.ts';
import { readCsv, unharmed } from './csv.ts';
import { rawQuestion } from './quizcheck.ts';
import type { FieldKinds, RawQuestion } from './quizcheck.ts';
import { readQuizTable, roundTitle, type TableRow, writeQuizCsv } from './quizcsv.ts';
import { checkedQuiz, type FileQuestion, nothing, type QuizFile, wholeRemark } from './quizrounds.ts';
import { isRecord } from './storage.ts';

export type { SkipReason } from './quizcheck.ts';
export type { QuizFile, Skipped } from './quizrounds.ts';

/** The most characters of a file: what the server accepts, and much more than any quiz has. */
const LONGEST = 2 * 1_024 * 1_024;

/** Reads JSON or CSV, which it detects. `title` is for files that have none, such as the file's name. */
export function readQuizFile(text: string, title: string): QuizFile {
  if (text.length > LONGEST) return nothing('too_large', { megabytes: LONGEST >> 20 });
  const start = text.replace(/^[\ufeff\s]+/, '').charAt(0);
  return start === '{' || start === '[' ? readJsonQuiz(text, title) : readCsvQuiz(text, title);
}

/** The quiz as JSON: what `readQuizFile` and `quizhall quiz import` read. */
export function quizToJson(quiz: QuizUpload): string {
  const rounds = quiz.rounds.map((round) => ({ ...round, questions: round.questions.map(withoutId) }));
  return `${JSON.stringify({ title: quiz.title, ...(quiz.tags?.length && { tags: quiz.tags }), rounds }, null, 2)}\n`;
}

/** The quiz as CSV (docs/host/quiz-csv.md); cells that a spreadsheet would run are made harmless. */
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
    return nothing('damaged', { line: 0 });
  }
  if (!isRecord(read) || !Array.isArray(read.rounds)) return nothing('not_a_quiz_file');
  const rounds = (read.rounds as unknown[]).map((round) => {
    const { title: name, questions, timeLimit, ...scoring } = isRecord(round) ? round : {};
    const entries = Array.isArray(questions) ? (questions as unknown[]) : [];
    const asked = entries.map((entry) => ({ at: null, raw: rawOf(entry) }));
    return { title: textOf(name), timeLimit, scoring, questions: asked };
  });
  return checkedQuiz({ title: textOf(read.title) || title, tags: read.tags }, rounds);
}

/** A value in JSON, as a field of this kind. */
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
  return readTableQuiz(readCsv(text).map(({ line, cells }) => ({ at: line, cells: cells.map(unharmed) })), title);
}

/** Reads a table whose first row names the columns (docs/host/quiz-csv.md). */
export function readTableQuiz(rows: readonly TableRow[], title: string): QuizFile {
  const read = readQuizTable(rows);
  if (read === null) return nothing('not_a_quiz_file');
  const skipped = read.problems.map(({ reason, column }) => wholeRemark({ reason, params: { column }, dropped: true }, 1));
  if (skipped.some(({ reason }) => reason === 'missing_column')) return { quiz: null, skipped };
  const rounds: { title: string; cell: string; questions: FileQuestion[] }[] = [];
  for (const { round, ...question } of read.questions) {
    const last = rounds.at(-1);
    if (last !== undefined && (round === '' || round === last.cell)) last.questions.push(question);
    else rounds.push({ title: roundTitle(round), cell: round, questions: [question] });
  }
  return checkedQuiz({ title }, rounds, skipped);
}
