// The keys of a running game and their actions. Pure: it interprets a key event, RunPage performs the action. A key has no meaning while
// the user types, with a modifier, in a dialog, or on a control that uses the key itself.

import type { Ability } from './abilities.ts';

/** The actions of keys. */
export type Shortcut =
  'next' | 'forward' | 'back' | 'later' | 'earlier' | 'standings' | 'reveal' | 'close' | 'marking' | 'more_time' | 'pause' | 'lock' | 'code' | 'blank' | 'help';

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
  /** Something that Space or Enter operates: a button, a link. */
  readonly operable: boolean;
  /** A row of the marking desk, which Enter opens and Space leaves as it is. */
  readonly row: boolean;
  /** Something that the arrows operate: a list of options. */
  readonly options: boolean;
  readonly inDialog: boolean;
}

/** The direction in which these keys turn the screen while nothing but the screen is left to do. */
export const TURNS: Partial<Readonly<Record<Shortcut, 1 | -1>>> = { next: 1, forward: 1, back: -1 };

/** The part of the page that a key belongs to; null for every page. */
export const ABILITY_OF: Readonly<Record<Shortcut, Ability | null>> = {
  next: 'steps',
  forward: 'steps',
  back: 'steps',
  later: 'steps',
  earlier: 'steps',
  standings: 'steps',
  reveal: 'steps',
  close: 'steps',
  marking: 'marks',
  more_time: 'steps',
  pause: 'steps',
  lock: 'room',
  code: 'room',
  blank: 'steps',
  help: null,
};

const LETTERS: Readonly<Record<string, Shortcut>> = {
  s: 'standings',
  r: 'reveal',
  c: 'close',
  m: 'marking',
  '+': 'more_time',
  p: 'pause',
  l: 'lock',
  f: 'code',
  b: 'blank',
  '?': 'help',
};

const ARROWS: Readonly<Record<string, Shortcut>> = { ArrowRight: 'forward', ArrowLeft: 'back', ArrowDown: 'later', ArrowUp: 'earlier' };

/** The action of the key here; null when it has none. */
export function shortcutOf(pressed: Pressed, place: Place): Shortcut | null {
  if (pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  if (place.typing || place.inDialog) return null;
  if (pressed.key === ' ') return place.operable && !place.row ? null : 'next';
  if (pressed.key === 'Enter') return place.operable ? null : 'next';
  const arrow = ARROWS[pressed.key];
  if (arrow) return place.options ? null : arrow;
  // The keys of a presenter's remote control.
  if (pressed.key === 'PageDown') return 'next';
  if (pressed.key === 'PageUp') return 'back';
  return LETTERS[pressed.key.toLowerCase()] ?? null;
}

/** The place of an event; `pointed` is a control that was last used with a pointer: its focus is an accident, and its keys are free. */
export function placeOf(target: EventTarget | null, pointed: Element | null = null): Place {
  // A click on a dialog's text removes the focus from it, but does not close the dialog.
  const inDialog = document.querySelector('dialog[open]') !== null;
  if (!(target instanceof Element)) return { typing: false, operable: false, row: false, options: false, inDialog };
  const control = target.closest('button, a, summary, input[type=checkbox]');
  return {
    typing: target.closest('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') !== null,
    // The questions to come are radio buttons: Space, which would do nothing there, asks the one that is chosen.
    operable: control !== null && control !== pointed,
    row: target.closest('[data-row]') !== null,
    options: target.closest('input[type=radio], [role=tab], [role=menu]') !== null,
    inDialog,
  };
}
