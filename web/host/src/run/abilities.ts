// The users who can run a game on this page, and the parts of the page for each: the one table that the components use. The server decides
// by its own rules, and closes the socket of a role that sends more. Pure.

import type { CoHostRole } from '$sdk';

/** The account of the game, or a co-host of this role. */
export type RunBy = 'account' | CoHostRole;

/** A part of the page of a game. */
export type Ability =
  /** Steps, timers, breaks, tie-breaks, questions, slides and screens. */
  | 'steps'
  /** The desk, while answers arrive and in the review; appeals and corrections. */
  | 'marks'
  /** Lock, code and link; renaming, removing and moving players. */
  | 'room'
  /** Co-hosts, the next game and the results. */
  | 'account';

const ABILITIES: Readonly<Record<RunBy, readonly Ability[]>> = {
  account: ['steps', 'marks', 'room', 'account'],
  host: ['steps', 'marks', 'room'],
  marker: ['marks'],
  moderator: ['room'],
};

/** Whether a part of the page is for this user. */
export function may(by: RunBy, ability: Ability): boolean {
  return ABILITIES[by].includes(ability);
}
