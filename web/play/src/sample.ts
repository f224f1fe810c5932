// Views for the unit tests: a game at some moment, with the differences that a test needs. Not part of the page.

import type { PlayerQuestion, PlayerView } from '$sdk';
import { noState } from '$sdk/state.ts';

/** An open connection in the lobby, unless given otherwise. */
export function viewWith(different: Partial<PlayerView> = {}): PlayerView {
  return {
    ...noState(),
    hostConnected: true,
    connection: { state: 'open' },
    phase: 'lobby',
    round: null,
    title: null,
    me: { gameCode: 'ABC234', playerId: 'me', displayName: 'Ann' },
    team: null,
    players: [],
    playerTotal: 0,
    questions: [],
    asked: [],
    timers: [],
    pause: null,
    nextStep: null,
    joker: null,
    appeals: [],
    tieAnswer: null,
    outcome: null,
    history: [],
    board: [],
    boardTotal: 0,
    ...different,
  };
}

/** Question `number`, not answered unless given otherwise. */
export function questionWith(number: number, different: Partial<PlayerQuestion> = {}): PlayerQuestion {
  return {
    question: { id: `q${String(number)}`, text: `Question ${String(number)}?`, type: 'text', points: 1_000 },
    number,
    state: 'none',
    answer: null,
    draft: null,
    storedAnswer: null,
    missed: false,
    unsure: false,
    closed: false,
    timedOut: false,
    by: null,
    overtaken: false,
    suggestions: [],
    ...different,
  };
}
