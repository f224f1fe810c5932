// A question with a player's answer, as it is known here and as the device stores it, and the fate of the answer. Pure; used by Answers.

import type { Question } from './generated/protocol.ts';
import { isRecord } from './storage.ts';
import type { AnswerState } from './view.ts';

/** The fate of the newest answer. */
export type Fate =
  /** Nothing to do: there is none, or it is acknowledged. */
  | { readonly is: 'settled' }
  /** It waits to be sent, or for its ack. */
  | {
      readonly is: 'wanted';
      /** Whether it was sent on an earlier connection, and may have arrived. */
      readonly astray: boolean;
      /** How many of the last messages of this connection were this answer; 0 if it was not sent on it. */
      readonly copies: number;
    }
  /** It was not stored. */
  | { readonly is: 'missed' }
  /** It is not known whether it was stored. */
  | { readonly is: 'unsure' };

/** A question with this player's answer. */
export interface Entry {
  question: Question;
  /** The round it was seen in; null when the server does not send rounds. */
  round: number | null;
  answer: string | null;
  draft: string | null;
  fate: Fate;
  /** The text that was last acknowledged; null when there is none, or it is not known here. */
  storedAnswer: string | null;
  /** Whether the server has an answer. */
  stored: boolean;
  /** The other phone of the team that gave `storedAnswer`; null when this one did. */
  by: string | null;
  /** What was stored when the draft was begun or, without one, when `answer` was submitted. */
  base: string | null;
  /** Whether any answer was sent. */
  tried: boolean;
  /** Whether it closed because its time was over, as this device saw it. */
  timedOut: boolean;
  // The following fields belong to this connection only, and are reset when the entry is read again.
  /** Released in the current round, as far as this connection has shown. */
  open: boolean;
  /** The least number of messages of this connection without an ack; in doubt one more. */
  due: number;
  /** Whether a sync ack may still be among those to come. */
  doubt: boolean;
  /** Shown with the open ones, and accepts no answers. */
  closed: boolean;
}

/** An entry as the device stores it. Pages of other versions that are open at the same time read and write these fields, too. */
interface Kept extends Omit<Entry, 'fate' | 'doubt' | 'closed'> {
  wanted: boolean;
  /** Whether this `answer` was sent, on any connection. */
  sent: boolean;
  missed: boolean;
  unsure: boolean;
}

/** The stored entries, as far as they can be read. */
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

/** No answer will be acknowledged any more. `seen`: on a connection that was open; then an answer without an ack was not stored. */
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
    timedOut: false,
    ...NOT_ON_THE_WAY,
    open: true,
    closed: false,
  };
}

/** Whether an answer that is wanted was sent, on any connection. */
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
 * Applies the answer that counts for the team. An answer that this phone sent on this connection is decided later. An earlier unsent
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
