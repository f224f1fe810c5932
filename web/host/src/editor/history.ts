// Undo and redo: every earlier document, with the place of the change. Pure. Uninterrupted typing into one field is one step.
// Used by editor.svelte.ts, which says which changes belong together.

import type { QuizDocument } from './document.ts';

/** A document with the thing that was open. */
export interface Moment {
  readonly document: QuizDocument;
  /** Key of the open question or round; null when none was open. */
  readonly open: string | null;
}

/** The present, earlier and undone documents. */
export interface History {
  readonly now: Moment;
  readonly past: readonly Moment[];
  readonly future: readonly Moment[];
  /** The field that the last step typed into, and when; null when the next change is a step of its own. */
  readonly typing: { readonly field: string; readonly at: number } | null;
}

/** The most steps that are kept. */
export const MOST_STEPS = 300;
/** A pause longer than this (ms) ends a step of typing. */
export const PAUSE = 1_500;

/** A history that begins here. */
export const begin = (document: QuizDocument): History => ({
  now: { document, open: null },
  past: [],
  future: [],
  typing: null,
});

/** A change. `field` names the field that is typed into, or is null for a change that is a step of its own. */
export function change(history: History, next: Moment, field: string | null, at: number): History {
  if (next.document === history.now.document) return opened(history, next.open);
  const { typing } = history;
  const goesOn = field !== null && typing?.field === field && at - typing.at <= PAUSE && history.past.length > 0;
  const past = goesOn ? history.past : [...history.past, history.now].slice(-MOST_STEPS);
  return { now: next, past, future: [], typing: field === null ? null : { field, at } };
}

/** Another thing is opened; nothing changed. */
export function opened(history: History, open: string | null): History {
  if (history.now.open === open) return history;
  return { ...history, now: { ...history.now, open }, typing: null };
}

/** One step back; the same history when there is none. */
export function undo(history: History): History {
  const before = history.past.at(-1);
  if (!before) return history;
  return { now: before, past: history.past.slice(0, -1), future: [history.now, ...history.future], typing: null };
}

/** One step forward again. */
export function redo(history: History): History {
  const [after, ...future] = history.future;
  if (!after) return history;
  return { now: after, past: [...history.past, history.now], future, typing: null };
}
