// What a participant knows at a moment, folded from the server's messages. Plain values: a new object with every change,
// never changed in place. Made by PlayerGame and HostGame; read by whatever draws it.

import type {
  AnswersUpdate,
  Appealed,
  LeaderboardEntry,
  OwnAppeal,
  Player,
  Question,
  QuestionEdited,
  QuestionResult,
  ReviewAnswer,
  RoomPlayer,
  RoundStarted,
  SheetAnswer,
  TeamDevice,
} from './generated/protocol.ts';
import type { StateValues } from './state.ts';
import type { BreakTime, ComingStep, GameTimer } from './timers.ts';

export type { BreakTime, ComingStep, GameTimer } from './timers.ts';

/** The phases of a game (messages.md#phases). */
export type Phase = 'lobby' | 'question' | 'round_review' | 'leaderboard' | 'ended';

/** The state of the one connection, so that a page can say what is going on and whose fault it is. */
export type Connection =
  /** Opening, the first time (attempt 0) or again. */
  | { readonly state: 'connecting'; readonly attempt: number }
  /** Open, and the server's sync messages are in. */
  | { readonly state: 'open' }
  /**
   * Open, but nothing arrives: a ping or a message has no answer, or the device reports no network. A message sent now is kept,
   * and sent again if necessary; `reopen()` opens another connection at once.
   */
  | { readonly state: 'silent'; readonly offline: boolean }
  /** Lost; tried again at `retryAt` (Date.now()'s clock). */
  | { readonly state: 'waiting'; readonly attempt: number; readonly retryAt: number; readonly offline: boolean }
  /** Over: does not come back by itself. */
  | { readonly state: 'closed'; readonly why: ClosedBecause };

/** Why a connection does not come back by itself (close codes 44xx, and the end of the game). */
export type ClosedBecause =
  /** The same seat was opened elsewhere (4409); `reopen()` takes it back. */
  | 'replaced'
  /** The host removed the player (4411). */
  | 'removed'
  /** The game is over and the server has closed the sockets (1000). */
  | 'game_over'
  /** Deleted or archived (4410). */
  | 'game_closed'
  /** 4404 */
  | 'game_not_found'
  /** 4401: sign in or join again. */
  | 'unauthorized'
  /** 4403 */
  | 'forbidden'
  /** `close()` was called. */
  | 'left';

/** What a player's answer to a question has come to. */
export type AnswerState =
  /** Nothing sent. */
  | 'none'
  /** Sent or waiting for the connection; not stored yet. */
  | 'sending'
  /** `answer_accepted`: durably stored. */
  | 'stored'
  /** Another answer was stored before; the new one is on its way. */
  | 'changing';

/** An open question with this player's answer. */
export interface PlayerQuestion {
  readonly question: Question;
  /** Its place in the round by order of release, from 1. */
  readonly number: number;
  readonly state: AnswerState;
  /** The answer as last submitted; null when none, or when it was given on another device. */
  readonly answer: string | null;
  /** What is typed or chosen and not submitted; null when nothing differs from `answer`. */
  readonly draft: string | null;
  /**
   * The answer that the server has acknowledged; null when none, when it was given on another device, and when a newer one
   * got lost on its way, so that it is not known here which of them counts.
   */
  readonly storedAnswer: string | null;
  /**
   * `answer` did not get in and does not count: the round ended first, or the server refused it. `state` is then 'stored'
   * when an earlier one counts, else 'none'.
   */
  readonly missed: boolean;
  /** The round ended while the connection was lost and `answer` on its way: whether it counts, the scores will show. */
  readonly unsure: boolean;
  /** Its time is over: it takes no answers any more, though the round goes on. */
  readonly closed: boolean;
  /** The other phone of the team that gave `storedAnswer`; null when this one did, and without a team. */
  readonly by: string | null;
  /** `draft` was begun before another phone gave the answer that counts: it goes out only when the player sends it. */
  readonly overtaken: boolean;
  /** What phones of the team suggest to their captain, this one as well, in order of arrival. */
  readonly suggestions: readonly SheetAnswer[];
}

/** The team of a phone: several phones that answer on one sheet. */
export interface Team {
  readonly name: string;
  /** What more phones join with: four symbols. */
  readonly code: string;
  /** This phone. */
  readonly deviceId: string;
  /** All phones, in order of joining. */
  readonly devices: readonly TeamDevice[];
  /** The phone that answers alone; null in games where each phone does. */
  readonly captain: string | null;
  /** Whether this phone suggests answers, and does not give them. */
  readonly suggests: boolean;
}

/** The player's results of one round. */
export interface RoundOutcome {
  /** From 1; null when the server does not send rounds. */
  readonly round: number | null;
  readonly title: string;
  readonly results: readonly QuestionResult[];
  readonly roundTotal: number;
}

/** A row of a board with what it was before. */
export interface BoardRow extends LeaderboardEntry {
  /** The rank on the board before this one; null when there was none. */
  readonly previousRank: number | null;
}

/** Who sits in this seat, as kept in storage; `sessionToken` is a secret. */
export interface SeatRecord {
  readonly gameCode: string;
  readonly playerId: string;
  readonly displayName: string;
  readonly sessionToken: string;
}

/** A player's view. */
export interface PlayerView extends StateValues {
  readonly connection: Connection;
  /** Null until the first sync message. */
  readonly phase: Phase | null;
  readonly round: RoundStarted | null;
  /** The quiz's title; null for who was not in the lobby. */
  readonly title: string | null;
  /** In a team the name is the team's, as soon as it is known. */
  readonly me: Pick<SeatRecord, 'gameCode' | 'playerId' | 'displayName'>;
  /** The team that this phone belongs to; null for a player with one phone. */
  readonly team: Team | null;
  /** The lobby. In larger games some of them only; `playerTotal` is how many there are. */
  readonly players: readonly Player[];
  readonly playerTotal: number;
  /** Open questions in order of release; in round_review the closed ones, with what was stored. */
  readonly questions: readonly PlayerQuestion[];
  /** The questions of the round that this page has seen, in order of release: for the answers that are revealed, and for the scores. */
  readonly asked: readonly Question[];
  /** Of open questions and of the round; `msLeft` says what each has left. */
  readonly timers: readonly GameTimer[];
  /** The break between two rounds; null while there is none. */
  readonly pause: BreakTime | null;
  /** The round, from 1, for which this player has played the joker; null while it is not played. */
  readonly joker: number | null;
  /** The player's appeals, in order of arrival. */
  readonly appeals: readonly OwnAppeal[];
  /** What this player has answered to the open tie-break; null without an answer. */
  readonly tieAnswer: number | null;
  /** Of the last round whose scores were released; null before. */
  readonly outcome: RoundOutcome | null;
  /** Every round's outcome that this device has seen, in order. */
  readonly history: readonly RoundOutcome[];
  /**
   * The running board, or the final one when ended; empty before, and while the standings are held. In larger games the top ten and
   * the places around the own; `boardTotal` is how many there are.
   */
  readonly board: readonly BoardRow[];
  readonly boardTotal: number;
}

/** An open question as the host sees it. */
export interface HostQuestion {
  readonly question: Question;
  readonly number: number;
  readonly answerCount: number;
  /** Ids of players who have answered; stays empty in games of more than 2,000 players. */
  readonly answeredBy: ReadonlySet<string>;
  /** Its time is over: it takes no answers any more, though the round goes on. */
  readonly closed: boolean;
}

/** Whose answers to which question a marking changed. */
export interface Marked {
  readonly questionId: string;
  readonly playerIds: readonly string[];
}

/** The host's view. The frozen quiz with keys comes from `Api.game`, not from here. */
export interface HostView extends StateValues {
  readonly connection: Connection;
  readonly phase: Phase | null;
  readonly round: RoundStarted | null;
  /** Seats in order of joining; empty in games of more than 2,000 players. */
  readonly room: readonly RoomPlayer[];
  readonly playerTotal: number;
  readonly connectedTotal: number;
  readonly locked: boolean;
  readonly questions: readonly HostQuestion[];
  /** Of open questions and of the round; `msLeft` says what each has left. */
  readonly timers: readonly GameTimer[];
  /** The break between two rounds; null while there is none. */
  readonly pause: BreakTime | null;
  /** What the autopilot does next, and when; null while a question is open, and while none runs. */
  readonly nextStep: ComingStep | null;
  /** All answers of the closed round with marks applied; null until complete. */
  readonly review: readonly ReviewAnswer[] | null;
  /** How many markings can be taken back. */
  readonly undoable: number;
  /** The answers to each question in groups, while questions are open and once the desk is; empty before. */
  readonly groups: ReadonlyMap<string, AnswersUpdate>;
  /** The answers of this round that were entered for players without a phone. */
  readonly entered: readonly ReviewAnswer[];
  /** What the latest undo took back; a new object for each. Null when it is not known, and before any. */
  readonly undone: Marked | null;
  /** The questions that were edited since this page opened the game, by their ids. */
  readonly words: ReadonlyMap<string, QuestionEdited>;
  /** What players have appealed about and the host has not decided, in order of arrival. */
  readonly appeals: readonly Appealed[];
  /** The standing after the last released round, or the final one; empty before. */
  readonly board: readonly BoardRow[];
  /** Commands sent and not yet confirmed, for "working…" on a button. */
  readonly pending: readonly string[];
}
