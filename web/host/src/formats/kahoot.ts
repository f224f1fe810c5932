// The report that Kahoot gives after a game: a row for each answer of each player, from which each question is read once. Kahoot's template
// for importing quizzes is one of the tables in tables.ts. Used by formats.ts.

import type { TableRow } from '$sdk/quizcsv.ts';

import type { Layout } from './tables.ts';

/** The questions of a report as a table; the players and their answers are left out. */
export function reportTable(layout: Layout): Layout {
  const { roles, ...columns } = layout.columns;
  const number = roles.get('number') ?? -1;
  const question = roles.get('question') ?? -1;
  const seen = new Set<string>();
  const rows = layout.rows.flatMap((row) => {
    const asked = `${row.cells[number] ?? ''}\n${row.cells[question] ?? ''}`;
    if (seen.has(asked)) return [];
    seen.add(asked);
    return [withType(row, number)];
  });
  return { ...layout, rows, columns: { ...columns, roles: new Map(roles).set('type', number), unknown: [] } };
}

/** `3 Quiz`: the number of the question, and its kind. */
function withType(row: TableRow, column: number): TableRow {
  return { ...row, cells: row.cells.map((cell, at) => (at === column ? cell.replace(/^\s*\d+\s*/, '') : cell)) };
}
