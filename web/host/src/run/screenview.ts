// The picture for the big screen, made field by field from what the whole room may know. Pure. Nothing is copied
// whole from the host's game or view, only the fields that the screen's own list names: so a key, a question to come or
// a player's answer has no way in.

import type { BoardRow, Game, HostQuestion, HostView, QuestionResults, ReleasedMedia, Tally } from '$sdk';
import { isMarked, isOfSeveral } from '$sdk/choices.ts';
import { noState } from '$sdk/state.ts';

import {
  OF_QUESTION,
  OF_VIEW,
  type ScreenQuestion,
  type ScreenRound,
  type ScreenRow,
  type ScreenShow,
  type ScreenTally,
  type ScreenTimer,
  type ScreenView,
} from '../../../screen/src/view.ts';
import { answeredOf, jokersOf, ROOM_LIMIT } from './room.ts';
import { shareOf, takenOf } from './shares.ts';
import { currentRound, roundTitle, sheetOf, type SheetLine } from './sheet.ts';
import { PAGE, placesOf, type Slide } from './wall.ts';

/** What the host has chosen for the screen. */
export interface ScreenSettings {
  /** The opened file of a released question; undefined while it is on its way, null when it cannot be had. */
  readonly fileOf?: (media: ReleasedMedia) => Blob | null | undefined;
  readonly sound: boolean;
  readonly language: ScreenView['language'];
}

/** What the host shows after the scores are out. */
export interface Shown {
  readonly slide: Slide;
  /** The questions of the round that were released, in order. */
  readonly released: readonly SheetLine[];
  /** What came of the questions of the round; null until it is read. */
  readonly questions: readonly QuestionResults[] | null;
}

/** The newest names that a big lobby shows. */
const NAMES = 100;
/** Up to this many players the lobby shows every name. */
const ALL_NAMES_UP_TO = 200;

/** The whole picture; null until the game's phase is known. */
export function screenView(game: Game, view: HostView, settings: ScreenSettings, shown: Shown | null): ScreenView | null {
  if (view.phase === null) return null;
  return {
    gameCode: game.gameCode,
    joinUrl: game.joinUrl,
    title: game.title,
    phase: view.phase,
    round: roundOf(game, view),
    players: namesOf(view),
    ...only(view, OF_VIEW),
    questions: view.phase === 'question' ? view.questions.map((open) => questionOf(view, open, settings)) : [],
    tally: revealedOf(game, view) ? null : tallyOf(game, view),
    pause: pauseOf(game, view),
    jokers: view.playerTotal > ROOM_LIMIT ? null : jokersOf(view),
    timer: view.phase === 'question' ? timerOf(view, null) : null,
    show: shown && (view.phase === 'leaderboard' || view.phase === 'ended') ? showOf(game, view, shown) : revealedOf(game, view),
    sound: settings.sound,
    language: settings.language,
  };
}

/** The picture of a game that was over before this page opened. */
export function finalView(game: Game, board: readonly BoardRow[], language: ScreenView['language'], shown: Shown | null): ScreenView {
  const { gameCode, joinUrl, title, playerCount, locked } = game;
  return {
    ...only({ ...noState(), playerTotal: playerCount, locked }, OF_VIEW),
    ...{ gameCode, joinUrl, title, language },
    phase: 'ended',
    round: null,
    players: [],
    questions: [],
    tally: null,
    pause: null,
    jokers: null,
    timer: null,
    show: shown && showOf(game, { board, round: null, tally: null }, shown),
    sound: false,
  };
}

function showOf(game: Game, view: Pick<HostView, 'board' | 'round' | 'tally'>, { slide, released, questions }: Shown): ScreenShow | null {
  const { board } = view;
  switch (slide.kind) {
    case 'question': {
      const line = released[slide.index];
      return line ? questionShown(line, slide.index + 1, { of: released.length, questions, tally: view.tally }) : null;
    }
    case 'standings': {
      const rows = board.slice(slide.page * PAGE, (slide.page + 1) * PAGE).map(rowOf);
      return { kind: 'standings', rows, page: slide.page + 1, pages: Math.ceil(board.length / PAGE) };
    }
    case 'next': {
      return { kind: 'next', ...roundAt(game, view, currentRound(game, view) + 1) };
    }
    case 'podium': {
      const places = placesOf(board);
      return { kind: 'podium', places: places.slice(places.length - slide.seen), whole: slide.seen === places.length };
    }
    case 'winner': {
      const place = placesOf(board)[0];
      return place ? { kind: 'winner', place } : null;
    }
  }
}

/** In the review the answer that was revealed last, with what the service says of it. */
function revealedOf(game: Game, view: HostView): ScreenShow | null {
  const answer = view.phase === 'round_review' ? view.revealed.at(-1) : undefined;
  const lines = sheetOf(game, view);
  const line = lines.find(({ id }) => id === answer?.questionId);
  if (!answer || !line) return null;
  const of = lines.filter(({ released }) => released !== null).length;
  const shown = questionShown(line, line.released ?? 1, { of, questions: null, tally: view.tally });
  if (shown.kind !== 'question') return null;
  const taken = (text: string): number => answer.tally?.find((entry) => entry.answer === text)?.count ?? 0;
  const choices = shown.choices.map((choice) => ({ ...choice, taken: taken(choice.text) }));
  return { ...shown, choices, tally: shown.tally && { ...shown.tally, entries: answer.tally ?? shown.tally.entries } };
}

function pauseOf(game: Game, view: HostView): ScreenView['pause'] {
  if (view.pause === null) return null;
  const { since, leftMs, text } = view.pause;
  const next = roundAt(game, view, view.phase === 'lobby' ? 1 : currentRound(game, view) + 1);
  return { timer: { endsAt: since + leftMs, leftMs }, text, next: next.number > next.of ? null : next };
}

function roundAt(game: Game, view: Pick<HostView, 'round'>, number: number): ScreenRound {
  return { number, of: view.round?.rounds ?? game.rounds.length, title: game.rounds[number - 1]?.title ?? '' };
}

/** While a round is open a tally gives way to the next question; once the scores are out it is part of the slides. */
function tallyOf(game: Game, view: HostView): ScreenTally | null {
  const { tally, phase, questions } = view;
  if (tally === null || (phase !== 'question' && phase !== 'round_review')) return null;
  if (phase === 'question' && questions.at(-1)?.question.id !== tally.questionId) return null;
  const line = sheetOf(game, view).find(({ id }) => id === tally.questionId);
  return line ? tallyShown(line, tally.entries) : null;
}

function tallyShown({ text, type }: SheetLine, entries: Tally['entries']): ScreenTally {
  return { text, cloud: type === 'word_cloud', entries: entries.map(({ answer, count }) => ({ answer, count })) };
}

function questionShown(line: SheetLine, number: number, round: { of: number; questions: Shown['questions']; tally: HostView['tally'] }): ScreenShow {
  const asked = round.questions?.find(({ questionId }) => questionId === line.id);
  const taken = takenOf(line.choices, asked?.answers ?? []);
  const choices = line.choices.map((text, index) => {
    return { text, right: line.keys.some((key) => key.trim() === text.trim()), taken: taken[index] ?? 0 };
  });
  const share = asked && isMarked(line.type) ? shareOf(asked) : null;
  const right = share && { count: share.right, of: share.of };
  const { text, type } = line;
  // In the right order the letters are those of the phones; the bars of single choices would say nothing.
  const inOrder = { answer: line.keys.join('\n'), choices: [] };
  const whole = type === 'order' ? inOrder : { answer: isOfSeveral(type) ? line.keys.join(', ') : (line.keys[0] ?? ''), choices };
  // Turning to the question of a poll shows its counts; those of a word cloud are shown by the host's command alone.
  const entries = type === 'poll' ? choices.map(({ text, taken }) => ({ answer: text, count: taken })) : null;
  const ofCloud = round.tally?.questionId === line.id ? round.tally.entries : [];
  const tally = isMarked(type) ? null : tallyShown(line, entries ?? ofCloud);
  return { kind: 'question', number, of: round.of, text, ...whole, right, tally, explanation: line.explanation };
}

function roundOf(game: Game, view: HostView): ScreenView['round'] {
  if (view.phase === 'lobby') return null;
  return {
    number: currentRound(game, view),
    of: view.round?.rounds ?? game.rounds.length,
    title: roundTitle(game, view),
  };
}

function namesOf(view: HostView): ScreenView['players'] {
  if (view.phase !== 'lobby') return [];
  const here = view.room.filter((seat) => seat.status !== 'gone');
  const shown = here.length > ALL_NAMES_UP_TO ? here.slice(-NAMES) : here;
  return shown.map(({ id, displayName }) => ({ id, displayName }));
}

function questionOf(view: HostView, open: HostQuestion, { fileOf }: ScreenSettings): ScreenQuestion {
  const { question, number } = open;
  const { answered, of } = answeredOf(view, open);
  const { media } = question;
  return {
    ...only(question, OF_QUESTION),
    number,
    choices: [...(question.choices ?? [])],
    answered,
    of,
    closed: open.closed,
    timer: timerOf(view, question.id),
    ...(media && { media: { kind: media.kind, alt: media.alt, file: fileOf?.(media) } }),
  };
}

function timerOf(view: HostView, questionId: string | null): ScreenTimer | null {
  const timer = view.timers.find((timer) => timer.questionId === questionId);
  if (!timer) return null;
  const { running, since, leftMs } = timer;
  return { endsAt: running ? since + leftMs : null, leftMs };
}

function rowOf(row: BoardRow): ScreenRow {
  const { playerId, displayName, score, rank, roundScore, previousRank } = row;
  return { playerId, displayName, score, rank, roundScore: roundScore ?? null, previousRank };
}

/** These fields, and no other. */
function only<Whole extends object, Name extends keyof Whole>(whole: Whole, names: readonly Name[]): Pick<Whole, Name> {
  return Object.fromEntries(names.filter((name) => name in whole).map((name) => [name, whole[name]])) as Pick<Whole, Name>;
}
