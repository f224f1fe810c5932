// A quiz as CSV, both ways (docs/quiz-csv.md). Pure; used by quizfile.ts.

import { harmless, readCsv, unharmed, writeCsv } from './csv.ts';
import type { CsvRow } from './csv.ts';
import type { QuestionBody, QuizBody } from './generated/protocol.ts';
import type { RawQuestion, SkipReason } from './quizcheck.ts';

/** The columns, in the order of export. */
const COLUMNS = ['round', 'type', 'question', 'choices', 'answers', 'points', 'tolerance'] as const;

type Column = (typeof COLUMNS)[number];

const OTHER_NAMES: Readonly<Record<string, Column>> = {
  text: 'question',
  choice: 'choices',
  answer: 'answers',
  correct: 'answers',
};

/** A question of a file, with its line, and the cell that says which round it is in. */
export interface CsvQuestion {
  readonly line: number;
  readonly round: string;
  readonly raw: RawQuestion;
}

/** What the header row means. */
export interface CsvHead {
  readonly problems: readonly { readonly reason: SkipReason; readonly column: string }[];
  readonly questions: readonly CsvQuestion[];
}

/** Reads the rows below the header. Null when the first row is no header at all. */
export function readQuizCsv(text: string): CsvHead | null {
  const [head, ...rows] = readCsv(text);
  const names = (head?.cells ?? []).map((cell) => columnOf(cell));
  if (!names.some((name) => name === 'question' || name === 'answers')) return null;
  const missing = (['question', 'answers'] as const).filter((column) => !names.includes(column));
  const unknown = (head?.cells ?? []).filter((cell, at) => cell.trim() !== '' && names[at] === undefined);
  const problems = [
    ...missing.map((column) => ({ reason: 'missing_column' as const, column })),
    ...unknown.map((cell) => ({ reason: 'unknown_column' as const, column: cell.trim().slice(0, 40) })),
  ];
  if (missing.length > 0) return { problems, questions: [] };
  return { problems, questions: rows.map((row) => questionOf(row, names)) };
}

function columnOf(cell: string): Column | undefined {
  const name = cell.trim().toLowerCase();
  return COLUMNS.find((column) => column === name) ?? (Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined);
}

function questionOf({ line, cells }: CsvRow, names: readonly (Column | undefined)[]): CsvQuestion {
  const cell = (column: Column) => unharmed(cells[names.indexOf(column)] ?? '');
  const raw = {
    text: cell('question'),
    type: cell('type'),
    choices: split(cell('choices')),
    answers: split(cell('answers')),
    points: cell('points').trim(),
    tolerance: cell('tolerance').trim(),
  };
  return { line, round: cell('round').trim(), raw };
}

/** The title in a round's cell: `2`, `2: Music` or `Music`. */
export function roundTitle(cell: string): string {
  const numbered = /^\d+\s*(?:[:.)]\s*([^]*))?$/.exec(cell);
  return numbered ? (numbered[1] ?? '') : cell;
}

/** Parts at `|`; a backslash takes the meaning of what follows. */
function split(cell: string): string[] {
  const parts = cell.match(/(?:^|\|)(?:\\[^]|[^|\\]|\\$)*/g) ?? [];
  return parts.map((part) => part.replace(/^\|/, '').replace(/\\([|\\])/g, '$1'));
}

function join(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[|\\]/g, '\\$&')).join('|');
}

/** The quiz as CSV; its own title is not in it. */
export function writeQuizCsv(quiz: QuizBody): string {
  const rows = quiz.rounds.flatMap((round, at) => {
    const name = round.title === '' ? String(at + 1) : `${String(at + 1)}: ${round.title}`;
    return round.questions.map((question) => rowOf(name, question).map(harmless));
  });
  return writeCsv([COLUMNS, ...rows]);
}

function rowOf(round: string, question: QuestionBody): string[] {
  const { type, text, choices = [], correctAnswers, points, tolerance } = question;
  const number = (value: number | undefined) => (value === undefined ? '' : String(value));
  return [round, type, text, join(choices), join(correctAnswers), number(points), number(tolerance)];
}
