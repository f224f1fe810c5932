// A question with a player's answer, as it is known here and as the device keeps it, and what becomes of it. Pure; used by Answers.

import type { Question } from './generated/protocol.ts';
import { isRecord } from './storage.ts';
import type { AnswerState } from './view.ts';

/** What has become of the newest answer. */
export type Fate =
  /** Nothing is to be done: there is none, or it is acknowledged. */
  | { readonly is: 'settled' }
  /** It waits to be sent, or for its ack. */
  | {
      readonly is: 'wanted';
      /** Sent on a connection before, and may have arrived. */
      readonly astray: boolean;
      /** How many of the last messages of this connection were this answer; 0 while it was not sent on it. */
      readonly copies: number;
    }
  /** It did not get in. */
  | { readonly is: 'missed' }
  /** Whether it got in is not known. */
  | { readonly is: 'unsure' };

/** A question with this player's answer. */
export interface Entry {
  question: Question;
  /** The round it was seen in; null when the server does not send rounds. */
  round: number | null;
  answer: string | null;
  draft: string | null;
  fate: Fate;
  /** The text that was acknowledged last; null when none, or when it is not known here. */
  storedAnswer: string | null;
  /** Whether the server has an answer. */
  stored: boolean;
  /** The other phone of the team that gave `storedAnswer`; null when this one did. */
  by: string | null;
  /** What was stored when the draft was begun or, without one, when `answer` was submitted. */
  base: string | null;
  /** Some answer was sent. */
  tried: boolean;
  // From here on: of this connection only, and void when it is read again.
  /** Released in the current round, as far as this connection has said. */
  open: boolean;
  /** Messages of this connection without an ack, at least; in doubt one more. */
  due: number;
  /** A sync ack may still be among those to come. */
  doubt: boolean;
  /** Its time is over: shown with the open ones, and takes no answers. */
  closed: boolean;
}

/** An entry as the device keeps it. Pages of every version that may be open beside this one read and write these fields. */
interface Kept extends Omit<Entry, 'fate' | 'doubt' | 'closed'> {
  wanted: boolean;
  /** This `answer` was sent, on whichever connection. */
  sent: boolean;
  missed: boolean;
  unsure: boolean;
}

/** What was stored, as far as it can be read. */
export function entriesOf(stored: Record<string, unknown>): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [id, kept] of Object.entries(stored)) {
    const question = isRecord(kept) ? kept.question : null;
    if (isRecord(kept) && isRecord(question) && question.id === id) entries.set(id, entryOf(kept as Partial<Kept> & { question: Question }));
  }
  return entries;
}

function entryOf({ wanted, sent, missed, unsure, ...kept }: Partial<Kept> & { question: Question }): Entry {
  const entry: Entry = { ...fresh(kept.question, null), ...kept };
  for (const text of ['answer', 'draft', 'storedAnswer', 'by', 'base'] as const) {
    if (typeof entry[text] !== 'string') entry[text] = null;
  }
  if (wanted) entry.fate = { is: 'wanted', astray: sent === true, copies: 0 };
  else if (missed) entry.fate = { is: 'missed' };
  else if (unsure) entry.fate = { is: 'unsure' };
  return entry;
}

export function keptOf({ fate, doubt: _, closed: __, ...entry }: Entry): Kept {
  const { is } = fate;
  return { ...entry, wanted: is === 'wanted', sent: wasSent(fate), missed: is === 'missed', unsure: is === 'unsure' };
}

/** Nothing is acknowledged any more. `seen`: on a connection that stood; then what has no ack did not get in. */
export function giveUp(entry: Entry, seen: boolean): void {
  const { fate, doubt } = entry;
  if (fate.is !== 'wanted') return;
  const isCertain = !wasSent(fate) || (seen && !fate.astray && !doubt);
  entry.fate = { is: isCertain ? 'missed' : 'unsure' };
}

export const NOT_ON_THE_WAY = { due: 0, doubt: false } as const;

export function fresh(question: Question, round: number | null): Entry {
  return {
    question,
    round,
    answer: null,
    draft: null,
    fate: { is: 'settled' },
    storedAnswer: null,
    stored: false,
    by: null,
    base: null,
    tried: false,
    ...NOT_ON_THE_WAY,
    open: true,
    closed: false,
  };
}

/** Whether an answer that is wanted was sent, on whichever connection. */
export const wasSent = (fate: Fate): boolean => fate.is === 'wanted' && (fate.astray || fate.copies > 0);

export function stateOf({ fate, stored }: Entry): AnswerState {
  if (fate.is === 'wanted') return stored ? 'changing' : 'sending';
  return stored ? 'stored' : 'none';
}

/** An answer that counts for a team; `by` is the other phone that gave it, null for this one. */
export interface Counts {
  readonly answer: string;
  readonly by: string | null;
}

/**
 * Takes in the answer that counts for the team. An answer that this phone sent on this connection is decided later. An earlier unsent
 * answer is sent if the team's answer is still the one that it was to replace. If another phone has answered since, it becomes a draft,
 * and the player has both.
 * `isSync`: with the first messages of a connection.
 */
export function adopt(entry: Entry, { answer, by }: Counts, isSync: boolean): void {
  const { fate } = entry;
  const { is } = fate;
  const isMine = by === null && answer === entry.answer;
  if (fate.is === 'wanted' && fate.copies > 0 && !isSync) return;
  Object.assign(entry, { storedAnswer: answer, stored: true, by });
  if (is === 'wanted' && !isMine && (by === null || answer === entry.base)) return;
  if (is === 'unsure' || is === 'missed') {
    if (is === 'unsure') entry.fate = { is: isMine ? 'settled' : 'missed' };
    if (by === null || !entry.open || entry.closed) return;
  }
  if (is !== 'settled' && !isMine) entry.draft ??= entry.answer;
  Object.assign(entry, { answer, fate: { is: 'settled' } });
  if (entry.draft?.trim() === answer.trim()) entry.draft = null;
}

/** Whether the draft was begun before another phone of the team gave the answer that counts. */
export function isOvertaken({ draft, by, base, storedAnswer }: Entry): boolean {
  return draft !== null && by !== null && storedAnswer !== base;
}
