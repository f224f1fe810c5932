// What a participant knows at a moment, folded from the server's messages. Plain values: a new object with every change,
// never changed in place. Created by PlayerGame and HostGame; read by the code that draws it.

import type {
  Adjusted,
  AnswersUpdate,
  Appealed,
  LeaderboardEntry,
  OwnAppeal,
  Phase,
  PlayOptions,
  Player,
  PointsByHand,
  Question,
  QuestionEdited,
  QuestionResult,
  ReviewAnswer,
  RoomPlayer,
  RoundStarted,
  SheetAnswer,
  StepUpdate,
  TeamDevice,
} from './generated/protocol.ts';
import type { GroupedReview } from './reviewgroups.ts';
import type { StateValues } from './state.ts';
import type { BreakTime, ComingStep, GameTimer } from './timers.ts';

export type { Phase } from './generated/protocol.ts';
export type { BreakTime, ComingStep, GameTimer, TimeLeft } from './timers.ts';

/** The state of the connection, so that a page can show what is happening and what causes it. */
export type Connection =
  /** Opening, the first time (attempt 0) or again. */
  | { readonly state: 'connecting'; readonly attempt: number }
  /** Open, and the server's sync messages have arrived. */
  | { readonly state: 'open' }
  /**
   * Open, but no message arrives: a ping or a message has no answer, or the device reports no network. A message sent now is kept,
   * and sent again if necessary; `reopen()` opens another connection at once.
   */
  | { readonly state: 'silent'; readonly offline: boolean }
  /** Lost; tried again at `retryAt` (Date.now()'s clock). */
  | { readonly state: 'waiting'; readonly attempt: number; readonly retryAt: number; readonly offline: boolean }
  /** Over: it does not reconnect by itself. */
  | { readonly state: 'closed'; readonly why: ClosedBecause };

/** Why a connection does not reconnect by itself (close codes 44xx, and the end of the game). */
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

/** The state of a player's answer to a question. */
export type AnswerState =
  /** Nothing sent. */
  | 'none'
  /** Sent or waiting for the connection; not stored yet. */
  | 'sending'
  /** `answer_accepted`: durably stored. */
  | 'stored'
  /** Another answer was stored before; the new one is under way. */
  | 'changing';

/** An open question with this player's answer. */
export interface PlayerQuestion {
  readonly question: Question;
  /** Its place in the round by order of release, from 1. */
  readonly number: number;
  readonly state: AnswerState;
  /** The answer as last submitted; null when none, or when it was given on another device. */
  readonly answer: string | null;
  /** Text that is typed or chosen but not submitted; null when nothing differs from `answer`. */
  readonly draft: string | null;
  /**
   * The answer that the server has acknowledged; null when there is none, when it was given on another device, and when a newer one
   * was lost on its way, so that it is not known here which of them counts.
   */
  readonly storedAnswer: string | null;
  /**
   * `answer` was not stored and does not count: the round ended first, or the server refused it. `state` is then 'stored' when an
   * earlier one counts, otherwise 'none'.
   */
  readonly missed: boolean;
  /** The round ended while the connection was lost and `answer` under way: the scores will show whether it counts. */
  readonly unsure: boolean;
  /** It accepts no more answers, although the round continues. */
  readonly closed: boolean;
  /** Whether it closed because its time was over; false when this device did not see it close. */
  readonly timedOut: boolean;
  /** The other phone of the team that gave `storedAnswer`; null when this one did, and without a team. */
  readonly by: string | null;
  /** `draft` was begun before another phone gave the answer that counts: it is only sent when the player sends it. */
  readonly overtaken: boolean;
  /** The suggestions of the team's phones to their captain, including this phone's, in order of arrival. */
  readonly suggestions: readonly SheetAnswer[];
}

/** The team of a phone: several phones that answer on one sheet. */
export interface Team {
  readonly name: string;
  /** The code with which more phones join: four symbols. */
  readonly code: string;
  /** The id of this phone. */
  readonly deviceId: string;
  /** All phones, in order of joining. */
  readonly devices: readonly TeamDevice[];
  /** The only phone that answers; null in games where each phone does. */
  readonly captain: string | null;
  /** Whether this phone suggests answers instead of giving them. */
  readonly suggests: boolean;
}

/** The player's results of one round. */
export interface RoundOutcome {
  /** From 1; null when the server does not send rounds. */
  readonly round: number | null;
  readonly title: string;
  readonly results: readonly QuestionResult[];
  readonly roundTotal: number;
  /** What the host gave this player by hand in the round, in order; a device of an earlier version has kept none. */
  readonly adjustments?: readonly PointsByHand[];
}

/** A row of a board with its earlier rank. */
export interface BoardRow extends LeaderboardEntry {
  /** The rank on the board before this one; null when there was none. */
  readonly previousRank: number | null;
}

/** The owner of a seat, as kept in storage; `sessionToken` is a secret. */
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
  /** The quiz's title; null for a player who was not in the lobby. */
  readonly title: string | null;
  /** In a team the name is the team's, as soon as it is known. */
  readonly me: Pick<SeatRecord, 'gameCode' | 'playerId' | 'displayName'>;
  /** The team that this phone belongs to; null for a player with one phone. */
  readonly team: Team | null;
  /** The lobby. In larger games only some of the players; `playerTotal` is their number. */
  readonly players: readonly Player[];
  readonly playerTotal: number;
  /** Open questions in order of release; in round_review the closed ones, with the stored answers. */
  readonly questions: readonly PlayerQuestion[];
  /** The questions of the round that this page has seen, in order of release: for revealed answers, and for the scores. */
  readonly asked: readonly Question[];
  /** The timers of open questions and of the round; `msLeft` gives the time that each has left. */
  readonly timers: readonly GameTimer[];
  /** The break between two rounds; null while there is none. */
  readonly pause: BreakTime | null;
  /** The autopilot's next step, and when; null while a question is open, and while no autopilot runs. */
  readonly nextStep: ComingStep | null;
  /** The round, from 1, for which this player has played the joker; null while it is not played. */
  readonly joker: number | null;
  /** The player's appeals, in order of arrival. */
  readonly appeals: readonly OwnAppeal[];
  /** This player's answer to the open tie-break; null without an answer. */
  readonly tieAnswer: number | null;
  /** The outcome of the last round whose scores were released; null before. */
  readonly outcome: RoundOutcome | null;
  /** Every round's outcome that this device has seen, in order. */
  readonly history: readonly RoundOutcome[];
  /**
   * The running board, or the final one when ended; empty before, and while the standings are held. In larger games the top ten and
   * the places around the player's own; `boardTotal` is the number of all.
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
  /** Its time is over: it accepts no more answers, although the round continues. */
  readonly closed: boolean;
}

/** The answers to a question that were changed by a marking, by their players. */
export interface Marked {
  readonly questionId: string;
  readonly playerIds: readonly string[];
  /** In place of the players, the keys of the groups in `reviewGroups` that it changed. */
  readonly groups: readonly string[];
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
  /** The options of the game, as hosts receive them when they change; null for a game without any, and before they arrive. */
  readonly options: PlayOptions | null;
  /** Whether a question closes soon after every player who is connected has answered it. */
  readonly closeWhenAnswered: boolean;
  readonly questions: readonly HostQuestion[];
  /** The timers of open questions and of the round; `msLeft` gives the time that each has left. */
  readonly timers: readonly GameTimer[];
  /** The break between two rounds; null while there is none. */
  readonly pause: BreakTime | null;
  /** The autopilot's next step, and when; null while a question is open, and while no autopilot runs. */
  readonly nextStep: ComingStep | null;
  /** What the game does next, which `next` takes; null when the server does not send it, and for co-hosts who may not take it. */
  readonly step: StepUpdate | null;
  /** All answers of the closed round with marks applied; null until complete, and when they are so many that `reviewGroups` has them. */
  readonly review: readonly ReviewAnswer[] | null;
  /** Groups of the answers of the closed round, by question, with marks applied; null until complete, and when `review` has the answers. */
  readonly reviewGroups: ReadonlyMap<string, GroupedReview> | null;
  /** How many markings can be undone. */
  readonly undoable: number;
  /** The answers to each question in groups, while questions are open and after the desk was opened; empty before. */
  readonly groups: ReadonlyMap<string, AnswersUpdate>;
  /** The answers of this round that were entered for players without a phone. */
  readonly entered: readonly ReviewAnswer[];
  /** The marks that the latest undo changed; a new object for each. Null when they are not known, and before any undo. */
  readonly undone: Marked | null;
  /** The questions that were edited since this page opened the game, by their ids. */
  readonly words: ReadonlyMap<string, QuestionEdited>;
  /** The players' appeals that the host has not decided, in order of arrival. */
  readonly appeals: readonly Appealed[];
  /** The points that were given by hand, in order. */
  readonly adjustments: readonly Adjusted[];
  /** The standing after the last released round, or the final one; empty before. */
  readonly board: readonly BoardRow[];
  /** Commands sent and not yet confirmed, for "working…" on a button. */
  readonly pending: readonly string[];
}
