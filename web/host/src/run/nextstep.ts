// The host's next step: each phase has exactly one main step and at most one more. Pure. Now.svelte chooses the words and the kind of
// button for a step.

import type { HostView } from '$sdk';

import type { SheetLine } from './sheet.ts';

/** The steps a game can take. */
export type Step = 'start' | 'release' | 'end_round' | 'release_scores' | 'show_next' | 'next_round' | 'end_game';

/** The steps that are offered. */
export interface NextStep {
  /** The main step; null while the host can only wait, or when the game is over. */
  readonly main: Step | null;
  /** The second, less prominent step. */
  readonly other: Step | null;
}

/** Steps that cannot be undone: their buttons are held, not pressed. */
export const IRREVERSIBLE: ReadonlySet<Step> = new Set(['end_round', 'release_scores', 'end_game']);

const NOTHING: NextStep = { main: null, other: null };

/** The progress of the game. */
export interface Progress {
  readonly roundsLeft: number;
  /** Whether the screen has shown the winner. */
  readonly endShown: boolean;
}

/** The steps that are offered in this view; `selected` is the question that would be released. */
export function nextStep(view: HostView, selected: SheetLine | null, { roundsLeft, endShown }: Progress): NextStep {
  switch (view.phase) {
    case 'lobby':
      return { main: 'start', other: null };
    case 'question':
      return duringQuestions(view, selected);
    case 'round_review':
      return { main: 'release_scores', other: null };
    case 'leaderboard':
      if (roundsLeft > 0) return { main: 'next_round', other: 'end_game' };
      return endShown ? { main: 'end_game', other: null } : { main: 'show_next', other: 'end_game' };
    case 'ended':
    case null:
      return NOTHING;
  }
}

/** Whether a step can be taken now, from a key as well as from its button. */
export function offers(offered: NextStep, step: Step): boolean {
  return offered.main === step || offered.other === step;
}

/** A round without a released question has nothing to mark, so ending it is offered only after the first release. */
function duringQuestions(view: HostView, selected: SheetLine | null): NextStep {
  const asked = view.questions.length > 0;
  if (selected === null) return { main: 'end_round', other: null };
  return { main: 'release', other: asked ? 'end_round' : null };
}
