// The picture for the big screen, made field by field from what everybody in the room may know. Pure. Nothing is copied
// whole from the host's game or view, so a key, a question to come or somebody's answer has no way in.

import type { BoardRow, Game, HostQuestion, HostView } from '$sdk';

import type { ScreenQuestion, ScreenRow, ScreenView } from '../../../screen/src/view.ts';
import { answeredOf } from './room.ts';
import { currentRound, roundTitle } from './sheet.ts';

/** What the host has chosen for the screen. */
export interface ScreenWishes {
  readonly sound: boolean;
  readonly language: ScreenView['language'];
}

/** The newest names that a big lobby shows. */
const NAMES = 100;
/** Up to this many players the lobby shows every name. */
const ALL_NAMES_UP_TO = 200;
/** The hall reads the top ten; a few more leave room for ties. */
const ROWS = 20;

/** The whole picture; null until the game's phase is known. */
export function screenView(game: Game, view: HostView, wishes: ScreenWishes): ScreenView | null {
  if (view.phase === null) return null;
  return {
    gameCode: game.gameCode,
    joinUrl: game.joinUrl,
    title: game.title,
    phase: view.phase,
    round: roundOf(game, view),
    players: namesOf(view),
    playerTotal: view.playerTotal,
    connectedTotal: view.connectedTotal,
    locked: view.locked,
    questions: view.phase === 'question' ? view.questions.map((open) => questionOf(view, open)) : [],
    board: view.phase === 'leaderboard' || view.phase === 'ended' ? view.board.slice(0, ROWS).map(rowOf) : [],
    sound: wishes.sound,
    language: wishes.language,
  };
}

/** The last picture of a game that was over before this page opened. */
export function finalView(game: Game, board: readonly BoardRow[], language: ScreenView['language']): ScreenView {
  const { gameCode, joinUrl, title, playerCount, locked } = game;
  return {
    ...{ gameCode, joinUrl, title, locked, language },
    phase: 'ended',
    round: null,
    players: [],
    playerTotal: playerCount,
    connectedTotal: 0,
    questions: [],
    board: board.slice(0, ROWS).map(rowOf),
    sound: false,
  };
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

function questionOf(view: HostView, open: HostQuestion): ScreenQuestion {
  const { id, text, type, choices, points } = open.question;
  const { answered } = answeredOf(view, open);
  return { id, number: open.number, text, type, choices: [...(choices ?? [])], points, answered };
}

function rowOf(row: BoardRow): ScreenRow {
  const { playerId, displayName, score, rank, roundScore, previousRank } = row;
  return { playerId, displayName, score, rank, roundScore: roundScore ?? null, previousRank };
}
