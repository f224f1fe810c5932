// The results of a game as tables: the standings with the points of each round or section, the questions, every answer, and the
// points by hand. As one spreadsheet, or as CSV, a file for each. Names stand for players, and the words are those of the page; the CSV of the HTTP API, with ids,
// is for programs. Loaded when the host asks for a file. Pure but for the words.

import type { AnswerResult, QuestionResults, Results } from '$sdk';
import { isMarked } from '$sdk/choices.ts';
import { harmless, writeCsv } from '$sdk/csv.ts';
import * as m from '$words/generated/messages.js';

import { XLSX_MIME } from '../formats/kinds.ts';
import { type Sheet, workbook } from '../formats/xlsx.ts';
import { columnsOf, partName, partsOf, rightsOf, standingsRows } from './parts.ts';
import { tally } from './tally.ts';

/** The spreadsheet. */
export function resultsWorkbook(results: Results): Blob {
  const sheets = [standings(results), questions(results), answers(results), ...byHand(results)];
  return new Blob([new Uint8Array(workbook(sheets))], { type: XLSX_MIME });
}

/** A table as CSV. No text in it is run by a spreadsheet. */
export function csvOf({ rows }: Sheet): Blob {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell) : harmless(cell))));
  return new Blob([writeCsv(cells)], { type: 'text/csv' });
}

/** By place, as on the page, with how many answers were right. */
export function standings(results: Results): Sheet {
  const names = columnsOf(results).map((part) => part.title || partName(part));
  const rights = rightsOf(results);
  const percentOf = (right: number): number => Math.round((right / Math.max(1, rights.of)) * 100);
  const head = [m.run_table_rank(), m.run_table_player(), m.run_table_total(), ...names, m.run_table_right(), m.run_table_percent()];
  const rows = standingsRows(results).map(({ playerId, rank, name, total, points }) => {
    const right = rights.right(playerId);
    return [rank, name, total, ...points, right, percentOf(right)];
  });
  return { name: m.run_table_standings(), rows: [head, ...rows] };
}

/** In the order in which they were released. */
export function questions(results: Results): Sheet {
  const rows = partsOf(results).flatMap(({ number, title, questions }) => {
    return questions.map((question, at) => {
      const { right, of, given } = tally(question);
      return [number, title, at + 1, question.text, inLine(question.correctAnswer), question.points, right, given, of];
    });
  });
  const head = [
    m.run_table_round(),
    m.run_table_title(),
    m.run_table_number(),
    m.run_table_question(),
    m.run_table_key(),
    m.run_table_points(),
    m.run_table_right(),
    m.run_table_answers(),
    m.run_table_players(),
  ];
  return { name: m.run_table_questions(), rows: [head, ...rows] };
}

/** A row for each answer, by question, in order of arrival. */
export function answers(results: Results): Sheet {
  const rows = partsOf(results).flatMap((part) => {
    return part.questions.flatMap((question, at) => {
      return question.answers.map((answer) => [
        ...[part.number, part.title, at + 1, question.text, answer.displayName],
        ...[inLine(answer.answer), resultOf(question, answer), answer.points],
      ]);
    });
  });
  const head = [
    m.run_table_round(),
    m.run_table_title(),
    m.run_table_number(),
    m.run_table_question(),
    m.run_table_player(),
    m.run_table_answer(),
    m.run_table_result(),
    m.run_table_points(),
  ];
  return { name: m.run_table_answers(), rows: [head, ...rows] };
}

/** The points that the host gave by hand, in order; no table without any. */
export function byHand(results: Results): readonly Sheet[] {
  const rows = partsOf(results).flatMap(({ number, title, adjustments }) => {
    return adjustments.map(({ displayName, points, reason = '', givenBy = '' }) => [number, title, displayName, points, reason, givenBy]);
  });
  const head = [m.run_table_round(), m.run_table_title(), m.run_table_player(), m.run_table_points(), m.run_table_reason(), m.run_table_by()];
  return rows.length > 0 ? [{ name: m.run_points(), rows: [head, ...rows] }] : [];
}

/** How an answer counts, in a word; nothing for a poll or a word cloud. */
function resultOf({ type }: QuestionResults, { correct, points }: AnswerResult): string {
  if (!isMarked(type)) return '';
  if (correct) return m.everywhere_right();
  return points > 0 ? m.everywhere_part() : m.everywhere_wrong();
}

/** Several choices on one line. */
const inLine = (answer: string): string => answer.split('\n').join(', ');
