// The results of a game as a spreadsheet: the standings with the points of each round, the questions, and every answer.
// Loaded when the host asks for the file. Pure but for the words.

import { type Results, standingsOf } from '$sdk';
import * as m from '$words/generated/messages.js';

import { XLSX_MIME } from '../formats/kinds.ts';
import { type Sheet, workbook } from '../formats/xlsx.ts';
import { tally } from './tally.ts';

/** The file. */
export function resultsWorkbook(results: Results): Blob {
  const sheets = [standings(results), questions(results), answers(results)];
  return new Blob([new Uint8Array(workbook(sheets))], { type: XLSX_MIME });
}

/** By place, as on the page. */
export function standings(results: Results): Sheet {
  const { rounds } = results;
  const points = rounds.map(({ questions }) => {
    const byPlayer = new Map<string, number>();
    for (const { playerId, points } of questions.flatMap(({ answers }) => answers)) {
      byPlayer.set(playerId, (byPlayer.get(playerId) ?? 0) + points);
    }
    return byPlayer;
  });
  const names = rounds.map((_, at) => m.run_results_round({ round: at + 1 }));
  const rows = standingsOf(results).map(({ rank, displayName, score, playerId }) => {
    return [rank, displayName, score, ...points.map((byPlayer) => byPlayer.get(playerId) ?? 0)];
  });
  const head = [m.run_table_rank(), m.run_table_player(), m.run_table_total(), ...names];
  return { name: m.run_table_standings(), rows: [head, ...rows] };
}

/** In the order in which they were released. */
export function questions({ rounds }: Results): Sheet {
  const rows = rounds.flatMap(({ title, questions }, at) => {
    return questions.map((question, number) => {
      const { right, of, given } = tally(question);
      return [at + 1, title, number + 1, question.text, question.correctAnswer, question.points, right, given, of];
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
export function answers({ rounds }: Results): Sheet {
  const rows = rounds.flatMap(({ questions }, at) => {
    return questions.flatMap(({ text, answers }, number) => {
      return answers.map(({ displayName, answer, points }) => [at + 1, number + 1, text, displayName, answer, points]);
    });
  });
  const head = [
    m.run_table_round(),
    m.run_table_number(),
    m.run_table_question(),
    m.run_table_player(),
    m.run_table_answer(),
    m.run_table_points(),
  ];
  return { name: m.run_table_answers(), rows: [head, ...rows] };
}
