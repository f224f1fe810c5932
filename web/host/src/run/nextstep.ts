// What the host does next: in each phase exactly one step stands out, at most one more is on offer. Pure.
// Which words and which kind of button a step gets is the business of Now.svelte.

import type { HostView } from '$sdk';

import type { SheetLine } from './sheet.ts';

/** The steps a game can take. */
export type Step = 'start' | 'release' | 'end_round' | 'release_scores' | 'show_next' | 'next_round' | 'end_game';

/** What is on offer. */
export interface NextStep {
  /** The one big button; null while there is nothing to do but wait, or when the game is over. */
  readonly main: Step | null;
  /** A second, quieter way on. */
  readonly other: Step | null;
}

/** Steps that cannot be taken back: their buttons are held, not pressed. */
export const IRREVERSIBLE: ReadonlySet<Step> = new Set(['end_round', 'release_scores', 'end_game']);

const NOTHING: NextStep = { main: null, other: null };

/** How far the game is. */
export interface Progress {
  readonly roundsLeft: number;
  /** Whether the screen has shown the winner. */
  readonly endShown: boolean;
}

/** What is on offer in this view; `selected` is the question that would be released. */
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

/** A round without a question has nothing to mark, so ending it is offered only once something was asked. */
function duringQuestions(view: HostView, selected: SheetLine | null): NextStep {
  const asked = view.questions.length > 0;
  if (selected === null) return { main: 'end_round', other: null };
  return { main: 'release', other: asked ? 'end_round' : null };
}
