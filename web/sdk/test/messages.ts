// Messages of the server, in a short form for tests.

import type { Question } from '../src/index.ts';

export const question = (id: string, more: Partial<Question> = {}): Question => {
  return { id, text: `What is ${id}?`, type: 'text', points: 100, ...more };
};
export const gameInfo = (title: string) => ({ type: 'game_info', payload: { title } });
export const hostStatus = (connected = true) => ({ type: 'host_status', payload: { connected } });
export const roundStarted = (round = 1, rounds = 3) => {
  return { type: 'round_started', payload: { round, rounds, title: `Round ${String(round)}`, questionCount: 5 } };
};
export const lobby = (...names: string[]) => {
  return { type: 'lobby_update', payload: { players: names.map((name) => ({ id: `id-${name}`, displayName: name })) } };
};
export const lobbyChanged = (joined: string[], left: string[], total: number) => {
  const players = joined.map((name) => ({ id: `id-${name}`, displayName: name }));
  return { type: 'lobby_changed', payload: { joined: players, left: left.map((name) => `id-${name}`), total } };
};
export const gameStarted = { type: 'game_started' };
export const released = (id: string) => ({ type: 'question_released', payload: { question: question(id) } });
export const accepted = (questionId: string) => ({ type: 'answer_accepted', payload: { questionId } });
/** With `quizhall.v1` it follows the sync messages, as the answer to the first ping. */
export const pong = { type: 'pong' };
export const timerUpdate = (questionId: string | null, remainingMs: number, running = true) => {
  const of = questionId === null ? {} : { questionId };
  return { type: 'timer_update', payload: { ...of, remainingMs, running } };
};
export const autopilotStatus = (plan?: object) => ({ type: 'autopilot_status', payload: plan === undefined ? {} : { plan } });
export const autopilotStep = (next: string, remainingMs: number, running = true) => {
  return { type: 'autopilot_step', payload: { next, remainingMs, running } };
};
export const questionClosed = (questionId: string) => ({ type: 'question_closed', payload: { questionId } });
export const roundEnded = { type: 'round_ended' };

type Row = [name: string, score: number, rank: number, roundScore?: number];
const entries = (rows: Row[]) => {
  return rows.map(([name, score, rank, roundScore]) => {
    const entry = { playerId: `id-${name}`, displayName: name, score, rank };
    return roundScore === undefined ? entry : { ...entry, roundScore };
  });
};
export const leaderboard = (...rows: Row[]) => ({ type: 'round_leaderboard', payload: { leaderboard: entries(rows) } });
export const running = (...rows: Row[]) => ({ type: 'scoreboard_update', payload: { leaderboard: entries(rows) } });
export const gameEnded = (...rows: Row[]) => ({ type: 'game_ended', payload: { leaderboard: entries(rows) } });
export const scores = (roundTotal: number, ...answers: [id: string, yours: string, correct: boolean][]) => {
  const results = answers.map(([questionId, yourAnswer, correct]) => {
    return { questionId, question: '?', yourAnswer, correctAnswer: 'x', correct, points: correct ? 100 : 0 };
  });
  return { type: 'round_scores', payload: { results, roundTotal } };
};

export const jokerRound = (round?: number) => ({ type: 'joker_round', payload: { ...(round !== undefined && { round }) } });
export const jokerUpdate = (round?: number) => ({ type: 'joker_update', payload: { ...(round !== undefined && { round }) } });
export const appealStatus = (...appeals: [questionId: string, outcome: string][]) => {
  return { type: 'appeal_status', payload: { appeals: appeals.map(([questionId, outcome]) => ({ questionId, outcome })) } };
};
export const appealsUpdate = (...appeals: [name: string, questionId: string, outcome: string][]) => {
  const shown = appeals.map(([name, questionId, outcome]) => {
    return { playerId: `id-${name}`, displayName: name, questionId, answer: 'x', outcome };
  });
  return { type: 'appeals_update', payload: { appeals: shown } };
};
export const questionEdited = (questionId: string, text: string, corrected: boolean, choices?: string[]) => {
  return { type: 'question_edited', payload: { questionId, text, corrected, ...(choices && { choices }) } };
};
export const questionWithdrawn = (questionId: string) => ({ type: 'question_withdrawn', payload: { questionId } });
export const renamed = (name: string, displayName: string) => ({ type: 'player_renamed', payload: { id: `id-${name}`, displayName } });
/** A team's phones are named by their ids; `own` receives it. */
export const teamUpdate = (own: string, devices: readonly string[], captain?: string) => {
  const all = devices.map((deviceId) => ({ deviceId, displayName: deviceId, connected: true }));
  return { type: 'team_update', payload: { teamCode: 'K7QM', deviceId: own, devices: all, ...(captain !== undefined && { captain }) } };
};
type OnSheet = [questionId: string, answer: string, by: string];
const onSheet = ([questionId, answer, by]: OnSheet) => ({ questionId, answer, by });
const sheetOf = (whole: boolean) => (answers: OnSheet[], suggestions: OnSheet[] = []) => {
  const more = suggestions.length > 0 && { suggestions: suggestions.map(onSheet) };
  return { type: 'team_sheet', payload: { whole, answers: answers.map(onSheet), ...more } };
};
export const teamSheet = sheetOf(true);
/** New lines of the sheet. */
export const teamLine = sheetOf(false);
export const standings = (held: boolean) => ({ type: 'standings_status', payload: { held } });

type Status = 'connected' | 'disconnected' | 'gone';
export const room = (whole: boolean, seats: [name: string, status: Status][], more: object = {}) => {
  const players = seats.map(([name, status]) => ({ id: `id-${name}`, displayName: name, status }));
  const total = players.length;
  return { type: 'room_update', payload: { whole, players, total, connected: total, locked: false, ...more } };
};
export const count = (questionId: string, answerCount: number) => {
  return { type: 'scoreboard_update', payload: { questionId, answerCount } };
};
export const answered = (questionId: string, ...names: string[]) => {
  return { type: 'players_answered', payload: { questionId, playerIds: names.map((name) => `id-${name}`) } };
};
type Given = [name: string, id: string, answer: string, correct: boolean];
export const review = (given: Given[], more: object = {}) => {
  const answers = given.map(([name, questionId, answer, correct]) => {
    return { playerId: `id-${name}`, displayName: name, questionId, answer, correct };
  });
  return { type: 'round_review', payload: { answers, ...more } };
};
export const step = (number: number, name: string, more: object = {}) => {
  return { type: 'step_update', payload: { number, step: name, ...more } };
};
export const marking = (undoable: number) => ({ type: 'marking_update', payload: { undoable } });
export const marked = (questionId: string, marks: [name: string, correct: boolean][], more: object = {}) => {
  const all = marks.map(([name, correct]) => ({ playerId: `id-${name}`, correct }));
  return { type: 'answers_marked', payload: { questionId, marks: all, ...more } };
};
export const overruled = (name: string, questionId: string, correct: boolean) => {
  return { type: 'override_applied', payload: { playerId: `id-${name}`, questionId, correct } };
};
