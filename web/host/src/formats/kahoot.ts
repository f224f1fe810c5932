// Spreadsheets with questions: the template by which Kahoot imports quizzes, in any of its languages, and tables with the
// columns of docs/quiz-csv.md.

import type { QuizFile } from '$sdk';
import { readQuizTable, type TableRow } from '$sdk/quizcsv.ts';
import { readTableQuiz } from '$sdk/quizfile.ts';

import { type Found, quizOf } from './readquiz.ts';
import type { Source } from './source.ts';

/** Where the template has its columns. */
interface Columns {
  /** Of the question; the answers begin in the next one. */
  readonly question: number;
  readonly answers: number;
}

/** Fewest and most answers that the template has had. */
const FEWEST_ANSWERS = 2;
const MOST_ANSWERS = 6;

/** Rows in which the header is looked for: above it there is a title and what to do. */
const HEADER_ROWS = 30;

/** Whether a sheet is the template, by its header. */
export function isKahoot({ sheets }: Source): boolean {
  return sheets?.some((rows) => headOf(rows) !== undefined) ?? false;
}

/** Reads all questions into one round. Any of several right answers counts, as it does in Kahoot. */
export function readKahoot({ sheets, title }: Source): QuizFile {
  const rows = sheets?.find((each) => headOf(each) !== undefined) ?? [];
  const head = headOf(rows);
  if (!head) return quizOf(title, []);
  return quizOf(
    title,
    rows.slice(head.row + 1).flatMap((row) => questionOf(row, head.columns) ?? []),
  );
}

/** Reads the first sheet that is a table of questions, or the first of all. */
export function readSheet({ sheets, title }: Source): QuizFile {
  const all = sheets ?? [];
  return readTableQuiz(all.find((rows) => readQuizTable(rows) !== null) ?? all[0] ?? [], title);
}

/** The header: a question, answers numbered from 1, a time, the numbers of the right ones. */
function headOf(rows: readonly TableRow[]): { row: number; columns: Columns } | undefined {
  for (const [row, { cells }] of rows.slice(0, HEADER_ROWS).entries()) {
    const first = cells.findIndex((cell) => /^(?=\D*\p{L})\D*1(?!\d)/u.test(cell));
    const name = /^\D*/.exec(cells[first] ?? '')?.[0] ?? '';
    let answers = 0;
    while (answers < MOST_ANSWERS && cells[first + answers]?.startsWith(`${name}${String(answers + 1)}`)) answers += 1;
    const isNamed = [cells[first - 1], cells[first + answers], cells[first + answers + 1]].every((cell) => (cell ?? '').trim() !== '');
    if (first > 0 && answers >= FEWEST_ANSWERS && isNamed) return { row, columns: { question: first - 1, answers } };
  }
  return undefined;
}

function questionOf({ at, cells }: TableRow, { question, answers }: Columns): Found | undefined {
  const text = (cells[question] ?? '').trim();
  const offered = cells.slice(question + 1, question + 1 + answers).map((cell) => cell.trim());
  if (text === '' && offered.every((cell) => cell === '')) return undefined;
  const [time = '', right = ''] = cells.slice(question + 1 + answers);
  // `1,3` is a number in some languages, and spreadsheets make one of it.
  const numbers = right.match(/\d/g) ?? [];
  const correctAnswers = numbers.map((number) => offered[Number(number) - 1] ?? '');
  const raw = { type: 'multiple_choice', text, choices: offered, correctAnswers };
  return { at, round: '', raw, beside: time.trim() === '' ? [] : ['time'] };
}
