// A host's calls over HTTP: account, quizzes, games, results. Used by the host page; repeating a failed call is up to the
// caller.

import type {
  CoHost,
  CoHostList,
  CreatedToken,
  CreatedWebhook,
  CurrentCoHost,
  CurrentSession,
  FoundQuestions,
  Game,
  GameSummary,
  Host,
  HostAccount,
  HostChange,
  HostList,
  League,
  NamedToken,
  NamedTokenList,
  InviteCoHost,
  NewCoHost,
  NewHost,
  NewSecret,
  NewToken,
  NewWebhook,
  OidcAttempt,
  OidcSignIn,
  OwnAccount,
  OwnSession,
  OwnSessionList,
  PairedScreen,
  PasswordUpdate,
  NewGame,
  NewScreen,
  NewSeatCode,
  Player,
  PlayerList,
  GameList,
  Media,
  MediaList,
  Quiz,
  QuizHistory,
  QuizList,
  QuizSummary,
  QuizUpload,
  Results,
  ResultsLink,
  ScreenList,
  Session,
  ShowOnScreens,
  SignInMethods,
  TestDelivery,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from './generated/protocol.ts';
import { json, send } from './http.ts';
import type { Call, Fetch } from './http.ts';

/** The search: words in any order, and a whole tag. */
export interface Search {
  readonly q?: string;
  readonly tag?: string;
}

/** The HTTP interface of a host. `token` may be set and cleared at any time. */
export class HostApi {
  /** The bearer token; undefined when not signed in. `signIn` sets it, `signOut` clears it. */
  token: string | undefined;
  readonly #base: string;
  readonly #fetch: Fetch | undefined;

  constructor(base = '', token?: string, options: { readonly fetch?: Fetch } = {}) {
    this.#base = base.replace(/\/$/, '');
    this.token = token;
    this.#fetch = options.fetch;
  }

  /** Creates an account; the first one needs the set-up token. Does not sign in. */
  createHost(account: NewHost): Promise<Host> {
    return this.#json('POST', '/api/v1/hosts', account);
  }

  async signIn(name: string, password: string): Promise<Session> {
    const session = await this.#json<Session>('POST', '/api/v1/sessions', { name, password });
    this.token = session.token;
    return session;
  }

  /** The ways to sign in other than name and password. */
  signInMethods(): Promise<SignInMethods> {
    return this.#json('GET', '/api/v1/sign-in-methods');
  }

  /** Begins to sign in with the identity provider: returns the address for the browser, and what it has to keep. */
  beginOidc(): Promise<OidcAttempt> {
    return this.#json('POST', '/api/v1/oidc/attempts');
  }

  /** Completes it, when the browser is back. */
  async finishOidc(back: OidcSignIn): Promise<Session> {
    const session = await this.#json<Session>('POST', '/api/v1/oidc/sessions', back);
    this.token = session.token;
    return session;
  }

  /** Ends the session on the server; the token is removed here in any case. */
  async signOut(): Promise<void> {
    const token = this.token;
    this.token = undefined;
    await this.#send({ method: 'DELETE', path: '/api/v1/sessions/current', token }, nothing);
  }

  currentSession(): Promise<CurrentSession> {
    return this.#json('GET', '/api/v1/sessions/current');
  }

  /** The account of the token. */
  ownAccount(): Promise<OwnAccount> {
    return this.#json('GET', '/api/v1/me');
  }

  /** Ends the other sessions of the account. */
  async changePassword(passwords: PasswordUpdate): Promise<void> {
    await this.#send({ method: 'POST', path: '/api/v1/me/password', body: passwords }, nothing);
  }

  async sessions(): Promise<OwnSession[]> {
    return (await this.#json<OwnSessionList>('GET', '/api/v1/me/sessions')).sessions;
  }

  /** Ends every session of the account, including this one. */
  async signOutEverywhere(): Promise<void> {
    await this.#send({ method: 'DELETE', path: '/api/v1/me/sessions' }, nothing);
  }

  async tokens(): Promise<NamedToken[]> {
    return (await this.#json<NamedTokenList>('GET', '/api/v1/me/tokens')).tokens;
  }

  /** Creates a token for a program; it is not shown again. */
  createToken(token: NewToken): Promise<CreatedToken> {
    return this.#json('POST', '/api/v1/me/tokens', token);
  }

  /** Ends a token for a program. */
  async revokeToken(id: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/api/v1/me/tokens/${encodeURIComponent(id)}` }, nothing);
  }

  async webhooks(): Promise<Webhook[]> {
    return (await this.#json<WebhookList>('GET', '/api/v1/webhooks')).webhooks;
  }

  /** Creates a webhook; its key is not shown again. */
  createWebhook(webhook: NewWebhook): Promise<CreatedWebhook> {
    return this.#json('POST', '/api/v1/webhooks', webhook);
  }

  /** Lets a webhook that was disabled be called again. */
  async enableWebhook(id: string): Promise<void> {
    await this.#send({ method: 'PATCH', path: webhookPath(id), body: { disabled: false } }, nothing);
  }

  async deleteWebhook(id: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: webhookPath(id) }, nothing);
  }

  /** Up to 50 deliveries that wait, the next first, then up to 50 finished ones, the latest first. */
  async webhookDeliveries(id: string): Promise<WebhookDelivery[]> {
    return (await this.#json<WebhookDeliveryList>('GET', `${webhookPath(id)}/deliveries`)).deliveries;
  }

  /** Sends a test event. */
  testWebhook(id: string): Promise<TestDelivery> {
    return this.#json('POST', `${webhookPath(id)}/test`);
  }

  /** Sends a delivery again, with the same id and the same bytes. */
  async redeliverWebhook(id: string, delivery: string): Promise<void> {
    const path = `${webhookPath(id)}/deliveries/${encodeURIComponent(delivery)}/redelivery`;
    await this.#send({ method: 'POST', path }, nothing);
  }

  /** Replaces the key of the signatures, which is not shown again; the previous key also signs for a day. */
  rotateWebhookSecret(id: string): Promise<NewSecret> {
    return this.#json('POST', `${webhookPath(id)}/secret`);
  }

  /** Every account; for owners. */
  async hosts(): Promise<HostAccount[]> {
    return (await this.#json<HostList>('GET', '/api/v1/hosts')).hosts;
  }

  /** Renames, disables or enables an account, or changes its role; for owners, and the name for the account itself. */
  changeHost(id: string, change: HostChange): Promise<HostAccount> {
    return this.#json('PATCH', `/api/v1/hosts/${encodeURIComponent(id)}`, change);
  }

  /** Removes an account. Its quizzes and games go to the account `gamesTo`, or are deleted for good with `purgeGames`. */
  async removeHost(id: string, leaving: { readonly gamesTo?: string; readonly purgeGames?: boolean } = {}): Promise<void> {
    const query = new URLSearchParams();
    if (leaving.gamesTo !== undefined) query.set('gamesTo', leaving.gamesTo);
    if (leaving.purgeGames) query.set('purgeGames', 'true');
    const path = `/api/v1/hosts/${encodeURIComponent(id)}?${query.toString()}`;
    await this.#send({ method: 'DELETE', path }, nothing);
  }

  /** The quizzes of the account, or those that a search finds. */
  async quizzes(search: Search = {}): Promise<QuizSummary[]> {
    return (await this.#json<QuizList>('GET', `/api/v1/quizzes${queryOf({ ...search })}`)).quizzes;
  }

  /** A page of the questions that a search finds in all quizzes of the account. */
  questions(search: Search & { readonly cursor?: string | undefined; readonly limit?: number }): Promise<FoundQuestions> {
    return this.#json('GET', `/api/v1/questions${queryOf({ ...search })}`);
  }

  /** The games in which the questions of a quiz were asked. Also counts some games that have ended since. */
  quizHistory(id: string): Promise<QuizHistory> {
    return this.#json('GET', `/api/v1/quizzes/${encodeURIComponent(id)}/history`);
  }

  createQuiz(quiz: QuizUpload): Promise<Quiz> {
    return this.#json('POST', '/api/v1/quizzes', quiz);
  }

  quiz(id: string): Promise<Quiz> {
    return this.#json('GET', `/api/v1/quizzes/${encodeURIComponent(id)}`);
  }

  /** Replaces a quiz as a whole; questions keep the ids they are sent with. If the report or the tags are not sent, they stay. */
  replaceQuiz(id: string, quiz: QuizUpload): Promise<Quiz> {
    return this.#json('PUT', `/api/v1/quizzes/${encodeURIComponent(id)}`, quiz);
  }

  async deleteQuiz(id: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/api/v1/quizzes/${encodeURIComponent(id)}` }, nothing);
  }

  /** Stores a picture or a sound; the same content twice is one file. */
  uploadMedia(file: Blob): Promise<Media> {
    return this.#send<Media>({ method: 'POST', path: '/api/v1/media', file }, json);
  }

  /** The pictures and sounds of the account. */
  media(): Promise<MediaList> {
    return this.#json('GET', '/api/v1/media');
  }

  /** A picture or a sound of the account. */
  mediaFile(id: string): Promise<Blob> {
    const path = `/api/v1/media/${encodeURIComponent(id)}`;
    return this.#send({ path, headers: { Accept: '*/*' } }, (response) => response.blob());
  }

  async games(): Promise<GameSummary[]> {
    return (await this.#json<GameList>('GET', '/api/v1/games')).games;
  }

  /** Starts a game with a copy of the quiz as it is now. */
  createGame(quizId: string, options: Omit<NewGame, 'quizId'> = {}): Promise<Game> {
    return this.#json('POST', '/api/v1/games', { quizId, ...options });
  }

  game(id: string): Promise<Game> {
    return this.#json('GET', `/api/v1/games/${encodeURIComponent(id)}`);
  }

  async deleteGame(id: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/api/v1/games/${encodeURIComponent(id)}` }, nothing);
  }

  async players(gameId: string): Promise<Player[]> {
    return (await this.#json<PlayerList>('GET', `/api/v1/games/${encodeURIComponent(gameId)}/players`)).players;
  }

  results(gameId: string): Promise<Results> {
    return this.#json('GET', `/api/v1/games/${encodeURIComponent(gameId)}/results`);
  }

  /** The points of the series of games that this one belongs to. */
  league(gameId: string): Promise<League> {
    return this.#json('GET', `/api/v1/games/${encodeURIComponent(gameId)}/league`);
  }

  /** The same as a CSV file. */
  leagueCsv(gameId: string): Promise<Blob> {
    const path = `/api/v1/games/${encodeURIComponent(gameId)}/league`;
    return this.#send({ path, headers: { Accept: 'text/csv' } }, (response) => response.blob());
  }

  /** A code with which another phone takes a player's seat, once; in a team, the seat of this phone. */
  issueSeatCode(id: string, playerId: string, deviceId?: string): Promise<NewSeatCode> {
    const path = `/api/v1/games/${encodeURIComponent(id)}/players/${encodeURIComponent(playerId)}/seat-code`;
    return this.#json('POST', deviceId === undefined ? path : `${path}?deviceId=${encodeURIComponent(deviceId)}`);
  }

  /** Removes one phone of a team; the team and its other phones stay. */
  async removePhone(id: string, teamId: string, deviceId: string): Promise<void> {
    const path = [id, 'players', teamId, 'phones', deviceId].map((part) => encodeURIComponent(part)).join('/');
    await this.#send({ method: 'DELETE', path: `/api/v1/games/${path}` }, nothing);
  }

  /** Adds a screen: the answer has its link, which is shown only once. */
  addScreen(gameId: string): Promise<NewScreen> {
    return this.#json('POST', `/api/v1/games/${encodeURIComponent(gameId)}/screens`);
  }

  /** The screens of a game, and what they show. */
  screens(gameId: string): Promise<ScreenList> {
    return this.#json('GET', `/api/v1/games/${encodeURIComponent(gameId)}/screens`);
  }

  /** Puts the screen that shows this code into a game. */
  pairScreen(gameId: string, code: string): Promise<PairedScreen> {
    return this.#json('POST', `/api/v1/games/${encodeURIComponent(gameId)}/screens/pair`, { code });
  }

  /** Revokes a screen's token. */
  async removeScreen(gameId: string, screenId: string): Promise<void> {
    const path = `/api/v1/games/${encodeURIComponent(gameId)}/screens/${encodeURIComponent(screenId)}`;
    await this.#send({ method: 'DELETE', path }, nothing);
  }

  /** Allows spectators to watch a game, or ends that. */
  async letWatch(gameId: string, allowed: boolean): Promise<void> {
    const path = `/api/v1/games/${encodeURIComponent(gameId)}/spectators`;
    await this.#send({ method: 'PUT', path, body: { allowed } }, nothing);
  }

  /** Makes the screens show this, in addition to what follows from the game. */
  async showOnScreens(gameId: string, show: ShowOnScreens): Promise<void> {
    const path = `/api/v1/games/${encodeURIComponent(gameId)}/screens/show`;
    await this.#send({ method: 'PUT', path, body: show }, nothing);
  }

  /** Invites a co-host: the answer has the link, which is shown only once. */
  inviteCoHost(gameId: string, coHost: InviteCoHost): Promise<NewCoHost> {
    return this.#json('POST', `/api/v1/games/${encodeURIComponent(gameId)}/co-hosts`, coHost);
  }

  async coHosts(gameId: string): Promise<CoHost[]> {
    return (await this.#json<CoHostList>('GET', `/api/v1/games/${encodeURIComponent(gameId)}/co-hosts`)).coHosts;
  }

  /** Revokes a co-host's token. */
  async removeCoHost(gameId: string, coHostId: string): Promise<void> {
    const path = `/api/v1/games/${encodeURIComponent(gameId)}/co-hosts/${encodeURIComponent(coHostId)}`;
    await this.#send({ method: 'DELETE', path }, nothing);
  }

  /** The co-host of the token, and the game that it opens. */
  currentCoHost(): Promise<CurrentCoHost> {
    return this.#json('GET', '/api/v1/co-hosts/current');
  }

  /** Creates the link to the released results, or returns the existing one. */
  shareResults(gameId: string): Promise<ResultsLink> {
    return this.#json('POST', `/api/v1/games/${encodeURIComponent(gameId)}/results-link`);
  }

  async revokeResultsLink(gameId: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/api/v1/games/${encodeURIComponent(gameId)}/results-link` }, nothing);
  }

  /** The results as a CSV file; `.text()` gives the text. */
  resultsCsv(gameId: string): Promise<Blob> {
    const path = `/api/v1/games/${encodeURIComponent(gameId)}/results.csv`;
    return this.#send({ path, headers: { Accept: 'text/csv' } }, (response) => response.blob());
  }

  #json<Answer>(method: NonNullable<Call['method']>, path: string, body?: unknown): Promise<Answer> {
    return this.#send<Answer>({ method, path, body }, json);
  }

  #send<Answer>(call: Call, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    return send(this.#base, { token: this.token, ...call }, read, this.#fetch);
  }
}

/** For an answer without a body. */
function nothing(): Promise<void> {
  return Promise.resolve();
}

/** The parameters that are not empty. */
function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const named = Object.entries(parameters).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return named.length === 0 ? '' : `?${new URLSearchParams(named).toString()}`;
}

function webhookPath(id: string): string {
  return `/api/v1/webhooks/${encodeURIComponent(id)}`;
}
