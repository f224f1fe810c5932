// What the overlay says of a picture: for stream software, a plate at one edge has room for a sentence and some rows. Pure but for the
// words.

import { typedAddress } from '$ui/parts/address.ts';
import { comingWords } from '$ui/parts/coming.ts';
import { count, m } from '$words/language.svelte.ts';

import type { ScreenRound, ScreenShow, ScreenTally, ScreenTimer, ScreenView } from './view.ts';

/** A row: a choice, a player, an answer with its count. */
export interface Row {
  readonly mark?: string;
  readonly text: string;
  readonly value?: string;
  readonly isRight?: boolean;
}

/** The contents of the plate. */
export interface Content {
  /** The author's words, or the page's. */
  readonly title: string;
  /** In large letters on the colour of the lamp: the right answer, the winner. */
  readonly plate?: string;
  /** The code of the game, where players can join with it. */
  readonly code?: string;
  readonly rows?: readonly Row[];
  readonly note?: string;
  readonly clock?: { readonly timer: ScreenTimer; readonly label: string } | null;
}

/** The content for a picture. */
export function contentOf(view: ScreenView): Content {
  const step = view.step && { timer: view.step.timer, label: comingWords(view.step.next, view.round?.section !== undefined) };
  if (view.pause) return { title: m.everywhere_break(), note: view.pause.text, clock: { timer: view.pause.timer, label: m.everywhere_break() } };
  if (view.tally) return { ...tallied(view.tally), clock: step };
  if (view.phase === 'lobby') return lobby(view);
  if (view.phase === 'question') return { clock: step, ...asked(view) };
  if (!view.show) return { title: m.screen_marking(), clock: step };
  return { ...shown(view.show), clock: step };
}

function lobby({ title, locked, joinUrl, gameCode, playerTotal, teams }: ScreenView): Content {
  const here = playerTotal === 0 ? m.screen_empty() : (teams ? m.screen_here_teams : m.screen_here)({ count: playerTotal });
  if (locked) return { title, note: `${m.screen_locked()} · ${here}` };
  return { title, code: gameCode, note: `${m.screen_join_at()} ${typedAddress(joinUrl)} · ${here}` };
}

function asked({ questions, timer, title, round }: ScreenView): Content {
  const newest = questions.at(-1);
  if (!newest) return { title: nameOf(round, title), note: round?.section ? placeIn(round.section) : m.screen_round_soon() };
  const own = newest.timer && { timer: newest.timer, label: m.everywhere_question_time() };
  const clock = newest.closed ? null : (own ?? (timer && { timer, label: m.everywhere_round_time() }));
  const rows = newest.choices.map((text, at) => ({ mark: letter(at), text }));
  const answered = m.everywhere_answered({ answered: newest.answered, count: newest.of });
  return { title: newest.text, rows, note: newest.closed ? `${m.screen_closed()} · ${answered}` : answered, ...(clock && { clock }) };
}

function shown(show: ScreenShow): Content {
  switch (show.kind) {
    case 'question':
      return show.tally ? tallied(show.tally) : answer(show);
    case 'standings':
      return {
        title: m.screen_board(),
        rows: show.rows.map(({ rank, displayName, score }) => ({ mark: count(rank), text: displayName, value: count(score) })),
      };
    case 'next':
      return {
        title: nameOf(show, m.screen_round({ number: show.number, of: show.of })),
        note: [m.screen_coming(), ...(show.section ? [placeIn(show.section)] : [])].join(' · '),
      };
    case 'podium':
      return { title: m.screen_board(), rows: show.places.map(({ rank, score, names }) => ({ mark: count(rank), text: namesOf(names), value: count(score) })) };
    case 'winner':
      return { title: m.screen_winner({ count: show.place.names.length }), plate: namesOf(show.place.names) };
    case 'tie_break':
      return {
        title: `${m.everywhere_tie()}: ${show.text}`,
        rows: show.players.map(({ displayName, number }) => ({ text: displayName, ...(number !== undefined && { value: String(number) }) })),
        ...(show.number !== undefined && { note: m.everywhere_tie_answer({ answer: String(show.number) }) }),
      };
  }
}

function answer({ text, answer, right, choices }: Extract<ScreenShow, { kind: 'question' }>): Content {
  const note = right ? { note: m.screen_right({ right: right.count, count: right.of }) } : {};
  if (choices.length === 0) return { title: text, plate: answer, ...note };
  return { title: text, rows: choices.map((each, at) => ({ mark: letter(at), text: each.text, value: count(each.taken), isRight: each.right })), ...note };
}

function tallied({ text, entries }: ScreenTally): Content {
  return { title: text, rows: entries.slice(0, 10).map((entry) => ({ text: entry.answer, value: count(entry.count) })) };
}

/** A round by its title, a round of one question by that of the round of the quiz; others by `unnamed`. */
const nameOf = (round: ScreenRound | null, unnamed: string) => (round?.section ?? round)?.title || unnamed;

const placeIn = ({ questionIndex, questionCount }: NonNullable<ScreenRound['section']>) =>
  m.everywhere_section({ number: count(questionIndex + 1), count: count(questionCount) });

const namesOf = (names: readonly { readonly displayName: string }[]) => names.map(({ displayName }) => displayName).join(', ');

const letter = (at: number) => String.fromCharCode('A'.charCodeAt(0) + at);
