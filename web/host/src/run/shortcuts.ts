// The keys of a running game and their actions. Pure: it interprets a key event, RunPage performs the action. A key has no meaning while
// the user types, with a modifier, in a dialog, or on a control that uses the key itself.

import type { Ability } from './abilities.ts';

/** The actions of keys. */
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

/** The kind of the focused element. */
export interface Place {
  /** A field that takes text. */
  readonly typing: boolean;
  /** Something that Space operates: a button, a link. */
  readonly operable: boolean;
  /** Something that the arrows operate: a list of options. */
  readonly options: boolean;
  readonly inDialog: boolean;
}

/** The direction in which these keys turn the screen while it shows the results of a round. */
export const TURNS: Partial<Readonly<Record<Shortcut, 1 | -1>>> = { release: 1, later: 1, slide_on: 1, earlier: -1, slide_back: -1 };

/** The part of the page that a key belongs to; null for every page. */
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

/** The action of the key here; null when it has none. */
export function shortcutOf(pressed: Pressed, place: Place): Shortcut | null {
  if (pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  if (place.typing || place.inDialog) return null;
  if (pressed.key === ' ') return place.operable ? null : 'release';
  if (pressed.key === 'ArrowRight') return place.options ? null : 'later';
  if (pressed.key === 'ArrowLeft') return place.options ? null : 'earlier';
  // The keys of a presenter's remote control.
  if (pressed.key === 'PageDown') return 'slide_on';
  if (pressed.key === 'PageUp') return 'slide_back';
  return LETTERS[pressed.key.toLowerCase()] ?? null;
}

/** The place of an event. */
export function placeOf(target: EventTarget | null): Place {
  // A click on a dialog's text removes the focus from it, but does not close the dialog.
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
