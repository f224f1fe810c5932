// The quiz of which a game is to be started. Said by the pages that have a Play button, to StartGame.svelte.

import type { Game } from '$sdk';

export interface Played {
  /** Of a quiz that only this device has, the id of its draft. */
  readonly quizId: string;
  readonly title: string;
  /** The game before it in the same room: its players, screens and options come along. */
  readonly follows?: Game | undefined;
  /** The teams on paper of that game, where the page knows them: they come along too. */
  readonly onPaper?: readonly string[] | undefined;
}
