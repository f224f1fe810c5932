// A host's game: folds the server's messages into a HostView, and gives commands once and no oftener. Used by the host page.

import { Appeals } from './appeals.ts';
import { Boards } from './boards.ts';
import { Commands, isOfV1 } from './commands.ts';
import type { HostCommand, Stage } from './commands.ts';
import { Game } from './game.ts';
import type { GameOptions } from './game.ts';
import type {
  AnswersMarked,
  AnswersUpdate,
  AutopilotPlan,
  HeardByHost,
  LeaderboardEntry,
  Question,
  RoundStarted,
} from './generated/protocol.ts';
import { portions } from './portions.ts';
import { Review } from './review.ts';
import { Room } from './room.ts';
import type { Envelope } from './socket.ts';
import { kept } from './storage.ts';
import type { BoardRow, HostQuestion, HostView, Marked, Phase } from './view.ts';

/** One page speaks for the whole game, to the screen as well: it may ask often. */
const QUIET_MS = 1_000;

/**
 * A host's game. A command returns false, and does nothing, when the phase does not allow it, when it has taken effect
 * already, or when it was given and is not confirmed yet (a double click). `view.pending` names what is unconfirmed by the
 * message's type, with its subject after a colon where COMMANDS names one: `start_game`, `release_question:<questionId>`,
 * `override_answer:<playerId>:<questionId>`.
 */
export class HostGame extends Game<HostView> {
  readonly #boards: Boards;
  readonly #commands = new Commands();
  readonly #review = new Review();
  readonly #room = new Room();
  #phase: Phase | null = null;
  #round: RoundStarted | null = null;
  #questions: readonly HostQuestion[] = [];
  /** Those of the connection before, until the sync messages are in. */
  #before: readonly HostQuestion[] = [];
  #undoable = 0;
  /** By question. Those of the connection before stay until they are sent anew. */
  #groups: ReadonlyMap<string, AnswersUpdate> = new Map();
  readonly #appeals = new Appeals();
  /** Whether this connection was asked for them; null once a server of an earlier version refused that. */
  #isDeskOpen: boolean | null = false;
  /** What changed since the last `marking_update`, which follows each marking and each undo. */
  #marked: Marked | null = null;
  #undone: Marked | null = null;
  #board: readonly BoardRow[] = [];

  constructor(game: { readonly gameCode: string; readonly token: string }, options: GameOptions = {}) {
    super(game.gameCode, game.token, options);
    this.#boards = new Boards(this.platform.storage, kept('boards', game.gameCode, 'host'));
  }

  startGame(): boolean {
    return this.give({ type: 'start_game' });
  }

  releaseQuestion(questionId: string): boolean {
    return this.give({ type: 'release_question', payload: { questionId } });
  }

  endRound(): boolean {
    return this.give({ type: 'end_round' });
  }

  overrideAnswer(playerId: string, questionId: string, correct: boolean): boolean {
    return this.give({ type: 'override_answer', payload: { playerId, questionId, correct } });
  }

  /**
   * Marks every answer with one of these texts, each exactly as in the review; `half` gives those that are not right half of the
   * points. Very many go in several messages.
   */
  markAnswers(questionId: string, texts: readonly string[], correct: boolean, half = false): boolean {
    const given = portions(texts).map((answers) => {
      return this.give({ type: 'mark_answers', payload: { questionId, answers, correct, ...(half && { half }) } });
    });
    return given.some(Boolean);
  }

  /** Changes the key of this game: answers with this text, those that came and those that come, count so. */
  acceptAnswer(questionId: string, text: string, correct: boolean): boolean {
    return this.give({ type: 'accept_answer', payload: { questionId, text, correct } });
  }

  /** Says how every answer with one of these texts counts in a round whose scores are out, each exactly as in the results. */
  correctMarks(questionId: string, texts: readonly string[], correct: boolean): boolean {
    const given = portions(texts).map((answers) => this.give({ type: 'correct_marks', payload: { questionId, answers, correct } }));
    return given.some(Boolean);
  }

  /** The same for players, also for one who gave no answer. */
  correctPlayers(questionId: string, playerIds: readonly string[], correct: boolean): boolean {
    return this.give({ type: 'correct_marks', payload: { questionId, playerIds: [...playerIds], correct } });
  }

  /** Leaves a mark as it is about which a player has appealed; `correctPlayers` accepts the appeal. */
  dismissAppeal(playerId: string, questionId: string): boolean {
    return this.give({ type: 'dismiss_appeal', payload: { playerId, questionId } });
  }

  /** Has the answers sent over this connection while they come, as `view.groups`; each later one has to be asked anew. */
  openDesk(): boolean {
    if (this.#isDeskOpen !== false || !this.give({ type: 'open_desk', payload: { open: true } })) return false;
    this.#isDeskOpen = true;
    return true;
  }

  undoMarking(): boolean {
    return this.give({ type: 'undo_marking' });
  }

  releaseScores(): boolean {
    return this.give({ type: 'release_scores' });
  }

  /** As `releaseScores`, but players receive their own results only, until `showStandings`. */
  releaseOwnScores(): boolean {
    return this.give({ type: 'release_own_scores' });
  }

  /** Shows the standings that were held. */
  showStandings(): boolean {
    return this.give({ type: 'show_standings' });
  }

  /** Shows how many players gave each answer to a question that is not marked, without these entries; again to count anew. */
  showTally(questionId: string, hide: readonly string[] = []): boolean {
    return this.give({ type: 'show_tally', payload: { questionId, ...(hide.length > 0 && { hide: [...hide] }) } });
  }

  /** False after the last round, too. */
  startNextRound(): boolean {
    return this.give({ type: 'start_next_round' });
  }

  endGame(): boolean {
    return this.give({ type: 'end_game' });
  }

  /** Sets what time an open question, or with null the round, has left; starts a timer where there is none. */
  setTimer(questionId: string | null, seconds: number): boolean {
    return this.give({ type: 'set_timer', payload: aimed(questionId, seconds) });
  }

  /** False when there is no such timer. */
  addTime(questionId: string | null, seconds: number): boolean {
    return this.give({ type: 'add_time', payload: aimed(questionId, seconds) });
  }

  /** Holds all timers of the round; false when there are none. */
  pauseTimers(): boolean {
    return this.give({ type: 'pause_timer' });
  }

  resumeTimers(): boolean {
    return this.give({ type: 'resume_timer' });
  }

  /** Lets the round run by itself; other times replace those that are set. */
  startAutopilot(plan: AutopilotPlan): boolean {
    return this.give({ type: 'start_autopilot', payload: plan });
  }

  /** Timers that run go on. */
  stopAutopilot(): boolean {
    return this.give({ type: 'stop_autopilot' });
  }

  /** Shows the right answer to a question that was released in this round, with its explanation. */
  revealAnswer(questionId: string): boolean {
    return this.give({ type: 'reveal_answer', payload: { questionId } });
  }

  /** Begins a break between two rounds, or gives the one that is running other time and another text. */
  startBreak(seconds: number, text = ''): boolean {
    return this.give({ type: 'start_break', payload: { seconds, ...(text.trim() !== '' && { text: text.trim() }) } });
  }

  endBreak(): boolean {
    return this.give({ type: 'end_break' });
  }

  /** Asks players who are equal a question outside the rounds; the nearest whole number comes first among them. */
  breakTie(playerIds: readonly string[], text: string, answer: number): boolean {
    return this.give({ type: 'tie_break', payload: { playerIds: [...playerIds], text, number: answer } });
  }

  endTieBreak(): boolean {
    return this.give({ type: 'end_tie_break' });
  }

  /** Refuses new players, or lets them in again. */
  lock(locked: boolean): boolean {
    return this.give({ type: 'lock_game', payload: { locked } });
  }

  /** Gives a player this percent of every timer, 100 to 300; no other player is sent anything of it. */
  setExtraTime(playerId: string, percent: number): boolean {
    return this.give({ type: 'set_extra_time', payload: { playerId, percent } });
  }

  removePlayer(playerId: string): boolean {
    return this.give({ type: 'remove_player', payload: { playerId } });
  }

  /** Gives a command as its message. */
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
      undoable: this.#undoable,
      locked: this.#room.locked,
      ...this.time,
    };
  }

  protected renew(): void {
    this.#before = this.#questions;
    this.#questions = [];
    this.#review.clear();
    this.#appeals.clear();
    this.#undoable = 0;
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

  protected apply(envelope: Envelope, isSync: boolean): void {
    const message = envelope as HeardByHost;
    this.#applyPhase(message);
    this.#applyRest(message);
    if (!isSync) this.#commands.received(message, this.#stage);
  }

  #applyPhase(message: HeardByHost): void {
    switch (message.type) {
      case 'game_started':
        this.#phase = 'question';
        break;
      case 'round_started':
        if (this.#round?.round !== message.payload.round) this.#nextRound(message.payload);
        this.#round = message.payload;
        this.#phase = 'question';
        break;
      case 'question_released':
        if (this.#phase === 'leaderboard') this.#nextRound(null);
        this.#phase = 'question';
        this.#released(message.payload.question);
        break;
      case 'round_ended':
        this.#phase = 'round_review';
        break;
      case 'round_leaderboard':
        this.#phase = 'leaderboard';
        this.#show(message.payload.leaderboard, this.#round?.round ?? null);
        break;
      case 'game_ended':
        this.#phase = 'ended';
        this.#show(message.payload.leaderboard, null);
        break;
      default:
    }
  }

  #applyRest(message: HeardByHost): void {
    switch (message.type) {
      case 'lobby_update':
        this.#phase ??= 'lobby';
        this.#room.fromLobby(message.payload);
        break;
      case 'room_update':
        this.#room.update(message.payload);
        this.#appeals.roomChanged(message.payload);
        break;
      case 'appeals_update':
        this.#appeals.update(message.payload);
        break;
      case 'scoreboard_update': {
        const { questionId, answerCount } = message.payload;
        this.#change(questionId, () => ({ answerCount }));
        break;
      }
      case 'players_answered': {
        const { questionId, playerIds } = message.payload;
        this.#change(questionId, ({ answeredBy }) => ({ answeredBy: new Set([...answeredBy, ...playerIds]) }));
        break;
      }
      case 'round_review':
        this.#review.add(message.payload);
        break;
      case 'override_applied':
        this.#review.overrule(message.payload, this.#room.nameOf(message.payload.playerId));
        break;
      case 'answers_marked':
        this.#review.mark(message.payload);
        this.#keepMarked(message.payload);
        break;
      case 'answers_update':
        this.#groups = new Map([...this.#groups, [message.payload.questionId, message.payload]]);
        break;
      case 'board_update': {
        const round = this.#round?.round ?? null;
        this.#show(message.payload.leaderboard, round === null || this.#phase === 'leaderboard' ? round : round - 1);
        break;
      }
      case 'marking_update':
        if (this.#marked && message.payload.undoable < this.#undoable) this.#undone = this.#marked;
        this.#marked = null;
        this.#undoable = message.payload.undoable;
        break;
      default:
      // A state message, or one of a later server.
    }
  }

  #keepMarked({ questionId, marks, part = 1 }: AnswersMarked): void {
    const before = part === 1 ? [] : (this.#marked?.playerIds ?? []);
    this.#marked = { questionId, playerIds: [...before, ...marks.map((mark) => mark.playerId)] };
  }

  #nextRound(round: RoundStarted | null): void {
    this.#round = round;
    this.#phase = 'question';
    this.#questions = this.#before = [];
    this.#review.clear();
    this.#undoable = 0;
    this.#groups = new Map();
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
      questions: this.#questions.map((open) => ({ ...open, closed: this.time.closed.has(open.question.id) })),
      timers: this.time.timers,
      pause: this.time.pause,
      nextStep: this.time.step,
      review: this.#review.answers,
      undoable: this.#undoable,
      groups: this.#groups,
      undone: this.#undone,
      appeals: this.#appeals.all,
      board: this.#board,
      pending: this.#commands.names,
    };
  }
}

function aimed(questionId: string | null, seconds: number): { questionId?: string; seconds: number } {
  return questionId === null ? { seconds } : { questionId, seconds };
}
