// What is new in a view and worth saying aloud, as sentences for screen readers. Used by the session.

import type { PlayerQuestion, PlayerView } from '$sdk';
import { m } from '$words/language.svelte.ts';

import { hostLeft, newlyShared, newlyStored, newQuestions, newTally } from './changes.ts';
import { onOneLine } from './standing.ts';
import { phoneName } from './team.ts';

/** What to say, and the questions to point at. */
export interface Announcement {
  readonly questions: readonly PlayerQuestion[];
  readonly sentence: string;
}

/** The most important change; null when there is none. */
export function announcementOf(before: PlayerView | null, now: PlayerView): Announcement | null {
  const questions = newQuestions(before, now);
  const newest = questions.at(-1);
  if (newest) {
    return { questions, sentence: m.play_new_question({ number: newest.number, text: newest.question.text }) };
  }
  const stored = newlyStored(before, now);
  if (stored) return { questions, sentence: m.play_said_stored({ number: stored.number }) };
  const shared = newlyShared(before, now);
  if (shared && now.team && shared.by !== null) {
    const name = phoneName(now.team, shared.by);
    return { questions, sentence: m.play_team_said({ number: shared.number, name, answer: onOneLine(shared.storedAnswer ?? '') }) };
  }
  if (newTally(before, now)) return { questions, sentence: m.play_tally_shown() };
  return hostLeft(before, now) ? { questions, sentence: m.play_host_away() } : null;
}
