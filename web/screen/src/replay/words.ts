// What a moment of a replay is called.

import { m } from '$words/language.svelte.ts';

import type { Label } from './course.ts';

/** The name of a moment's part of the game. */
export function labelWords({ kind, round, question }: Label): string {
  return [whereWords(kind, round, question), kindWords(kind)].filter(Boolean).join(' · ');
}

/** Empty before and after the rounds. */
function whereWords(kind: Label['kind'], round: number, question: number): string {
  if (round === 0 || kind === 'podium' || kind === 'winner') return '';
  return question > 0 ? m.results_replay_question({ round, number: question }) : m.results_replay_round({ round });
}

/** Empty where the round or the question says it. */
function kindWords(kind: Label['kind']): string {
  switch (kind) {
    case 'lobby':
      return m.results_replay_lobby();
    case 'round':
    case 'question':
      return '';
    case 'marking':
      return m.results_replay_marking();
    case 'tally':
      return m.everywhere_tally();
    case 'answer':
      return m.screen_answer();
    case 'standings':
      return m.run_board_title();
    case 'next':
      return m.screen_coming();
    case 'podium':
    case 'winner':
      return m.results_replay_podium();
    case 'tie_break':
      return m.everywhere_tie();
    case 'break':
      return m.everywhere_break();
    case 'blank':
      return m.results_replay_dark();
  }
}
