// The properties of each command of a host: where it is allowed, its subject, and its confirmation. A new command of the protocol does not
// compile without a row here. Used by commands.ts.

import { countsAs } from './choices.ts';
import type {
  Adjusted,
  AutopilotPlan,
  FromAnyV1,
  FromHostV1,
  HeardByHost,
  QuestionEdited,
  ReviewAnswer,
  RoomPlayer,
  SaidByHost,
  StepUpdate,
} from './generated/protocol.ts';
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
  readonly adjustments: readonly Adjusted[];
  /** What `next` does. */
  readonly next: StepUpdate | null;
  readonly closeWhenAnswered: boolean;
}

/** The properties of a command besides its message. */
interface Basics<Payload> {
  /**
   * Where it is allowed, in the order of the phases; a test compares with the reference. A command of one or two phases belongs to the
   * round in which it was given.
   */
  readonly phases: readonly Phase[];
  /** The subject: of several commands with the same subject, the last one counts. */
  readonly subject?: (payload: Payload) => string;
  /** Whether the stage shows the effect; null when the stage cannot show it. */
  readonly isShown?: (payload: Payload, stage: Stage) => boolean | null;
  /** Whether the stage has its subject; otherwise it is not sent. */
  readonly needs?: (payload: Payload, stage: Stage) => boolean;
  /** Sent twice, it would take effect twice: a command that was sent on a lost connection is not sent again. */
  readonly once?: true;
  /** While nodes of an earlier version are listed it gets no answer, which proves nothing about the connection. */
  readonly mayBeUnheard?: true;
}

/** How it is confirmed: each command in one of three ways. */
type Confirmed =
  /** Ends its phase, and every command that needs it: the next phase confirms it. */
  | { readonly turns: true; readonly marks?: never; readonly by?: never }
  /** Changes marks: several under way depend on each other, and have rules of their own. */
  | { readonly turns?: never; readonly marks: true; readonly by?: never }
  /** By these messages, when the stage does not show the contrary; a test compares with the reference. */
  | { readonly turns?: never; readonly marks?: never; readonly by: readonly HeardByHost['type'][] };

/** A row of the table. */
export type About<Payload> = Basics<Payload> & Confirmed;

type PayloadOf<Command> = Command extends { payload: infer Payload } ? Payload : undefined;

/** The time of a timer falls by itself; a question that closes meanwhile is an answer as well. */
const OF_TIMERS = {
  isShown: () => null,
  by: ['timer_update', 'question_closed'],
} as const;

/** The properties of each command. */
type Table = {
  readonly [Type in HostCommand['type']]: About<PayloadOf<Extract<HostCommand, { type: Type }>>> &
    (Type extends FromHostV1['type'] ? { readonly v1: true } : { readonly v1?: never });
};

const REVIEWED: readonly Phase[] = ['question', 'round_review'];
const BEGUN: readonly Phase[] = [...REVIEWED, 'leaderboard'];
const RUNNING: readonly Phase[] = ['lobby', ...BEGUN];
const BETWEEN_ROUNDS: readonly Phase[] = ['lobby', 'round_review', 'leaderboard'];

/** Each command. */
export const COMMANDS: Table = {
  start_game: { phases: ['lobby'], turns: true },
  release_question: {
    phases: ['question'],
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId }, { released }) => released.has(questionId),
    by: ['question_released'],
  },
  end_round: { phases: ['question'], turns: true },
  override_answer: {
    phases: ['round_review'],
    marks: true,
    subject: ({ playerId, questionId }) => `${playerId}:${questionId}`,
    isShown: ({ playerId, questionId, correct }, { review }) => {
      const isIt = (answer: ReviewAnswer) => answer.playerId === playerId && answer.questionId === questionId;
      return review === null ? null : countsAs(review.find(isIt) ?? { correct: false }, correct);
    },
  },
  mark_answers: {
    v1: true,
    phases: ['round_review'],
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
    phases: REVIEWED,
    marks: true,
    subject: ({ questionId, text }) => `${questionId}:${text}`,
    isShown: () => null,
  },
  /** No stage shows the marks of earlier rounds. */
  correct_marks: {
    v1: true,
    phases: BEGUN,
    subject: ({ questionId }) => questionId,
    isShown: () => null,
    by: ['board_update'],
  },
  /** Two with the same points are one double click, until the first is confirmed. */
  adjust_points: {
    v1: true,
    phases: BEGUN,
    subject: ({ playerId }) => playerId,
    isShown: () => null,
    once: true,
    by: ['adjustments_update'],
  },
  undo_adjustment: {
    v1: true,
    phases: BEGUN,
    subject: ({ adjustmentId }) => adjustmentId,
    isShown: ({ adjustmentId }, { adjustments }) => !adjustments.some((one) => one.adjustmentId === adjustmentId),
    by: ['adjustments_update'],
  },
  dismiss_appeal: {
    v1: true,
    phases: BEGUN,
    subject: ({ playerId, questionId }) => `${playerId}:${questionId}`,
    isShown: () => null,
    by: ['appeals_update'],
  },
  /** No stage shows it. The answers that it requests come before the count of markings. */
  open_desk: {
    v1: true,
    phases: REVIEWED,
    isShown: () => null,
    by: ['marking_update'],
    mayBeUnheard: true,
  },
  undo_marking: { v1: true, phases: REVIEWED, marks: true },
  release_scores: { phases: ['round_review'], turns: true },
  release_own_scores: { v1: true, phases: ['round_review'], turns: true },
  show_standings: {
    v1: true,
    phases: ['leaderboard'],
    isShown: (_, { standingsHeld }) => !standingsHeld,
    by: ['standings_status'],
  },
  /** The counts may differ each time, so it is always sent. */
  show_tally: { v1: true, phases: BEGUN, subject: ({ questionId }) => questionId, isShown: () => null, by: ['tally'] },
  /** A step with another number than the last one stated is over, or was never stated. */
  next: {
    v1: true,
    phases: [...RUNNING, 'ended'],
    subject: ({ number }) => String(number),
    isShown: ({ number }, { next }) => next !== null && next.number !== number,
    by: ['step_update'],
  },
  start_next_round: { phases: ['leaderboard'], turns: true },
  end_game: { phases: ['leaderboard'], turns: true },
  /** Room updates are paced: of locking and unlocking in quick succession only the last shows. */
  lock_game: { v1: true, phases: RUNNING, isShown: ({ locked }, stage) => stage.locked === locked, by: ['room_update'] },
  set_timer: {
    v1: true,
    phases: ['question'],
    subject: ({ questionId }) => questionId ?? 'round',
    needs: ({ questionId }, { closed }) => questionId === undefined || !closed.has(questionId),
    ...OF_TIMERS,
  },
  add_time: {
    v1: true,
    phases: ['question'],
    subject: ({ questionId }) => questionId ?? 'round',
    needs: ({ questionId = null }, { timers }) => timers.some((timer) => timer.questionId === questionId),
    once: true,
    ...OF_TIMERS,
  },
  pause_timer: { v1: true, phases: ['question'], needs: (_, { timers }) => timers.length > 0, ...OF_TIMERS },
  resume_timer: { v1: true, phases: ['question'], needs: (_, { timers }) => timers.length > 0, ...OF_TIMERS },
  close_question: {
    v1: true,
    phases: ['question'],
    subject: ({ questionId }) => questionId,
    needs: ({ questionId }, { released }) => released.has(questionId),
    isShown: ({ questionId }, { closed }) => closed.has(questionId),
    by: ['question_closed'],
  },
  set_close_when_answered: {
    v1: true,
    phases: RUNNING,
    isShown: ({ on }, { closeWhenAnswered }) => closeWhenAnswered === on,
    by: ['game_options'],
  },
  start_autopilot: {
    v1: true,
    phases: BEGUN,
    isShown: (plan, { autopilot }) => autopilot !== null && isSamePlan(plan, autopilot),
    by: ['autopilot_status'],
  },
  reveal_answer: {
    v1: true,
    phases: ['round_review', 'leaderboard'],
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId }, { revealed }) => revealed.some((answer) => answer.questionId === questionId),
    by: ['answer_revealed'],
  },
  start_break: { v1: true, phases: BETWEEN_ROUNDS, isShown: () => null, by: ['break_update'], once: true },
  end_break: { v1: true, phases: BETWEEN_ROUNDS, isShown: (_, { pause }) => pause === null, by: ['break_update'] },
  tie_break: {
    v1: true,
    phases: ['leaderboard'],
    isShown: ({ text, playerIds }, { tieBreaks }) => {
      const open = tieBreaks.at(-1);
      return isOpen(open) && open.text === text && open.players.map(({ playerId }) => playerId).join() === playerIds.join();
    },
    by: ['tie_breaks'],
  },
  end_tie_break: {
    v1: true,
    phases: ['leaderboard'],
    isShown: (_, { tieBreaks }) => !isOpen(tieBreaks.at(-1)),
    by: ['tie_breaks'],
  },
  edit_question: {
    v1: true,
    phases: RUNNING,
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId, text, choices, accepted }, { words }) => {
      const known = words.get(questionId);
      const isSame = (wanted: readonly string[] | undefined, has: readonly string[] | undefined) =>
        wanted === undefined || JSON.stringify(wanted) === JSON.stringify(has);
      const hasLists = isSame(choices, known?.choices) && isSame(accepted, known?.accepted);
      return known !== undefined && hasLists && (text === undefined || text === known.text);
    },
    by: ['question_edited'],
  },
  withdraw_question: {
    v1: true,
    phases: BEGUN,
    subject: ({ questionId }) => questionId,
    isShown: ({ questionId }, { withdrawn }) => withdrawn.includes(questionId),
    by: ['question_withdrawn'],
  },
  /** In very large games only numbers are sent. */
  remove_player: {
    v1: true,
    phases: RUNNING,
    subject: ({ playerId }) => playerId,
    isShown: ({ playerId }, { room }) => (room.length === 0 ? null : !room.some(({ id }) => id === playerId)),
    by: ['room_update'],
  },
  rename_player: {
    v1: true,
    phases: RUNNING,
    subject: ({ playerId }) => playerId,
    isShown: ({ playerId, displayName }, { room }) =>
      room.length === 0 ? null : room.find(({ id }) => id === playerId)?.displayName === displayName,
    by: ['player_renamed'],
  },
  set_extra_time: {
    v1: true,
    phases: RUNNING,
    subject: ({ playerId }) => playerId,
    needs: ({ playerId }, { room }) => room.some(({ id }) => id === playerId),
    isShown: ({ playerId, percent }, { room }) => (room.find(({ id }) => id === playerId)?.extraTime ?? 100) === percent,
    by: ['room_update'],
  },
  /** In very large games only numbers are sent. */
  add_seat: {
    v1: true,
    phases: RUNNING,
    subject: ({ displayName }) => displayName,
    isShown: ({ displayName }, { room }) =>
      room.length === 0 ? null : room.some((player) => player.onPaper === true && player.displayName === displayName),
    by: ['room_update'],
  },
  enter_answer: {
    v1: true,
    phases: REVIEWED,
    subject: ({ playerId, questionId }) => `${playerId}:${questionId}`,
    isShown: ({ playerId, questionId, answer }, { entered }) =>
      entered.some((known) => known.playerId === playerId && known.questionId === questionId && known.answer === answer),
    by: ['answers_entered'],
  },
  stop_autopilot: { v1: true, phases: BEGUN, isShown: (_, { autopilot }) => autopilot === null, by: ['autopilot_status'] },
};

function isSamePlan(one: AutopilotPlan, other: AutopilotPlan): boolean {
  return (Object.keys({ ...one, ...other }) as (keyof AutopilotPlan)[]).every((field) => one[field] === other[field]);
}
