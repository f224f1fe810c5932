// Which key does what while a game is run. Pure: says what a key event means, RunPage does it.
// A key means nothing while one types, with a modifier, in a dialog, or on a control that uses the key itself.

import type { Ability } from './abilities.ts';

/** What a key asks for. */
export type Shortcut =
  'release' | 'later' | 'earlier' | 'slide_on' | 'slide_back' | 'end_round' | 'release_scores' | 'next_round' | 'lock' | 'code' | 'help';

/** The parts of a KeyboardEvent that matter. */
export interface Pressed {
  readonly key: string;
  readonly repeat: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Where the focus is. */
export interface Place {
  /** A field that takes text. */
  readonly typing: boolean;
  /** Something that Space operates: a button, a link. */
  readonly operable: boolean;
  /** Something that the arrows operate: a list of options. */
  readonly options: boolean;
  readonly inDialog: boolean;
}

/** Which way these turn the screen while it shows what came of a round. */
export const TURNS: Partial<Readonly<Record<Shortcut, 1 | -1>>> = { release: 1, later: 1, slide_on: 1, earlier: -1, slide_back: -1 };

/** Which part of the page a key belongs to; null for every page. */
export const ABILITY_OF: Readonly<Record<Shortcut, Ability | null>> = {
  release: 'steps',
  later: 'steps',
  earlier: 'steps',
  slide_on: 'steps',
  slide_back: 'steps',
  end_round: 'steps',
  release_scores: 'steps',
  next_round: 'steps',
  lock: 'room',
  code: 'room',
  help: null,
};

const LETTERS: Readonly<Record<string, Shortcut>> = {
  e: 'end_round',
  r: 'release_scores',
  n: 'next_round',
  l: 'lock',
  f: 'code',
  '?': 'help',
};

/** What the key means here; null when nothing. */
export function shortcutOf(pressed: Pressed, place: Place): Shortcut | null {
  if (pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  if (place.typing || place.inDialog) return null;
  if (pressed.key === ' ') return place.operable ? null : 'release';
  if (pressed.key === 'ArrowRight') return place.options ? null : 'later';
  if (pressed.key === 'ArrowLeft') return place.options ? null : 'earlier';
  // What a presenter's remote control sends.
  if (pressed.key === 'PageDown') return 'slide_on';
  if (pressed.key === 'PageUp') return 'slide_back';
  return LETTERS[pressed.key.toLowerCase()] ?? null;
}

/** Where an event happened. */
export function placeOf(target: EventTarget | null): Place {
  // A click on a dialog's text takes the focus out of it, not the dialog away.
  const inDialog = document.querySelector('dialog[open]') !== null;
  if (!(target instanceof Element)) return { typing: false, operable: false, options: false, inDialog };
  return {
    typing: target.closest('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') !== null,
    // The questions to come are radio buttons: Space, which would do nothing there, releases the one that is chosen.
    operable: target.closest('button, a, summary, input[type=checkbox]') !== null,
    options: target.closest('input[type=radio], [role=tab], [role=menu]') !== null,
    inDialog,
  };
}
