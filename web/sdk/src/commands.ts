// A host's unconfirmed commands: the messages, their confirmations, and those that are sent again on a new connection.
// Used by HostGame; sends nothing itself. The server handles a connection's commands in order, and closes it when it refuses
// one: the oldest command without a confirmation is then the refused one.

import { countsAs } from './choices.ts';
import type {
  AutopilotPlan,
  FromAnyV1,
  FromHostV1,
  HeardByHost,
  QuestionEdited,
  ReviewAnswer,
  RoomPlayer,
  SaidByHost,
} from './generated/protocol.ts';
import { OF_PLAYERS } from './playercommands.ts';
import type { StateValues } from './state.ts';
import { isOpen } from './ties.ts';
import type { TimerState } from './timers.ts';
import type { Phase } from './view.ts';

/** A message that a host's page sends for the host. */
export type HostCommand = Exclude<SaidByHost, FromAnyV1>;

/** The state that decides whether a command is allowed, and whether it has taken effect. */
export interface Stage extends StateValues, TimerState {
  readonly phase: Phase | null;
  readonly round: number | null;
  readonly lastRound: number | null;
  readonly released: ReadonlySet<string>;
  readonly review: readonly ReviewAnswer[] | null;
  readonly room: readonly RoomPlayer[];
  readonly words: ReadonlyMap<string, QuestionEdited>;
  readonly entered: readonly ReviewAnswer[];
  readonly undoable: number;
  readonly locked: boolean;
}

/** The properties of a command besides its message. */
interface About<Payload> {
  /** The phase in which it is allowed (messages.md#phases); without one, until the end. */
  readonly phase?: Phase;
  /** The phase after that one, if it is allowed there as well. */
  readonly also?: Phase;
  /** Ends this phase, and every command that needs it. */
  readonly turns?: true;
  /** Changes marks: several under way depend on each other. */
  readonly marks?: true;
  /** The subject: of several commands with the same subject, the last one counts. */
  readonly subject?: (payload: Payload) => string;
  /** Whether the stage shows the effect; null when the stage cannot show it. */
  readonly isShown?: (payload: Payload, stage: Stage) => boolean | null;
  /** The messages that confirm it, when the stage does not show the contrary. Turns and marks have rules of their own. */
  readonly by?: readonly HeardByHost['type'][];
  /** Whether the stage has its subject; otherwise it is not sent. */
  readonly needs?: (payload: Payload, stage: Stage) => boolean;
  /** Sent twice, it would take effect twice: a command that was sent on a lost connection is not sent again. */
  readonly once?: true;
  /** While nodes of an earlier version are listed it gets no answer, which proves nothing about the connection. */
  readonly mayBeUnheard?: true;
}

type PayloadOf<Command> = Command extends { payload: infer Payload } ? Payload : undefined;

/** The time of a timer falls by itself; a question that closes meanwhile is an answer as well. */
const OF_TIMERS = {
  isShown: () => null,
  by: ['timer_update', 'question_closed'],
} as const;

/** The properties of each command. */
export type Table = {
  readonly [Type in HostCommand['type']]: About<PayloadOf<Extract<HostCommand, { type: Type }>>> &
    (Type extends FromHostV1['type'] ? { readonly v1: true } : { readonly v1?: never });
};

const COMMANDS: Table = {
  start_game: { phase: 'lobby', turns: true },
  release_question: {
    phase: 'question',
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId }, { released }) => released.has(questionId),
    by: ['question_released'],
  },
  end_round: { phase: 'question', turns: true },
  override_answer: {
    phase: 'round_review',
    marks: true,
    subject: ({ playerId, questionId }) => `${playerId}:${questionId}`,
    isShown: ({ playerId, questionId, correct }, { review }) => {
      const isIt = (answer: ReviewAnswer) => answer.playerId === playerId && answer.questionId === questionId;
      return review === null ? null : countsAs(review.find(isIt) ?? { correct: false }, correct);
    },
  },
  mark_answers: {
    v1: true,
    phase: 'round_review',
    marks: true,
    subject: ({ questionId }) => questionId,
    /** The stage does not know how many points are half. */
    isShown: ({ questionId, answers, correct, half }, { review }) => {
      if (half === true) return null;
      const texts = new Set(answers);
      const isIt = (answer: ReviewAnswer) => answer.questionId === questionId && texts.has(answer.answer);
      return review === null ? null : review.filter(isIt).every((answer) => countsAs(answer, correct));
    },
  },
  /** The stage does not show the key. */
  accept_answer: {
    v1: true,
    phase: 'question',
    also: 'round_review',
    marks: true,
    subject: ({ questionId, text }) => `${questionId}:${text}`,
    isShown: () => null,
  },
  /** No stage shows the marks of earlier rounds. */
  correct_marks: {
    v1: true,
    needs: isBegun,
    subject: ({ questionId }) => questionId,
    isShown: () => null,
    by: ['board_update'],
  },
  dismiss_appeal: {
    v1: true,
    needs: isBegun,
    subject: ({ playerId, questionId }) => `${playerId}:${questionId}`,
    isShown: () => null,
    by: ['appeals_update'],
  },
  /** No stage shows it. The answers that it requests come before the count of markings. */
  open_desk: {
    v1: true,
    phase: 'question',
    also: 'round_review',
    isShown: () => null,
    by: ['marking_update'],
    mayBeUnheard: true,
  },
  undo_marking: { v1: true, phase: 'question', also: 'round_review', marks: true },
  release_scores: { phase: 'round_review', turns: true },
  release_own_scores: { v1: true, phase: 'round_review', turns: true },
  show_standings: {
    v1: true,
    phase: 'leaderboard',
    isShown: (_, { standingsHeld }) => !standingsHeld,
    by: ['standings_status'],
  },
  /** The counts may differ each time, so it is always sent. */
  show_tally: { v1: true, subject: ({ questionId }) => questionId, isShown: () => null, by: ['tally'] },
  start_next_round: { phase: 'leaderboard', turns: true },
  end_game: { phase: 'leaderboard', turns: true },
  /** Room updates are paced: of locking and unlocking in quick succession only the last shows. */
  lock_game: { v1: true, isShown: ({ locked }, stage) => stage.locked === locked, by: ['room_update'] },
  set_timer: {
    v1: true,
    phase: 'question',
    subject: ({ questionId }) => questionId ?? 'round',
    needs: ({ questionId }, { closed }) => questionId === undefined || !closed.has(questionId),
    ...OF_TIMERS,
  },
  add_time: {
    v1: true,
    phase: 'question',
    subject: ({ questionId }) => questionId ?? 'round',
    needs: ({ questionId = null }, { timers }) => timers.some((timer) => timer.questionId === questionId),
    once: true,
    ...OF_TIMERS,
  },
  pause_timer: { v1: true, phase: 'question', needs: (_, { timers }) => timers.length > 0, ...OF_TIMERS },
  resume_timer: { v1: true, phase: 'question', needs: (_, { timers }) => timers.length > 0, ...OF_TIMERS },
  start_autopilot: {
    v1: true,
    phase: 'question',
    isShown: (plan, { autopilot }) => autopilot !== null && isSamePlan(plan, autopilot),
    by: ['autopilot_status'],
  },
  reveal_answer: {
    v1: true,
    subject: ({ questionId }) => questionId,
    needs: (_, { phase }) => phase === 'round_review' || phase === 'leaderboard',
    isShown: ({ questionId }, { revealed }) => revealed.some((answer) => answer.questionId === questionId),
    by: ['answer_revealed'],
  },
  start_break: { v1: true, needs: isBetweenRounds, isShown: () => null, by: ['break_update'], once: true },
  end_break: { v1: true, needs: isBetweenRounds, isShown: (_, { pause }) => pause === null, by: ['break_update'] },
  tie_break: {
    v1: true,
    phase: 'leaderboard',
    isShown: ({ text, playerIds }, { tieBreaks }) => {
      const open = tieBreaks.at(-1);
      return isOpen(open) && open.text === text && open.players.map(({ playerId }) => playerId).join() === playerIds.join();
    },
    by: ['tie_breaks'],
  },
  end_tie_break: {
    v1: true,
    phase: 'leaderboard',
    isShown: (_, { tieBreaks }) => !isOpen(tieBreaks.at(-1)),
    by: ['tie_breaks'],
  },
  edit_question: {
    v1: true,
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId, text, choices }, { words }) => {
      const known = words.get(questionId);
      const hasChoices = choices === undefined || JSON.stringify(choices) === JSON.stringify(known?.choices);
      return known !== undefined && hasChoices && (text === undefined || text === known.text);
    },
    by: ['question_edited'],
  },
  withdraw_question: {
    v1: true,
    needs: isBegun,
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId }, { withdrawn }) => withdrawn.includes(questionId),
    by: ['question_withdrawn'],
  },
  ...OF_PLAYERS,
  stop_autopilot: { v1: true, phase: 'question', isShown: (_, { autopilot }) => autopilot === null, by: ['autopilot_status'] },
};

function isBegun(_: unknown, { phase }: Stage): boolean {
  return phase === 'question' || phase === 'round_review' || phase === 'leaderboard';
}

function isBetweenRounds(_: unknown, { phase }: Stage): boolean {
  return phase === 'lobby' || phase === 'round_review' || phase === 'leaderboard';
}

function isSamePlan(one: AutopilotPlan, other: AutopilotPlan): boolean {
  return (
    one.answerFor === other.answerFor &&
    one.revealFor === other.revealFor &&
    one.breakFor === other.breakFor &&
    one.holdWithoutHost === other.holdWithoutHost
  );
}

const aboutOf = (command: HostCommand) => COMMANDS[command.type] as About<unknown> & { readonly v1?: true };
const payloadOf = (command: HostCommand): unknown => ('payload' in command ? command.payload : undefined);

/** Whether a server without `quizhall.v1` does not know it. */
export const isOfV1 = (command: HostCommand): boolean => aboutOf(command).v1 === true;

interface Pending {
  readonly name: string;
  readonly command: HostCommand;
  readonly since: number;
  /** The round when the command was given. */
  readonly round: number | null;
  readonly undoable: number;
  /** Whether it was sent on this connection. */
  sent: boolean;
  /** Whether it was sent on an earlier connection, and may have arrived. */
  astray: boolean;
}

/** A command that waited longer for a connection is no longer what the host wants. */
const STALE_MS = 120_000;

/** The unconfirmed commands, oldest first. */
export class Commands {
  #pending: Pending[] = [];
  /** A `marking_update` follows each marking's own message: that one does not belong to an undo. */
  #echo = false;

  /** The unconfirmed commands, for the view. */
  get names(): readonly string[] {
    return this.#pending.map((pending) => pending.name);
  }

  /** Whether a sent command has no confirmation yet. */
  get isWaiting(): boolean {
    return this.#pending.some(({ sent, command }) => sent && !aboutOf(command).mayBeUnheard);
  }

  /** Adds a command, if it is allowed and does not repeat the one before. */
  add(command: HostCommand, stage: Stage, now: number): boolean {
    const name = nameOf(command);
    const last = this.#pending.slice(this.#firstAfterUndo(command)).findLast((pending) => pending.name === name);
    if (last !== undefined && JSON.stringify(last.command) === JSON.stringify(command)) return false;
    if (!fits(command, stage)) return false;
    // Marks under way may change what the stage shows, so a mark is sent whatever it shows.
    const { phase, also, marks } = aboutOf(command);
    if (last === undefined && !marks && isShown(command, stage) === true) return false;
    // The phase is about to change: a command that needs the present phase would come too late.
    const isTurning = (from: Phase): boolean =>
      this.#pending.some((pending) => aboutOf(pending.command).turns && aboutOf(pending.command).phase === from);
    if (phase !== undefined && isTurning(also ?? phase)) return false;
    if (command.type === 'undo_marking' && stage.undoable === 0 && !this.#isMarking) return false;
    const { round, undoable } = stage;
    this.#pending.push({ name, command, since: now, round, undoable, sent: false, astray: false });
    return true;
  }

  /** A mark that an undo under way will undo is not a repetition when it is given again. */
  #firstAfterUndo(command: HostCommand): number {
    if (!aboutOf(command).marks || command.type === 'undo_marking') return 0;
    return this.#pending.findLastIndex((pending) => pending.command.type === 'undo_marking') + 1;
  }

  get #isMarking(): boolean {
    return this.#pending.some(({ command }) => aboutOf(command).marks && command.type !== 'undo_marking');
  }

  /** The commands to send now; from now on they count as sent. */
  take(): HostCommand[] {
    const due = this.#pending.filter((pending) => !pending.sent);
    for (const pending of due) pending.sent = true;
    return due.map((pending) => pending.command);
  }

  /** Applies a live message, after the stage has. */
  received(message: HeardByHost, stage: Stage): void {
    this.#pending = this.#pending.filter(({ command, round }) => !(aboutOf(command).turns && hasTurned(command, round, stage)));
    this.#marked(message);
    this.#confirm(({ name, command }) => {
      if (aboutOf(command).by?.includes(message.type) !== true) return false;
      const last = this.#pending.findLast((pending) => pending.name === name);
      return last !== undefined && isShown(last.command, stage) !== false;
    });
  }

  /** The sync messages of a new connection have arrived: drops commands that have taken effect or are no longer allowed. */
  renewed(stage: Stage, now: number): void {
    this.#echo = false;
    const marks = this.#pending.filter(({ command }) => aboutOf(command).marks).length;
    this.#pending = this.#pending.filter((pending) => {
      const { name, command, since, round, undoable } = pending;
      if (now - since > STALE_MS || !fits(command, stage)) return false;
      const about = aboutOf(command);
      if (about.once && pending.astray) return false;
      if (about.phase !== undefined && round !== stage.round) return false;
      if (command.type === 'undo_marking') return marks === 1 && undoable === stage.undoable;
      // Of several with the same subject, the last one counts: it must follow the others even if the stage shows it now.
      const isAlone = about.marks ? marks === 1 : !this.#pending.some((other) => other !== pending && other.name === name);
      return !isAlone || isShown(command, stage) !== true;
    });
  }

  /** The connection is lost; `refused`: because of the oldest command without a confirmation, which is returned. */
  lineLost(refused: boolean): HostCommand | undefined {
    const first = this.#pending.find((pending) => pending.sent);
    this.#pending = this.#pending.filter((pending) => !(refused && pending === first));
    for (const pending of this.#pending) {
      pending.astray ||= pending.sent;
      pending.sent = false;
    }
    return refused ? first?.command : undefined;
  }

  #marked(message: HeardByHost): void {
    if (message.type === 'marking_update') {
      const isOfDesk = this.#pending.find(({ sent }) => sent)?.command.type === 'open_desk';
      if (!this.#echo && !isOfDesk) this.#confirm(({ command }) => command.type === 'undo_marking', 1);
      this.#echo = false;
    } else if (message.type === 'override_applied') {
      this.#echo = true;
      const { playerId, questionId, correct } = message.payload;
      const same: HostCommand = { type: 'override_answer', payload: { playerId, questionId, correct } };
      this.#confirm(({ command }) => JSON.stringify(command) === JSON.stringify(same), 1);
    } else if (message.type === 'answers_marked') {
      this.#echo = true;
      const { questionId, part = 1, parts = 1 } = message.payload;
      if (part !== parts) return;
      const isIt = ({ command }: Pending) =>
        command.type === 'undo_marking' ||
        ((command.type === 'mark_answers' || command.type === 'accept_answer') && command.payload.questionId === questionId);
      this.#confirm(isIt, 1);
    }
  }

  /** Removes sent commands that are confirmed, at most this many. */
  #confirm(isIt: (pending: Pending) => boolean, most = Infinity): void {
    let left = most;
    this.#pending = this.#pending.filter((pending) => {
      if (left === 0 || !pending.sent || !isIt(pending)) return true;
      left -= 1;
      return false;
    });
  }
}

/** The message's type, and its subject. */
function nameOf(command: HostCommand): string {
  const subject = aboutOf(command).subject?.(payloadOf(command));
  return subject === undefined ? command.type : `${command.type}:${subject}`;
}

function fits(command: HostCommand, stage: Stage): boolean {
  if (stage.phase === null || stage.phase === 'ended') return false;
  const { phase = stage.phase, also } = aboutOf(command);
  if (phase !== stage.phase && also !== stage.phase) return false;
  const { needs = () => true } = aboutOf(command);
  if (!needs(payloadOf(command), stage)) return false;
  return command.type !== 'start_next_round' || stage.round === null || stage.round !== stage.lastRound;
}

/** Whether a command that ends a phase has done so. `round`: when it was given. */
function hasTurned(command: HostCommand, round: number | null, stage: Stage): boolean {
  if (command.type === 'start_next_round') return stage.phase !== 'leaderboard' || stage.round !== round;
  return stage.phase !== aboutOf(command).phase;
}

/** False also for commands that no stage shows. */
function isShown(command: HostCommand, stage: Stage): boolean | null {
  const { isShown = () => false } = aboutOf(command);
  return isShown(payloadOf(command), stage);
}
