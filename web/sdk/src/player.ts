// A player's game: keeps what the server's messages say as a PlayerView, and sees to it that answers arrive. Used by the play page.

import { Answers } from './answers.ts';
import { Asked } from './asked.ts';
import { Boards } from './boards.ts';
import { Game } from './game.ts';
import type { GameOptions, Handlers } from './game.ts';
import type {
  HeardByPlayer,
  LeaderboardEntry,
  LobbyChanged,
  OwnAppeal,
  Player,
  Question,
  QuestionEdited,
  RoundScores,
  RoundStarted,
  SheetAnswer,
  TieBreakPlayer,
} from './generated/protocol.ts';
import { History } from './history.ts';
import { kept } from './storage.ts';
import { MOST_SUGGESTED, TeamOf } from './team.ts';
import { isOpen } from './ties.ts';
import { noneUnderWay } from './underway.ts';
import type { BoardRow, Phase, PlayerView, RoundOutcome, SeatRecord } from './view.ts';

/** The longest answer, in code points and in bytes (`submit_answer`). */
const MAX_CHARACTERS = 1_000;
const MAX_BYTES = 4_096;

/** A board as received. */
interface Board {
  readonly leaderboard: readonly LeaderboardEntry[];
  readonly total?: number;
}

/** A player's game: connects at once, reconnects by itself, keeps answers until they are stored. */
export class PlayerGame extends Game<PlayerView> {
  #me: PlayerView['me'];
  readonly #answers: Answers;
  readonly #shown: Asked;
  readonly #team = new TeamOf();
  readonly #boards: Boards;
  readonly #history: History;
  #phase: Phase | null = null;
  #round: RoundStarted | null = null;
  #title: string | null = null;
  #players: readonly Player[] = [];
  #playerTotal = 0;
  #board: readonly BoardRow[] = [];
  #boardTotal = 0;
  #outcome: RoundOutcome | null = null;
  #joker: number | null = null;
  #appeals: readonly OwnAppeal[] = [];
  #tieAnswer: number | null = null;
  #underWay = noneUnderWay();
  /** The contents of the sync messages of a new connection so far. */
  #sync: { questions: Question[]; acked: Set<string>; closed: Set<string> } = noSync();

  protected readonly handlers: Handlers<HeardByPlayer> = {
    game_info: ({ title }) => {
      this.#title = title;
    },
    lobby_update: ({ players, total = players.length }) => {
      this.#players = players;
      this.#playerTotal = total;
      this.#phase ??= 'lobby';
    },
    lobby_changed: (change) => {
      this.#lobbyChanged(change);
    },
    game_started: () => {
      this.#phase = 'question';
    },
    round_started: (round, isSync) => {
      this.#roundStarted(round, isSync);
    },
    question_released: ({ question }, isSync) => {
      this.#released(question, isSync);
    },
    answer_accepted: ({ questionId }, isSync) => {
      this.#accepted(questionId, isSync);
    },
    question_closed: ({ questionId }, isSync) => {
      this.#closed(questionId, isSync);
    },
    round_ended: (_, isSync) => {
      this.#phase = 'round_review';
      this.#answers.roundEnded(!isSync);
      this.#team.roundEnded();
    },
    team_update: (team) => {
      this.#team.updated(team);
    },
    team_sheet: (sheet, isSync) => {
      this.#team.sheet(sheet);
      if (!isSync) this.#share(sheet.answers, false);
    },
    question_edited: (words) => {
      this.#edited(words);
    },
    player_renamed: (player) => {
      this.#renamed(player);
    },
    round_leaderboard: (board) => {
      this.#roundOver('leaderboard');
      this.#show(board, this.#round?.round ?? null);
    },
    standings_status: () => {
      this.#roundOver('leaderboard');
    },
    round_scores: (scores) => {
      this.#scored(scores);
    },
    scoreboard_update: (board) => {
      this.#show(board, this.#round?.round ?? null);
    },
    joker_update: ({ round = null }) => {
      this.#joker = round;
      this.#underWay.joker = null;
    },
    appeal_status: ({ appeals }) => {
      this.#appeals = appeals;
      this.#underWay.appeals.clear();
    },
    tie_breaks: () => {
      if (!this.#asked?.answered) this.#tieAnswer = null;
    },
    tie_break_answer: ({ number = null }) => {
      this.#tieAnswer = number;
      this.#underWay.tie = '';
    },
    game_ended: (board) => {
      this.#roundOver('ended');
      this.#show({ ...board, leaderboard: this.#boards.whole(board.leaderboard, this.#me) }, null);
    },
  };

  constructor(seat: SeatRecord, options: GameOptions = {}) {
    super(seat.gameCode, seat.sessionToken, options);
    const { gameCode, playerId, displayName } = seat;
    this.#me = { gameCode, playerId, displayName };
    const { storage } = this.platform;
    this.#answers = new Answers(storage, kept('answers', gameCode, playerId));
    this.#shown = new Asked(storage, kept('asked', gameCode, playerId));
    this.#boards = new Boards(storage, kept('boards', gameCode, playerId));
    this.#history = new History(storage, kept('history', gameCode, playerId));
  }

  /** Stores typed text on the device; '' removes it. */
  draft(questionId: string, text: string): void {
    if (this.#isElsewhere) return;
    this.#answers.draft(questionId, text);
    this.inUse();
    this.publish();
  }

  /**
   * Wants this answer stored: sends it now, or when the connection is back. False when it is blank, too long or not open. In a team
   * in which only the captain answers, another phone suggests it.
   */
  submit(questionId: string, answer: string): boolean {
    this.catchUp();
    if (this.#isElsewhere || this.#phase !== 'question' || !isSendable(answer)) return false;
    if (!this.#answers.isOpen(questionId)) return false;
    if (this.#team.view?.suggests === true) {
      if (Array.from(answer).length > MOST_SUGGESTED) return false;
      // On the device until it has arrived.
      this.#answers.draft(questionId, answer);
      this.#team.suggest(questionId, answer);
    } else this.#answers.submit(questionId, answer);
    this.#sendAnswers();
    this.publish();
    return true;
  }

  /** Plays the joker for the round that can be doubled now; false when there is none, when it is under way, and without a connection. */
  playJoker(): boolean {
    this.catchUp();
    const { jokerRound } = this.state;
    if (!this.canSend || this.#joker !== null || jokerRound === null || this.#underWay.joker === jokerRound) return false;
    this.#underWay.joker = jokerRound;
    this.send('play_joker');
    this.publish();
    return true;
  }

  /** Asks the host to check the mark of an answer again; false without a connection, and for a question that has an appeal. */
  appeal(questionId: string, text = ''): boolean {
    this.catchUp();
    const isRunning = this.#phase !== null && this.#phase !== 'lobby' && this.#phase !== 'ended';
    if (!isRunning || !this.canSend || !this.speaksV1) return false;
    if (this.#underWay.appeals.has(questionId) || this.#appeals.some((appeal) => appeal.questionId === questionId)) return false;
    this.#underWay.appeals.add(questionId);
    this.send('appeal', { questionId, ...(text.trim() !== '' && { text: text.trim() }) });
    this.publish();
    return true;
  }

  /** Answers the open tie-break; false when this player is not asked, for the answer given last, and without a connection. */
  answerTieBreak(answer: number): boolean {
    this.catchUp();
    const sent = `${String(this.state.tieBreaks.length)}:${String(answer)}`;
    if (!this.canSend || !this.#asked || this.#underWay.tie === sent) return false;
    if (this.#underWay.tie === '' && this.#tieAnswer === answer) return false;
    this.#underWay.tie = sent;
    this.send('answer_tie_break', { number: answer });
    this.publish();
    return true;
  }

  /** This player's entry in the open tie-break. */
  get #asked(): TieBreakPlayer | undefined {
    const last = this.state.tieBreaks.at(-1);
    return isOpen(last) ? last.players.find(({ playerId }) => playerId === this.#me.playerId) : undefined;
  }

  override reopen(): void {
    if (this.#isElsewhere) this.#answers.reload(this.#phase === 'question');
    super.reopen();
  }

  /** Another tab has the seat, and writes to the same storage. */
  get #isElsewhere(): boolean {
    const { connection } = this;
    return connection.state === 'closed' && connection.why === 'replaced';
  }

  protected renew(): void {
    this.#sync = noSync();
    this.#team.renew();
    this.#tieAnswer = null;
    this.#underWay = noneUnderWay();
    if (this.#phase !== null && this.#phase !== 'lobby') this.#phase = 'question';
    else this.#phase = null;
  }

  protected settled(): void {
    this.#phase ??= 'question';
    const { questions, acked, closed } = this.#sync;
    if (this.#phase === 'question') {
      this.#answers.synced(questions, acked, this.#round?.round ?? null, this.speaksV1);
      for (const questionId of closed) this.#answers.closed(questionId, false);
    }
    this.#share(this.#team.answers, true);
    this.#sendAnswers();
  }

  protected lost(refused: boolean): void {
    this.#answers.lineLost(refused);
    this.#team.lineLost(refused);
  }

  protected isWaiting(): boolean {
    return this.#answers.isWaiting || this.#team.isWaiting;
  }

  /** Applies the team's sheet, or new lines of it, and their consequences for the answers here. */
  #share(answers: readonly SheetAnswer[], isSync: boolean): void {
    const { own, ownSuggestions } = this.#team;
    if (own === null) return;
    this.#answers.shared(answers, own, isSync);
    for (const suggestion of ownSuggestions) this.#answers.suggested(suggestion);
  }

  #edited({ questionId, text }: QuestionEdited): void {
    this.#answers.edited(questionId, text);
    this.#shown.edited(questionId, text);
    const isIt = (result: { questionId: string }) => result.questionId === questionId;
    if (!this.#outcome?.results.some(isIt)) return;
    const results = this.#outcome.results.map((result) => (isIt(result) ? { ...result, question: text } : result));
    this.#outcome = { ...this.#outcome, results };
  }

  #renamed({ id, displayName }: Player): void {
    if (this.#me.playerId === id) this.#me = { ...this.#me, displayName };
    this.#players = this.#players.map((player) => (player.id === id ? { id, displayName } : player));
    this.#board = this.#board.map((row) => (row.playerId === id ? { ...row, displayName } : row));
  }

  /** Names are sent only in small lobbies; the total is always right. */
  #lobbyChanged({ joined = [], left = [], total }: LobbyChanged): void {
    const changed = new Set([...left, ...joined.map(({ id }) => id)]);
    this.#players = [...this.#players.filter(({ id }) => !changed.has(id)), ...joined];
    this.#playerTotal = total;
  }

  #roundStarted(round: RoundStarted, isSync: boolean): void {
    if (this.#round?.round !== round.round) this.#answers.forgetAllBut(round.round);
    if (!isSync) this.#team.roundStarted();
    this.#round = round;
    this.#phase = 'question';
  }

  #released(question: Question, isSync: boolean): void {
    // Without `quizhall.v1`, this shows that the next round has begun.
    if (this.#phase === 'leaderboard' && this.#round === null) this.#answers.forgetAllBut(null);
    this.#phase = 'question';
    this.#shown.released(question, this.#round?.round ?? null);
    if (isSync) {
      this.#sync.questions.push(question);
      return;
    }
    this.#answers.released(question, this.#round?.round ?? null);
    this.#sendAnswers();
  }

  #accepted(questionId: string, isSync: boolean): void {
    if (isSync) {
      this.#sync.acked.add(questionId);
      return;
    }
    const again = this.#answers.acked(questionId);
    if (again !== null && this.canSend) this.send('submit_answer', again);
    this.#sendAnswers();
  }

  #closed(questionId: string, isSync: boolean): void {
    this.#team.closed(questionId);
    if (isSync) this.#sync.closed.add(questionId);
    else this.#answers.closed(questionId, true, this.time.timedOut.has(questionId));
  }

  /** Text that was typed and not sent is sent now: it counts if it arrives before the question closes. Not if another phone has
   * answered. */
  protected override timedOut(questionId: string | null): void {
    if (this.#isElsewhere || this.#phase !== 'question' || this.#team.view?.suggests === true) return;
    for (const { question, draft, closed, overtaken } of this.#answers.questions(true)) {
      const isOver = questionId === null || questionId === question.id;
      if (isOver && !closed && !overtaken && draft !== null && isSendable(draft)) this.#answers.submit(question.id, draft.trim());
    }
    this.#sendAnswers();
    this.publish();
  }

  #roundOver(phase: 'leaderboard' | 'ended'): void {
    this.#phase = phase;
    this.#answers.forgetAllBut(null);
  }

  #scored({ results, roundTotal, adjustments = [] }: RoundScores): void {
    const { round = null, title = '' } = this.#round ?? {};
    this.#outcome = { round, title, results, roundTotal, ...(adjustments.length > 0 && { adjustments }) };
    this.#history.add(this.#outcome);
  }

  /** The board for all has the points of the round; the player's own board has the player's row, also in big games. */
  #show({ leaderboard: entries, total }: Board, round: number | null): void {
    const points = new Map(this.#board.map((row) => [row.playerId, row]));
    const whole = entries.map((entry) => {
      const { score, roundScore } = points.get(entry.playerId) ?? {};
      return entry.roundScore === undefined && roundScore !== undefined && score === entry.score
        ? { ...entry, roundScore }
        : entry;
    });
    this.#board = this.#boards.rows(whole, round);
    this.#boardTotal = total ?? whole.length;
  }

  /** This player's row of the board, which has the name of the team after the end, too. */
  get #ownRow(): BoardRow | undefined {
    return this.#board.find(({ playerId }) => playerId === this.#me.playerId);
  }

  #sendAnswers(): void {
    if (!this.canSend || this.#phase !== 'question') return;
    for (const due of this.#answers.take()) this.send('submit_answer', due);
    for (const due of this.#team.take((id) => this.#answers.isOpen(id))) this.send('suggest_answer', due);
  }

  protected picture(): PlayerView {
    const { rounds } = this.#history;
    const hasQuestions = this.#phase === 'question' || this.#phase === 'round_review';
    const questions = hasQuestions ? this.#answers.questions(this.#phase === 'question') : [];
    const team = this.#team.view;
    return {
      ...this.state,
      connection: this.connection,
      phase: this.#phase,
      round: this.#round,
      title: this.#title,
      me: { ...this.#me, displayName: team?.name ?? this.#ownRow?.displayName ?? this.#me.displayName },
      team,
      players: this.#players,
      playerTotal: this.#playerTotal,
      questions: questions.map((each) => this.#team.onSheet(each)),
      asked: this.#shown.questions,
      timers: this.time.timers,
      pause: this.time.pause,
      nextStep: this.time.step,
      // The host chose another pace after it was played in the lobby: then no round has jokers.
      joker: this.#round?.section ? null : this.#joker,
      appeals: this.#appeals,
      tieAnswer: this.#tieAnswer,
      outcome: this.#outcome ?? rounds.at(-1) ?? null,
      history: rounds,
      board: this.state.standingsHeld ? [] : this.#board,
      boardTotal: this.#boardTotal,
    };
  }
}

const noSync = () => ({ questions: [] as Question[], acked: new Set<string>(), closed: new Set<string>() });

function isSendable(answer: string): boolean {
  if (answer.trim() === '' || answer.includes('\0')) return false;
  return Array.from(answer).length <= MAX_CHARACTERS && new TextEncoder().encode(answer).length <= MAX_BYTES;
}
