// The steps that the server does not state (`view.step`): those of a game that the host ends before its last round, which the server would
// play on; and what phones get with the scores. Pure. Stepping takes them, and stepwords.ts has the words of all steps.

import type { HostView, Slide, StepUpdate } from '$sdk';

/** What a step does. */
export type StepName = StepUpdate['step'];

/** How far the screen has gone. */
export interface Progress {
  /** Whether a screen or a spectator watches; null until that is known. */
  readonly watched: boolean | null;
  /** The picture after the one that is shown. */
  readonly slide: Slide | undefined;
}

/** The step after the scores of the round that the host made the last one; null while it is unknown. `next` does not take it: its number is 0. */
export function finishOf(view: Pick<HostView, 'standingsHeld'>, { watched, slide }: Progress): StepUpdate | null {
  if (watched === null) return null;
  if (watched && slide) return { number: 0, step: 'show', slide };
  return { number: 0, step: !watched && view.standingsHeld ? 'show_standings' : 'end_game' };
}

/** What the host can know before the scores are released. */
export interface Release {
  readonly phonesAfterScreen: boolean;
  readonly isByQuestion: boolean;
  /** Whether no round follows, and whether that is so because the host finishes early. */
  readonly isLast: boolean;
  readonly isFinishing: boolean;
  readonly watched: boolean | null;
}

/**
 * What phones get when the scores are released, until a later step shows the rest: nothing, their points, or all. Without a screen it is
 * the host who shows it ("alone"), and the last round's standings are held back only where the host finishes early.
 */
export function releaseOf({ phonesAfterScreen, isByQuestion, isLast, isFinishing, watched }: Release) {
  const isAlone = watched === false;
  if (phonesAfterScreen) return isAlone ? 'nothing_alone' : 'nothing';
  if (isByQuestion) return 'points';
  if (!isLast) return 'all';
  if (!isAlone) return 'points_last';
  return isFinishing ? 'points_alone' : 'all';
}
