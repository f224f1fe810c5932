// Announces the changes of a view that matter, as sentences for screen readers. Used by the session.

import type { PlayerQuestion, PlayerView } from '$sdk';
import { count, m } from '$words/language.svelte.ts';

import {
  hostLeft,
  newBreak,
  newlyClosed,
  newlyRevealed,
  newlyShared,
  newlyStored,
  newQuestions,
  newStandings,
  newTally,
  newTieBreak,
} from './changes.ts';
import { placeOf } from './place.ts';
import { onOneLine, shownNumber, standingOf } from './standing.ts';
import { verdictOf } from './tally.ts';
import { phoneName } from './team.ts';

/** The sentence to announce, and the questions to point at. */
export interface Announcement {
  readonly questions: readonly PlayerQuestion[];
  readonly sentence: string;
}

/** The announcement of all changes, the most important first; null when nothing has changed. */
export function announcementOf(before: PlayerView | null, now: PlayerView): Announcement | null {
  const questions = newQuestions(before, now);
  const sentence = [...ofQuestions(before, now, questions), ...ofTheRoom(before, now)].join(' ');
  return sentence === '' ? null : { questions, sentence };
}

function ofQuestions(before: PlayerView | null, now: PlayerView, questions: readonly PlayerQuestion[]): string[] {
  const numberOf = ({ number }: PlayerQuestion) => shownNumber(now.round, number);
  const said = newlyClosed(before, now).map((each) => closed(each, numberOf(each)));
  const newest = questions.at(-1);
  const stored = newlyStored(before, now);
  const shared = newlyShared(before, now);
  if (newest) said.push(m.play_new_question({ number: numberOf(newest), text: newest.question.text }));
  if (stored) said.push(standingOf(stored, true) === 'words' ? inWords(stored, numberOf(stored)) : m.play_said_stored({ number: numberOf(stored) }));
  else if (shared && now.team && shared.by !== null) {
    const name = phoneName(now.team, shared.by);
    said.push(m.play_team_said({ number: numberOf(shared), name, answer: onOneLine(shared.storedAnswer ?? '') }));
  }
  return said;
}

function closed({ timedOut }: PlayerQuestion, number: number): string {
  return `${m.everywhere_question({ number })}: ${timedOut ? m.everywhere_time_over() : m.play_state_closed()}.`;
}

function inWords({ storedAnswer }: PlayerQuestion, number: number): string {
  return `${m.everywhere_question({ number })}: ${m.play_state_words({ answer: storedAnswer ?? '' })}`;
}

function ofTheRoom(before: PlayerView | null, now: PlayerView): string[] {
  const said = newlyRevealed(before, now).map((answer) => revealed(answer, now));
  const pause = newBreak(before, now);
  const tie = newTieBreak(before, now);
  if (newTally(before, now)) said.push(m.play_tally_shown());
  if (pause === 'begun') said.push(`${m.everywhere_break()}. ${now.pause?.text ?? ''}`);
  if (pause === 'over') said.push(m.play_said_break_over());
  if (tie) said.push(tieBreak(tie, now));
  said.push(...standings(before, now));
  if (hostLeft(before, now)) said.push(m.play_host_away());
  return said;
}

function revealed({ questionId, correctAnswer, explanation = '' }: PlayerView['revealed'][number], now: PlayerView): string {
  const text = now.asked.find(({ id }) => id === questionId)?.text ?? '';
  const right = correctAnswer === '' ? '' : `${m.everywhere_right_answer()} ${onOneLine(correctAnswer)}.`;
  return [text, right, explanation].filter((part) => part !== '').join(' ');
}

function tieBreak({ text, number, players }: PlayerView['tieBreaks'][number], now: PlayerView): string {
  const isAsked = players.some(({ playerId }) => playerId === now.me.playerId);
  const next = number !== undefined ? m.everywhere_tie_answer({ answer: String(number) }) : isAsked ? m.play_tie_about() : m.play_tie_others();
  return `${m.everywhere_tie()}. ${number === undefined && !isAsked ? '' : text} ${next}`;
}

function standings(before: PlayerView | null, now: PlayerView): string[] {
  const is = newStandings(before, now);
  if (is === null) return [];
  if (is === 'points') return [now.round?.section ? ownResult(now) : `${m.play_held_title()}. ${m.play_next_host()}`];
  const place = placeOf(now.board, now.me.playerId, now.boardTotal);
  return [place ? m.play_said_place({ rank: place.rank, total: count(place.of) }) : m.play_board()];
}

const VERDICTS = { right: m.everywhere_right, part: m.everywhere_part, wrong: m.everywhere_wrong, none: m.play_over_none, unmarked: m.play_unmarked };

/** The result of the only question of a round. */
function ownResult({ outcome }: PlayerView): string {
  const [result] = outcome?.results ?? [];
  if (!result) return m.play_held_title();
  const { points } = result;
  return `${VERDICTS[verdictOf(result)]()}: ${m.everywhere_points({ count: points, points: count(points) })}.`;
}
