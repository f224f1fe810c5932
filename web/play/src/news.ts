// What is new in a view and worth saying aloud, as sentences for screen readers. Used by the session.

import type { PlayerQuestion, PlayerView } from '$sdk';
import { m } from '$words/language.svelte.ts';

import { hostLeft, newlyStored, newQuestion } from './changes.ts';

/** What to say, and the question to point at. */
export interface News {
  readonly question: PlayerQuestion | null;
  readonly sentence: string;
}

/** The most important news; null when there is none. */
export function newsIn(before: PlayerView | null, now: PlayerView): News | null {
  const question = newQuestion(before, now);
  if (question) {
    return { question, sentence: m.play_new_question({ number: question.number, text: question.question.text }) };
  }
  const stored = newlyStored(before, now);
  if (stored) return { question: null, sentence: m.play_said_stored({ number: stored.number }) };
  return hostLeft(before, now) ? { question: null, sentence: m.play_host_away() } : null;
}
