// Where the game is, in the words of the head's one line.

import { m } from '$words/language.svelte.ts';

import type { Hosting } from '../hosting.svelte.ts';
import { roundTitle } from '../sheet.ts';

/** The round, or the section of a game that goes question by question, and the question that is out. */
export function whereWords(hosting: Hosting): string {
  const { view, game, round, rounds } = hosting;
  if (view.phase === null || view.phase === 'lobby') return m.run_where_lobby({ count: rounds });
  if (view.phase === 'ended') return m.run_now_ended();
  const out = view.phase === 'question' ? view.questions.length : 0;
  if (out > 0) return m.run_where_question({ round, rounds, number: out, all: hosting.lines.length });
  const title = roundTitle(game, view);
  return title === '' ? m.run_where({ round, rounds }) : m.run_where_titled({ round, rounds, title });
}
