// A host's game: stores the server's messages as a HostView, and sends each command only once. Used by the host page.

import { Appeals } from './appeals.ts';
import { Boards } from './boards.ts';
import { Commands, isOfV1 } from './commands.ts';
import type { HostCommand, Stage } from './commandtable.ts';
import type { GameOptions, Handlers } from './game.ts';
import type {
  Adjusted,
  AnswersMarked,
  AnswersUpdate,
  HeardByHost,
  LeaderboardEntry,
  PlayOptions,
  Player,
  Question,
  QuestionEdited,
  ReviewAnswer,
  RoundStarted,
  StepUpdate,
} from './generated/protocol.ts';
import { GivesCommands } from './giving.ts';
import { Review, withAnswers } from './review.ts';
import { ReviewGroups } from './reviewgroups.ts';
import { Room } from './room.ts';
import type { Envelope } from './socket.ts';
import { kept } from './storage.ts';
import type { BoardRow, HostQuestion, HostView, Marked, Phase } from './view.ts';

/** One page shows the whole game, on the screen as well, so it may send pings often. */
const QUIET_MS = 1_000;

/**
 * A host's game. A command returns false, and does nothing, when the phase does not allow it, when it has taken effect
 * already, or when it was given and is not confirmed yet (a double click). `view.pending` names the unconfirmed commands by the
 * message's type, with the subject after a colon where COMMANDS names one: `start_game`, `release_question:<questionId>`,
 * `override_answer:<playerId>:<questionId>`.
 */
export class HostGame extends GivesCommands {
  readonly #boards: Boards;
  readonly #commands = new Commands();
  readonly #review = new Review();
  /** In place of `#review` when the server sends groups of answers. */
  readonly #reviewGroups = new ReviewGroups();
  readonly #room = new Room();
  #phase: Phase | null = null;
  #round: RoundStarted | null = null;
  #questions: readonly HostQuestion[] = [];
  /** The questions of the connection before, until the sync messages have arrived. */
  #before: readonly HostQuestion[] = [];
  #undoable = 0;
  /** By question. The values of the connection before stay until they are sent again. */
  #groups: ReadonlyMap<string, AnswersUpdate> = new Map();
  /** For this round, for players without a phone. The values of the connection before stay until they are sent again. */
  #entered: readonly ReviewAnswer[] = [];
  /** That of the connection before stays until it is sent again. */
  #step: StepUpdate | null = null;
  /** As this connection received it; null before that. */
  #options: PlayOptions | null = null;
  readonly #appeals = new Appeals();
  /** All of them, in order of giving. */
  #adjustments: readonly Adjusted[] = [];
  /** By question; those of earlier connections stay. */
  #words: ReadonlyMap<string, QuestionEdited> = new Map();
  /** Whether this connection has asked for the answers; null once a server of an earlier version refused that. */
  #isDeskOpen: boolean | null = false;
  /** The marks that changed since the last `marking_update`, which follows each marking and each undo. */
  #marked: Marked | null = null;
  #undone: Marked | null = null;
  /** The groups that the last message changed: that of a marking comes right before its `answers_marked`. */
  #regrouped: { readonly questionId: string; readonly keys: readonly string[] } | null = null;
  #board: readonly BoardRow[] = [];

  protected readonly handlers: Handlers<HeardByHost> = {
    game_info: () => undefined,
    lobby_update: (lobby) => {
      this.#phase ??= 'lobby';
      this.#room.fromLobby(lobby);
    },
    game_started: () => {
      this.#phase = 'question';
    },
    round_started: (round) => {
      if (this.#round?.round !== round.round) this.#nextRound(round);
      this.#round = round;
      this.#phase = 'question';
    },
    question_released: ({ question }) => {
      if (this.#phase === 'leaderboard') this.#nextRound(null);
      this.#phase = 'question';
      this.#released(question);
    },
    round_ended: () => {
      this.#phase = 'round_review';
    },
    round_leaderboard: ({ leaderboard }) => {
      this.#phase = 'leaderboard';
      this.#show(leaderboard, this.#round?.round ?? null);
    },
    game_ended: ({ leaderboard }) => {
      this.#phase = 'ended';
      this.#show(leaderboard, null);
    },
    room_update: (room) => {
      this.#room.update(room);
      this.#appeals.roomChanged(room);
    },
    question_edited: (words) => {
      const { questionId, text } = words;
      // Once the question is released, the accepted answers are no longer stated, and stay.
      const { accepted } = this.#words.get(questionId) ?? {};
      this.#words = new Map([...this.#words, [questionId, { ...(accepted && { accepted }), ...words }]]);
      this.#change(questionId, ({ question }) => ({ question: { ...question, text } }));
    },
    player_renamed: (player) => {
      this.#renamed(player);
    },
    game_options: (options) => {
      this.#options = options;
    },
    adjustments_update: ({ adjustments }) => {
      this.#adjustments = adjustments;
    },
    appeals_update: (appeals) => {
      this.#appeals.update(appeals);
    },
    scoreboard_update: ({ questionId, answerCount }) => {
      this.#change(questionId, () => ({ answerCount }));
    },
    players_answered: ({ questionId, playerIds }) => {
      this.#change(questionId, ({ answeredBy }) => ({ answeredBy: new Set([...answeredBy, ...playerIds]) }));
    },
    answers_entered: ({ answers }) => {
      this.#entered = withAnswers(this.#entered, answers);
      this.#review.enter(answers);
    },
    review_groups: (groups) => {
      this.#review.clear();
      if (groups.part === undefined) this.#regrouped = { questionId: groups.questionId, keys: this.#reviewGroups.change(groups) };
      else this.#reviewGroups.add(groups);
    },
    round_review: (review) => {
      this.#reviewGroups.clear();
      this.#review.add(review);
      this.#entered = withAnswers(this.#entered, review.answers.filter(({ playerId }) => this.#room.isOnPaper(playerId)));
    },
    override_applied: (mark) => {
      this.#review.overrule(mark, this.#room.nameOf(mark.playerId));
    },
    answers_marked: (marks) => {
      this.#review.mark(marks);
      this.#keepMarked(marks);
    },
    answers_update: (groups) => {
      this.#groups = new Map([...this.#groups, [groups.questionId, groups]]);
    },
    board_update: ({ leaderboard }) => {
      const round = this.#round?.round ?? null;
      this.#show(leaderboard, round === null || this.#phase === 'leaderboard' ? round : round - 1);
    },
    step_update: (step) => {
      this.#step = step;
    },
    marking_update: ({ undoable }) => {
      if (this.#marked && undoable < this.#undoable) this.#undone = this.#marked;
      this.#marked = null;
      this.#undoable = undoable;
    },
  };

  constructor(game: { readonly gameCode: string; readonly token: string }, options: GameOptions = {}) {
    super(game.gameCode, game.token, options);
    this.#boards = new Boards(this.platform.storage, kept('boards', game.gameCode, 'host'));
  }

  /** Requests the answers as they arrive, as `view.groups`, for this connection; a later connection must request them again. */
  openDesk(): boolean {
    if (this.#isDeskOpen !== false || !this.give({ type: 'open_desk', payload: { open: true } })) return false;
    this.#isDeskOpen = true;
    return true;
  }

  /** Sends a command as its message. */
  give(command: HostCommand): boolean {
    this.catchUp();
    if (isOfV1(command) && this.canSend && !this.speaksV1) return false;
    if (!this.#commands.add(command, this.#stage, this.platform.now())) return false;
    this.#sendCommands();
    this.publish();
    return true;
  }

  #sendCommands(): void {
    if (!this.canSend) return;
    for (const command of this.#commands.take()) {
      this.send(command.type, 'payload' in command ? command.payload : undefined);
      // Without `quizhall.v1` nothing shows that the next round has begun.
      if (command.type === 'start_next_round' && !this.speaksV1) {
        this.#nextRound(null);
        this.#commands.renewed(this.#stage, this.platform.now());
      }
    }
  }

  get #stage(): Stage {
    return {
      ...this.state,
      phase: this.#phase,
      round: this.#round?.round ?? null,
      lastRound: this.#round?.rounds ?? null,
      released: new Set(this.#questions.map(({ question }) => question.id)),
      review: this.#review.answers,
      room: this.#room.players,
      words: this.#words,
      closeWhenAnswered: this.#options?.closeWhenAnswered ?? false,
      entered: this.#entered,
      undoable: this.#undoable,
      locked: this.#room.locked,
      adjustments: this.#adjustments,
      next: this.#step,
      ...this.time,
    };
  }

  protected renew(): void {
    this.#before = this.#questions;
    this.#questions = [];
    this.#review.clear();
    this.#reviewGroups.clear();
    this.#appeals.clear();
    this.#adjustments = [];
    this.#undoable = 0;
    this.#options = null;
    this.#isDeskOpen &&= false;
    this.#marked = null;
    this.#phase = this.#phase === null || this.#phase === 'lobby' ? null : 'question';
  }

  protected settled(): void {
    this.#phase ??= 'question';
    // A closed round's questions are not sent again.
    if (this.#phase !== 'question') this.#questions = this.#before;
    this.#before = [];
    this.#commands.renewed(this.#stage, this.platform.now());
    this.#sendCommands();
  }

  protected lost(refused: boolean): void {
    if (this.#commands.lineLost(refused)?.type === 'open_desk') this.#isDeskOpen = null;
  }

  protected isWaiting(): boolean {
    return this.#commands.isWaiting;
  }

  protected override quietMs(): number {
    return QUIET_MS;
  }

  protected override applied(message: Envelope, isSync: boolean): void {
    if (!isSync) this.#commands.received(message as HeardByHost, this.#stage);
  }

  #renamed(player: Player): void {
    const { id, displayName } = player;
    this.#room.rename(player);
    this.#review.rename(player);
    this.#appeals.rename(player);
    this.#board = this.#board.map((row) => (row.playerId === id ? { ...row, displayName } : row));
  }

  #keepMarked({ questionId, marks, part = 1 }: AnswersMarked): void {
    const groups = this.#regrouped?.questionId === questionId ? this.#regrouped.keys : [];
    const before = part === 1 ? [] : (this.#marked?.playerIds ?? []);
    this.#marked = { questionId, playerIds: [...before, ...marks.map((mark) => mark.playerId)], groups };
  }

  #nextRound(round: RoundStarted | null): void {
    this.#round = round;
    this.#phase = 'question';
    this.#questions = this.#before = [];
    this.#review.clear();
    this.#reviewGroups.clear();
    this.#undoable = 0;
    this.#groups = new Map();
    this.#entered = [];
  }

  #released(question: Question): void {
    if (this.#questions.some((open) => open.question.id === question.id)) return;
    const number = this.#questions.length + 1;
    this.#questions = [...this.#questions, { question, number, answerCount: 0, answeredBy: new Set<string>(), closed: false }];
  }

  #change(questionId: string, by: (question: HostQuestion) => Partial<HostQuestion>): void {
    this.#questions = this.#questions.map((open) => (open.question.id === questionId ? { ...open, ...by(open) } : open));
  }

  #show(entries: readonly LeaderboardEntry[], round: number | null): void {
    this.#board = this.#boards.rows(entries, round);
  }

  protected picture(): HostView {
    return {
      ...this.state,
      connection: this.connection,
      phase: this.#phase,
      round: this.#round,
      room: this.#room.players,
      playerTotal: this.#room.total,
      connectedTotal: this.#room.connected,
      locked: this.#room.locked,
      options: this.#options,
      closeWhenAnswered: this.#options?.closeWhenAnswered ?? false,
      questions: this.#questions.map((open) => ({ ...open, closed: this.time.closed.has(open.question.id) })),
      timers: this.time.timers,
      pause: this.time.pause,
      nextStep: this.time.step,
      step: this.#step,
      review: this.#review.answers,
      reviewGroups: this.#reviewGroups.questions,
      undoable: this.#undoable,
      groups: this.#groups,
      entered: this.#entered,
      undone: this.#undone,
      appeals: this.#appeals.all,
      adjustments: this.#adjustments,
      words: this.#words,
      board: this.#board,
      pending: this.#commands.names,
    };
  }
}
