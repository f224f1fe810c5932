// The next step of the game, as the server states it over `quizhall.v1`, and as it is in a game whose server is of an earlier version and
// states none. Pure. Stepping takes it, and stepwords.ts has its words.

import type { HostView, Slide as SentSlide } from '$sdk';

/** What a step does. */
export type StepName =
  | 'start_game'
  | 'release_question'
  | 'close_question'
  | 'end_round'
  | 'reveal_answer'
  | 'show'
  | 'release_scores'
  | 'show_standings'
  | 'start_next_round'
  | 'end_game'
  | 'none';

/** The step that comes next. */
export interface StepState {
  /** Grows with each step, so that one step is not taken twice. */
  readonly number: number;
  readonly step: StepName;
  /** The question to ask, to close, or whose answer comes. */
  readonly questionId?: string;
  /** The next picture of the screens. */
  readonly slide?: SentSlide;
  /** What the step would better wait for; it can be taken all the same. */
  readonly waitsFor?: { readonly reason: 'marking' | 'answers'; readonly count: number };
}

/** What the server states; null from a server that states no step. */
export function statedStep(view: HostView): StepState | null {
  return 'step' in view ? (view.step as StepState | null) : null;
}

/** What the step depends on besides the view, where the server does not state it. */
export interface Progress {
  /** The first question of the round that has not been asked. */
  readonly coming: string | null;
  /** Whether no round follows. */
  readonly isLast: boolean;
  /** Whether a screen or a spectator watches; null until that is known. */
  readonly watched: boolean | null;
  /** The picture after the one that is shown. */
  readonly slide: SentSlide | undefined;
  /** Whether the screen has shown how the game ends. */
  readonly endShown: boolean;
}

/** The step of a game whose server states none; null while it is unknown. Such a server plays by rounds only. */
export function stepOf(view: HostView, progress: Progress): StepState | null {
  const name = nameOf(view, progress);
  if (name === null) return null;
  const { coming, slide } = progress;
  return { number: 0, step: name, ...(name === 'release_question' && coming && { questionId: coming }), ...(name === 'show' && slide && { slide }) };
}

function nameOf(view: HostView, { coming, ...after }: Progress): StepName | null {
  switch (view.phase) {
    case 'lobby':
      return 'start_game';
    case 'question':
      return coming === null ? 'end_round' : 'release_question';
    case 'round_review':
      return 'release_scores';
    case 'leaderboard':
      return afterScores(view, after);
    case 'ended':
      return 'none';
    case null:
      return null;
  }
}

function afterScores(view: HostView, { isLast, watched, slide, endShown }: Omit<Progress, 'coming'>): StepName | null {
  if (watched === null) return null;
  if (watched && slide && !endShown) return 'show';
  if (!watched && view.standingsHeld) return 'show_standings';
  return isLast ? 'end_game' : 'start_next_round';
}
