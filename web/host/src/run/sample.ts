// A game and the host's views of it, for the unit tests of this folder and of marking. Never part of the page.

import type { Game, HostQuestion, HostView, Question, ReviewAnswer, RoomPlayer } from '$sdk';
import { noState } from '$sdk/state.ts';

const KEY = 'KEY-OF';

/** Two rounds: three questions of different types, and one. Every key begins with KEY-OF, to be found if it leaks. */
export const GAME: Game = {
  id: 'game-1',
  gameCode: 'ABC234',
  joinUrl: 'https://quiz.example.org/?code=ABC234',
  title: 'Friday',
  phase: 'lobby',
  currentRound: 1,
  locked: false,
  playerCount: 0,
  rounds: [
    {
      title: 'Cities',
      questions: [
        { id: 'q1', text: 'First?', type: 'text', correctAnswers: [`${KEY}-1`, `${KEY}-1b`] },
        { id: 'q2', text: 'Second?', type: 'multiple_choice', choices: ['red', 'blue'], correctAnswers: [`${KEY}-2`] },
        { id: 'q3', text: 'Third?', type: 'numeric', correctAnswers: [`${KEY}-3`], points: 500, tolerance: 2 },
      ],
    },
    { title: '', questions: [{ id: 'q4', text: 'Fourth?', type: 'text', correctAnswers: [`${KEY}-4`] }] },
  ],
  released: [],
  createdAt: '2026-01-02T19:00:00Z',
};

/** The host's view before anything has happened. */
export const EMPTY: HostView = {
  ...noState(),
  connection: { state: 'open' },
  phase: 'lobby',
  round: null,
  room: [],
  playerTotal: 0,
  connectedTotal: 0,
  locked: false,
  questions: [],
  timers: [],
  pause: null,
  nextStep: null,
  step: null,
  review: null,
  reviewGroups: null,
  undoable: 0,
  options: null,
  closeWhenAnswered: false,
  groups: new Map(),
  entered: [],
  undone: null,
  appeals: [],
  adjustments: [],
  words: new Map(),
  board: [],
  pending: [],
};

/** The empty view with these differences. */
export function view(changes: Partial<HostView>): HostView {
  return { ...EMPTY, ...changes };
}

/** Seats `p1`, `p2`, …; a minus before a name means disconnected, an x that the seat was given up. */
export function seats(...names: readonly string[]): Pick<HostView, 'room' | 'playerTotal' | 'connectedTotal'> {
  const room = names.map((name, index): RoomPlayer => {
    const status = name.startsWith('-') ? 'disconnected' : name.startsWith('x') ? 'gone' : 'connected';
    return { id: `p${String(index + 1)}`, displayName: name.replace(/^[-x]/, ''), status };
  });
  const connectedTotal = room.filter((seat) => seat.status === 'connected').length;
  return { room, playerTotal: room.filter((seat) => seat.status !== 'gone').length, connectedTotal };
}

/** A question of round 1 that is out as this number, answered by these. */
export function open(id: string, number: number, ...answeredBy: readonly string[]): HostQuestion {
  const frozen = GAME.rounds[0]?.questions.find((question) => question.id === id);
  const question: Question = { id, text: frozen?.text ?? '', type: frozen?.type ?? 'text', points: frozen?.points ?? 1000 };
  if (frozen?.choices) question.choices = frozen.choices;
  return { question, number, answerCount: answeredBy.length, answeredBy: new Set(answeredBy), closed: false };
}

/** An answer in the review. */
export function answer(player: string, questionId: string, text: string, correct: boolean, nearMiss = false): ReviewAnswer {
  const entry: ReviewAnswer = { playerId: player, displayName: player.toUpperCase(), questionId, answer: text, correct };
  return nearMiss ? { ...entry, nearMiss } : entry;
}
