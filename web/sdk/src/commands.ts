// A host's commands that are not confirmed yet: what is sent, what confirms it, and what is sent again on a new connection.
// Used by HostGame; sends nothing itself. The server handles a connection's commands in order, and closes it when one does
// not fit: so the oldest without a confirmation is the refused one.

import type { HeardByHost, ReviewAnswer, RoomPlayer, SaidByHost } from './generated/protocol.ts';
import type { Phase } from './view.ts';

/** What decides whether a command fits, and whether it has taken effect. */
export interface Stage {
  readonly phase: Phase | null;
  readonly round: number | null;
  readonly lastRound: number | null;
  readonly released: ReadonlySet<string>;
  readonly review: readonly ReviewAnswer[] | null;
  readonly room: readonly RoomPlayer[];
  readonly undoable: number;
  readonly locked: boolean;
  readonly standingsHeld: boolean;
}

interface Pending {
  readonly name: string;
  readonly said: SaidByHost;
  readonly since: number;
  /** As it was when the command was given. */
  readonly round: number | null;
  readonly undoable: number;
  /** Sent on this connection. */
  sent: boolean;
}

/** A command that waited longer for a connection is not what the host wants any more. */
const STALE_MS = 120_000;

/** Where a command is allowed (messages.md#phases); what is not here is allowed until the end. */
const PHASES: Partial<Record<SaidByHost['type'], Phase>> = {
  start_game: 'lobby',
  release_question: 'question',
  end_round: 'question',
  override_answer: 'round_review',
  mark_answers: 'round_review',
  undo_marking: 'round_review',
  release_scores: 'round_review',
  release_own_scores: 'round_review',
  show_standings: 'leaderboard',
  start_next_round: 'leaderboard',
  end_game: 'leaderboard',
};

const TURNS = new Set<string>([
  'start_game',
  'end_round',
  'release_scores',
  'release_own_scores',
  'start_next_round',
  'end_game',
]);
const MARKS = new Set<string>(['override_answer', 'mark_answers', 'undo_marking']);

/** The unconfirmed commands, oldest first. */
export class Commands {
  #pending: Pending[] = [];
  /** A `marking_update` follows each marking's own message: that one is not an undo's. */
  #echo = false;

  /** What is not confirmed, for the view. */
  get names(): readonly string[] {
    return this.#pending.map((pending) => pending.name);
  }

  /** Whether something sent has no confirmation yet. */
  get isWaiting(): boolean {
    return this.#pending.some((pending) => pending.sent);
  }

  /** Takes a command on, if it fits and does not repeat the one before. */
  add(said: SaidByHost, stage: Stage, now: number): boolean {
    const name = nameOf(said);
    const last = this.#pending.findLast((pending) => pending.name === name);
    if (last !== undefined && JSON.stringify(last.said) === JSON.stringify(said)) return false;
    if (!fits(said, stage)) return false;
    // Marks on their way may change what the stage shows, so a mark is sent whatever it shows.
    if (last === undefined && !MARKS.has(said.type) && hasEffect(said, stage) === true) return false;
    // The phase is about to change: what needs the phase of now would come too late.
    if (PHASES[said.type] !== undefined && this.#pending.some((pending) => TURNS.has(pending.said.type))) return false;
    if (said.type === 'undo_marking' && stage.undoable === 0 && !this.#isMarking) return false;
    const { round, undoable } = stage;
    this.#pending.push({ name, said, since: now, round, undoable, sent: false });
    return true;
  }

  get #isMarking(): boolean {
    return this.#pending.some(({ said }) => said.type === 'override_answer' || said.type === 'mark_answers');
  }

  /** What is to be sent now; from now on it counts as sent. */
  take(): SaidByHost[] {
    const due = this.#pending.filter((pending) => !pending.sent);
    for (const pending of due) pending.sent = true;
    return due.map((pending) => pending.said);
  }

  /** Takes in a live message, after the stage has. */
  heard(message: HeardByHost, stage: Stage): void {
    this.#pending = this.#pending.filter((pending) => !(TURNS.has(pending.said.type) && this.#turned(pending, stage)));
    switch (message.type) {
      case 'override_applied':
      case 'answers_marked':
      case 'marking_update':
        this.#marked(message);
        break;
      case 'question_released':
        this.#confirm(({ said }) => said.type === 'release_question' && hasEffect(said, stage) === true);
        break;
      case 'standings_status':
        this.#confirm(({ said }) => said.type === 'show_standings' && hasEffect(said, stage) === true);
        break;
      case 'room_update':
        this.#toldRoom(stage);
        break;
      default:
    }
  }

  /** A new connection's standing messages are in: drops what has taken effect or does not fit any more. */
  renewed(stage: Stage, now: number): void {
    this.#echo = false;
    const marks = this.#pending.filter(({ said }) => MARKS.has(said.type)).length;
    this.#pending = this.#pending.filter((pending) => {
      const { name, said, since, round, undoable } = pending;
      if (now - since > STALE_MS || !fits(said, stage)) return false;
      if (PHASES[said.type] !== undefined && round !== stage.round) return false;
      if (said.type === 'undo_marking') return marks === 1 && undoable === stage.undoable;
      // Of several about the same, the last one counts: it must follow the others even if the stage shows it now.
      const isAlone = MARKS.has(said.type) ? marks === 1 : !this.#pending.some((other) => other !== pending && other.name === name);
      return !isAlone || hasEffect(said, stage) !== true;
    });
  }

  /** The connection is gone; `refused`: because of the oldest command without a confirmation. */
  lineLost(refused: boolean): void {
    const first = this.#pending.find((pending) => pending.sent);
    this.#pending = this.#pending.filter((pending) => !(refused && pending === first));
    for (const pending of this.#pending) pending.sent = false;
  }

  /** Room updates are paced: of locking and unlocking at once only the last shows. In huge games only numbers come. */
  #toldRoom(stage: Stage): void {
    const lock = this.#pending.findLast(({ said }) => said.type === 'lock_game');
    const locked = lock !== undefined && hasEffect(lock.said, stage) === true;
    this.#confirm(({ said }) => {
      if (said.type === 'lock_game') return locked;
      return said.type === 'remove_player' && hasEffect(said, stage) !== false;
    });
  }

  #turned({ said, round }: Pending, stage: Stage): boolean {
    if (said.type === 'start_next_round') return stage.phase !== 'leaderboard' || stage.round !== round;
    return stage.phase !== PHASES[said.type];
  }

  #marked(message: HeardByHost): void {
    if (message.type === 'marking_update') {
      if (!this.#echo) this.#confirm(({ said }) => said.type === 'undo_marking', 1);
      this.#echo = false;
      return;
    }
    this.#echo = true;
    if (message.type === 'override_applied') {
      const { playerId, questionId, correct } = message.payload;
      const same: SaidByHost = { type: 'override_answer', payload: { playerId, questionId, correct } };
      this.#confirm(({ said }) => JSON.stringify(said) === JSON.stringify(same), 1);
    } else if (message.type === 'answers_marked' && (message.payload.part ?? 1) === (message.payload.parts ?? 1)) {
      const { questionId } = message.payload;
      const isIt = ({ said }: Pending) =>
        said.type === 'undo_marking' || (said.type === 'mark_answers' && said.payload.questionId === questionId);
      this.#confirm(isIt, 1);
    }
  }

  /** Takes out sent commands that are confirmed, at most so many. */
  #confirm(isIt: (pending: Pending) => boolean, most = Infinity): void {
    let left = most;
    this.#pending = this.#pending.filter((pending) => {
      if (left === 0 || !pending.sent || !isIt(pending)) return true;
      left -= 1;
      return false;
    });
  }
}

/** The message's type, and what it is about. */
function nameOf(said: SaidByHost): string {
  switch (said.type) {
    case 'release_question':
    case 'mark_answers':
      return `${said.type}:${said.payload.questionId}`;
    case 'override_answer':
      return `${said.type}:${said.payload.playerId}:${said.payload.questionId}`;
    case 'remove_player':
      return `${said.type}:${said.payload.playerId}`;
    default:
      return said.type;
  }
}

function fits(said: SaidByHost, stage: Stage): boolean {
  if (stage.phase === null || stage.phase === 'ended') return false;
  if ((PHASES[said.type] ?? stage.phase) !== stage.phase) return false;
  return said.type !== 'start_next_round' || stage.round === null || stage.round !== stage.lastRound;
}

/** Whether the stage shows what the command is for; null when the stage cannot show it. */
function hasEffect(said: SaidByHost, stage: Stage): boolean | null {
  switch (said.type) {
    case 'release_question':
      return stage.released.has(said.payload.questionId);
    case 'show_standings':
      return !stage.standingsHeld;
    case 'lock_game':
      return stage.locked === said.payload.locked;
    case 'remove_player':
      return stage.room.length === 0 ? null : !stage.room.some((player) => player.id === said.payload.playerId);
    case 'override_answer': {
      const { playerId, questionId, correct } = said.payload;
      const isIt = (answer: ReviewAnswer) => answer.playerId === playerId && answer.questionId === questionId;
      return stage.review === null ? null : (stage.review.find(isIt)?.correct ?? false) === correct;
    }
    case 'mark_answers': {
      const { questionId, correct } = said.payload;
      const texts = new Set(said.payload.answers);
      const isIt = (answer: ReviewAnswer) => answer.questionId === questionId && texts.has(answer.answer);
      return stage.review === null ? null : stage.review.filter(isIt).every((answer) => answer.correct === correct);
    }
    default:
      return false;
  }
}
