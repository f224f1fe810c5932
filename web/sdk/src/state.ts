// The values of the state messages of `quizhall.v1`: each is sent on connecting and with every change, to all sockets or to all players,
// and replaces one value that both views show. A new one is a row of STATES. Used by Game. Pure, and calls nothing while it is
// loaded, so that a page which shows no game does not include it.

import type {
  AnsweredStatus,
  AnswerRevealed,
  AutopilotStatus,
  HostStatus,
  JokerRound,
  MediaPreload,
  QuestionEdited,
  QuestionWithdrawn,
  SealStatus,
  StandingsStatus,
  Tally,
  TieBreaks,
  TieBreakStatus,
  ToAll,
  ToAllV1,
  ToPlayerV1,
} from './generated/protocol.ts';
import type { Envelope } from './socket.ts';

type FromServer = (ToAll | ToAllV1 | ToPlayerV1)['type'];

interface State {
  readonly type: FromServer;
  /** The value before a message, on a new connection too. */
  readonly none: unknown;
  /** `before` is the present value. */
  readonly read: (payload: never, before: never) => unknown;
  /** Messages that end it without a message of its own. */
  readonly endedBy: readonly FromServer[];
}

const STATES = {
  /** Whether the host is connected; null when the server does not send it. */
  hostConnected: { type: 'host_status', none: null, read: ({ connected }: HostStatus) => connected, endedBy: [] },
  /** The seal of the quiz, 64 hexadecimal digits; null when it is not sealed. */
  seal: { type: 'seal_status', none: null, read: ({ seal }: SealStatus) => seal, endedBy: [] },
  /** The round, from 1, for which players can play their joker now; null while there is none. */
  jokerRound: { type: 'joker_round', none: null, read: ({ round }: JokerRound) => round ?? null, endedBy: ['game_ended'] },
  /** The scores are released, and the host has not shown the standings yet (`showStandings`). */
  standingsHeld: {
    type: 'standings_status',
    none: false,
    read: ({ held }: StandingsStatus) => held,
    endedBy: ['round_started', 'game_ended'],
  },
  /** The tally that the host shows, if any. */
  tally: { type: 'tally', none: null, read: (tally: Tally) => tally, endedBy: ['round_started', 'game_ended'] },
  /** The plan of the autopilot; null while none runs. */
  autopilot: {
    type: 'autopilot_status',
    none: null,
    read: ({ plan }: AutopilotStatus) => plan ?? null,
    endedBy: ['game_ended'],
  },
  /** The tie-breaks after the round, in order; the last can be open. */
  tieBreaks: {
    type: 'tie_breaks',
    none: [] as readonly TieBreakStatus[],
    read: ({ tieBreaks }: TieBreaks): readonly TieBreakStatus[] => tieBreaks,
    endedBy: ['round_started'],
  },
  /** The right answers of the round that the host has revealed, in that order. */
  revealed: {
    type: 'answer_revealed',
    none: [] as readonly AnswerRevealed[],
    read: (answer: AnswerRevealed, before: readonly AnswerRevealed[]): readonly AnswerRevealed[] => {
      const isIt = ({ questionId }: AnswerRevealed) => questionId === answer.questionId;
      return before.some(isIt) ? before.map((each) => (isIt(each) ? answer : each)) : [...before, answer];
    },
    endedBy: ['round_started', 'game_ended'],
  },
  /** The questions of the round whose text was edited after their release. */
  corrected: {
    type: 'question_edited',
    none: [] as readonly string[],
    read: ({ questionId, corrected }: QuestionEdited, before: readonly string[]): readonly string[] =>
      !corrected || before.includes(questionId) ? before : [...before, questionId],
    endedBy: ['round_started'],
  },
  /** The questions that the host withdrew from the round: they earn no points. */
  withdrawn: {
    type: 'question_withdrawn',
    none: [] as readonly string[],
    read: ({ questionId }: QuestionWithdrawn, before: readonly string[]): readonly string[] =>
      before.includes(questionId) ? before : [...before, questionId],
    endedBy: ['round_started'],
  },
  /** How many have answered the newest question; null when it is not sent: to hosts, who count themselves, and in small games. */
  answered: {
    type: 'answered_status',
    none: null,
    read: (status: AnsweredStatus) => status,
    endedBy: ['question_released', 'round_ended', 'round_started', 'game_ended'],
  },
  /** The pictures and sounds to load ahead (media.ts); null when there were none yet. */
  preload: { type: 'media_preload', none: null, read: (payload: MediaPreload) => payload, endedBy: [] },
} as const satisfies Record<string, State>;

type States = typeof STATES;

/** The messages that this table takes in. */
export type StateMessage = States[keyof States]['type'];

/** The values of all state messages, by their names in the views. */
export type StateValues = { readonly [Name in keyof States]: States[Name]['none'] | ReturnType<States[Name]['read']> };

const eachState = () => Object.entries<State>(STATES);

/** The values before any message. */
export function noState(): StateValues {
  return Object.fromEntries(eachState().map(([name, { none }]) => [name, none])) as StateValues;
}

/** The values after a message; the same object when it concerns none of them. */
export function stateAfter(values: StateValues, { type, payload }: Envelope): StateValues {
  const changed = eachState().flatMap(([name, each]) => {
    if (each.type === type) return [[name, each.read(payload as never, values[name as keyof States] as never)]];
    return (each.endedBy as readonly string[]).includes(type) ? [[name, each.none]] : [];
  });
  return changed.length > 0 ? { ...values, ...(Object.fromEntries(changed) as Partial<StateValues>) } : values;
}
