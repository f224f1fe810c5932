// Prepares over HTTP, without clicks, what a test needs: an account, a quiz, a game. Uses only the documented API.

import type { Game, JoinResponse, MomentList, NewGame, Quiz, QuizBody, Session } from '../../sdk/src/generated/protocol.ts';

/** The account that tests sign in with. */
export const HOST = { name: 'ann', password: 'an evening with friends' } as const;

/** Creates the first account through the set-up link and signs in. */
export async function firstHost(server: { url: string; setUpLink: string }): Promise<Session> {
  const setupToken = server.setUpLink.split('#')[1] ?? '';
  await call(server.url, 'POST', '/api/v1/hosts', { ...HOST, setupToken });
  return call<Session>(server.url, 'POST', '/api/v1/sessions', HOST);
}

/** The options of a new game. */
export type GameOptions = Omit<NewGame, 'quizId'>;

/** Stores a quiz and starts a game of it. */
export async function newGame(url: string, token: string, quiz: QuizBody, options: GameOptions = {}): Promise<Game> {
  const stored = await call<Quiz>(url, 'POST', '/api/v1/quizzes', quiz, token);
  return call<Game>(url, 'POST', '/api/v1/games', { quizId: stored.id, ...options }, token);
}

/** Joins without a browser, as another phone of the team with this code if there is one. */
export async function join(url: string, gameCode: string, displayName: string, teamCode?: string): Promise<JoinResponse> {
  return call<JoinResponse>(url, 'POST', '/join', { gameCode, displayName, ...(teamCode !== undefined && { teamCode }) });
}

/** The results as the host would download them. */
export async function results(url: string, token: string, gameId: string): Promise<unknown> {
  return call(url, 'GET', `/api/v1/games/${gameId}/results`, undefined, token);
}

/** Whether the replay has a picture of a question that no later one can replace. */
export async function hasMomentOfQuestion(url: string, token: string, gameId: string): Promise<boolean> {
  const { moments } = await call<MomentList>(url, 'GET', `/api/v1/games/${gameId}/moments`, undefined, token);
  return moments.some(({ kind, at }) => kind === 'question' && at !== undefined && Date.parse(at) < Date.now());
}

async function call<T>(url: string, method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)}`);
  return (await response.json()) as T;
}
