// A host's calls over HTTP: account, quizzes, games, results. Used by the host page; repeating a failed call is up to the
// caller.

import type {
  AnswersAsked,
  AnswersPage,
  CoHost,
  CoHostList,
  CreatedToken,
  CreatedWebhook,
  CurrentCoHost,
  CurrentSession,
  FoundQuestions,
  Game,
  GameList,
  GameMoment,
  GameSummary,
  Host,
  HostAccount,
  HostChange,
  HostList,
  InviteCoHost,
  League,
  Media,
  MediaList,
  MomentList,
  NamedToken,
  NamedTokenList,
  NewCoHost,
  NewGame,
  NewHost,
  NewScreen,
  NewSeatCode,
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
  PlayOptions,
  Player,
  PlayerList,
  Quiz,
  QuizHistory,
  QuizList,
  QuizSummary,
  QuizUpload,
  Results,
  ResultsLink,
  ScreenList,
  ScreenUpdate,
  Session,
  ShareResults,
  ShowOnScreens,
  SignInMethods,
  TestDelivery,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WhatIf,
  WhatIfOutcome,
} from './generated/protocol.ts';
import { json, send } from './http.ts';
import type { Call, Fetch } from './http.ts';

/** The search: words in any order, and a whole tag. */
export interface Search {
  readonly q?: string;
  readonly tag?: string;
}

/**
 * The HTTP interface of a host. `base` is the address of the server; only a page of the server needs none. `token` is that of a
 * session or of a program, and may be set and cleared at any time.
 */
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
  changePassword(passwords: PasswordUpdate): Promise<void> {
    return this.#send({ method: 'POST', path: '/api/v1/me/password', body: passwords }, nothing);
  }

  async sessions(): Promise<OwnSession[]> {
    return (await this.#json<OwnSessionList>('GET', '/api/v1/me/sessions')).sessions;
  }

  /** Ends every session of the account, including this one. */
  signOutEverywhere(): Promise<void> {
    return this.#send({ method: 'DELETE', path: '/api/v1/me/sessions' }, nothing);
  }

  async tokens(): Promise<NamedToken[]> {
    return (await this.#json<NamedTokenList>('GET', '/api/v1/me/tokens')).tokens;
  }

  /** Creates a token for a program; it is not shown again. */
  createToken(token: NewToken): Promise<CreatedToken> {
    return this.#json('POST', '/api/v1/me/tokens', token);
  }

  /** Ends a token for a program. */
  revokeToken(id: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('me', 'tokens', id) }, nothing);
  }

  async webhooks(): Promise<Webhook[]> {
    return (await this.#json<WebhookList>('GET', '/api/v1/webhooks')).webhooks;
  }

  /** Creates a webhook; its key is not shown again. */
  createWebhook(webhook: NewWebhook): Promise<CreatedWebhook> {
    return this.#json('POST', '/api/v1/webhooks', webhook);
  }

  /** Lets a webhook that was disabled be called again. */
  enableWebhook(id: string): Promise<void> {
    return this.#send({ method: 'PATCH', path: at('webhooks', id), body: { disabled: false } }, nothing);
  }

  deleteWebhook(id: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('webhooks', id) }, nothing);
  }

  /** Up to 50 deliveries that wait, the next first, then up to 50 finished ones, the latest first. */
  async webhookDeliveries(id: string): Promise<WebhookDelivery[]> {
    return (await this.#json<WebhookDeliveryList>('GET', at('webhooks', id, 'deliveries'))).deliveries;
  }

  /** Sends a test event. */
  testWebhook(id: string): Promise<TestDelivery> {
    return this.#json('POST', at('webhooks', id, 'test'));
  }

  /** Sends a delivery again, with the same id and the same bytes. */
  redeliverWebhook(id: string, delivery: string): Promise<void> {
    return this.#send({ method: 'POST', path: at('webhooks', id, 'deliveries', delivery, 'redelivery') }, nothing);
  }

  /** Replaces the key of the signatures, which is not shown again; the previous key also signs for a day. */
  rotateWebhookSecret(id: string): Promise<NewSecret> {
    return this.#json('POST', at('webhooks', id, 'secret'));
  }

  /** Every account; for owners. */
  async hosts(): Promise<HostAccount[]> {
    return (await this.#json<HostList>('GET', '/api/v1/hosts')).hosts;
  }

  /** Renames, disables or enables an account, or changes its role; for owners, and the name for the account itself. */
  changeHost(id: string, change: HostChange): Promise<HostAccount> {
    return this.#json('PATCH', at('hosts', id), change);
  }

  /** Removes an account. Its quizzes and games go to the account `gamesTo`, or are deleted for good with `purgeGames`. */
  removeHost(id: string, { gamesTo, purgeGames }: { readonly gamesTo?: string; readonly purgeGames?: boolean } = {}): Promise<void> {
    const path = at('hosts', id) + queryOf({ gamesTo, purgeGames: purgeGames ? 'true' : undefined });
    return this.#send({ method: 'DELETE', path }, nothing);
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
    return this.#json('GET', at('quizzes', id, 'history'));
  }

  createQuiz(quiz: QuizUpload): Promise<Quiz> {
    return this.#json('POST', '/api/v1/quizzes', quiz);
  }

  quiz(id: string): Promise<Quiz> {
    return this.#json('GET', at('quizzes', id));
  }

  /** Replaces a quiz as a whole; questions keep the ids they are sent with. If the report or the tags are not sent, they stay. */
  replaceQuiz(id: string, quiz: QuizUpload): Promise<Quiz> {
    return this.#json('PUT', at('quizzes', id), quiz);
  }

  deleteQuiz(id: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('quizzes', id) }, nothing);
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
    return this.#send({ path: at('media', id), headers: { Accept: '*/*' } }, blob);
  }

  async games(): Promise<GameSummary[]> {
    return (await this.#json<GameList>('GET', '/api/v1/games')).games;
  }

  /** Starts a game with a copy of the quiz as it is now. */
  createGame(quizId: string, options: Omit<NewGame, 'quizId'> = {}): Promise<Game> {
    return this.#json('POST', '/api/v1/games', { quizId, ...options });
  }

  game(id: string): Promise<Game> {
    return this.#json('GET', at('games', id));
  }

  /** Replaces the options of a game that has not started; those that are missing are as in a game without options. */
  setOptions(gameId: string, options: PlayOptions): Promise<Game> {
    return this.#json('PUT', at('games', gameId, 'options'), options);
  }

  deleteGame(id: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('games', id) }, nothing);
  }

  async players(gameId: string): Promise<Player[]> {
    return (await this.#json<PlayerList>('GET', at('games', gameId, 'players'))).players;
  }

  /** Replaces the name of a player of a game that has ended, for good, and the texts of the player's answers if asked. */
  erasePlayer(gameId: string, playerId: string, { answers }: { readonly answers?: boolean } = {}): Promise<void> {
    const path = at('games', gameId, 'players', playerId, 'data') + queryOf({ answers: answers ? 'true' : undefined });
    return this.#send({ method: 'DELETE', path }, nothing);
  }

  results(gameId: string): Promise<Results> {
    return this.#json('GET', at('games', gameId, 'results'));
  }

  /** A page of the answers to a question of the closed round. */
  answers(gameId: string, asked: AnswersAsked): Promise<AnswersPage> {
    return this.#json('POST', at('games', gameId, 'answers'), asked);
  }

  /** What corrections would do to the board; nothing is changed. */
  whatIf(gameId: string, supposed: WhatIf): Promise<WhatIfOutcome> {
    return this.#json('POST', at('games', gameId, 'what-if'), supposed);
  }

  /** The points of the series of games that this one belongs to. */
  league(gameId: string): Promise<League> {
    return this.#json('GET', at('games', gameId, 'league'));
  }

  /** The same as a CSV file. */
  leagueCsv(gameId: string): Promise<Blob> {
    return this.#send({ path: at('games', gameId, 'league'), headers: { Accept: 'text/csv' } }, blob);
  }

  /** A code with which another phone takes a player's seat, once; in a team, the seat of this phone. */
  issueSeatCode(id: string, playerId: string, deviceId?: string): Promise<NewSeatCode> {
    const path = at('games', id, 'players', playerId, 'seat-code');
    return this.#json('POST', deviceId === undefined ? path : `${path}?deviceId=${encodeURIComponent(deviceId)}`);
  }

  /** Removes one phone of a team; the team and its other phones stay. */
  removePhone(id: string, teamId: string, deviceId: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('games', id, 'players', teamId, 'phones', deviceId) }, nothing);
  }

  /** Adds a screen: the answer has its link, which is shown only once. */
  addScreen(gameId: string): Promise<NewScreen> {
    return this.#json('POST', at('games', gameId, 'screens'));
  }

  /** The screens of a game, and what they show. */
  screens(gameId: string): Promise<ScreenList> {
    return this.#json('GET', at('games', gameId, 'screens'));
  }

  /** Puts the screen that shows this code into a game. */
  pairScreen(gameId: string, code: string): Promise<PairedScreen> {
    return this.#json('POST', at('games', gameId, 'screens', 'pair'), { code });
  }

  /** Revokes a screen's token. */
  removeScreen(gameId: string, screenId: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('games', gameId, 'screens', screenId) }, nothing);
  }

  /** Allows spectators to watch a game, or ends that. */
  letWatch(gameId: string, allowed: boolean): Promise<void> {
    return this.#send({ method: 'PUT', path: at('games', gameId, 'spectators'), body: { allowed } }, nothing);
  }

  /** Makes the screens show this, in addition to what follows from the game. */
  showOnScreens(gameId: string, show: ShowOnScreens): Promise<void> {
    return this.#send({ method: 'PUT', path: at('games', gameId, 'screens', 'show'), body: show }, nothing);
  }

  /** Invites a co-host: the answer has the link, which is shown only once. */
  inviteCoHost(gameId: string, coHost: InviteCoHost): Promise<NewCoHost> {
    return this.#json('POST', at('games', gameId, 'co-hosts'), coHost);
  }

  async coHosts(gameId: string): Promise<CoHost[]> {
    return (await this.#json<CoHostList>('GET', at('games', gameId, 'co-hosts'))).coHosts;
  }

  /** Revokes a co-host's token. */
  removeCoHost(gameId: string, coHostId: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('games', gameId, 'co-hosts', coHostId) }, nothing);
  }

  /** The co-host of the token, and the game that it opens. */
  currentCoHost(): Promise<CurrentCoHost> {
    return this.#json('GET', '/api/v1/co-hosts/current');
  }

  /** Creates the link to the released results, or returns the existing one; `what` changes what it shows besides. */
  shareResults(gameId: string, what?: ShareResults): Promise<ResultsLink> {
    return this.#json('POST', at('games', gameId, 'results-link'), what);
  }

  /** The moments of the game: what the screen showed, in order. */
  async moments(gameId: string): Promise<GameMoment[]> {
    return (await this.#json<MomentList>('GET', at('games', gameId, 'moments'))).moments;
  }

  /** The picture that the screen was sent at a moment. */
  moment(gameId: string, index: number): Promise<ScreenUpdate> {
    return this.#json('GET', at('games', gameId, 'moments', String(index)));
  }

  revokeResultsLink(gameId: string): Promise<void> {
    return this.#send({ method: 'DELETE', path: at('games', gameId, 'results-link') }, nothing);
  }

  /** The results as a CSV file; `.text()` gives the text. */
  resultsCsv(gameId: string): Promise<Blob> {
    return this.#send({ path: at('games', gameId, 'results.csv'), headers: { Accept: 'text/csv' } }, blob);
  }

  /** The proof of a sealed game that has ended. */
  proof(gameId: string, names: boolean): Promise<Blob> {
    return this.#send({ path: at('games', gameId, 'proof') + queryOf({ names: names ? 'true' : undefined }) }, blob);
  }

  #json<Answer>(method: NonNullable<Call['method']>, path: string, body?: unknown): Promise<Answer> {
    return this.#send<Answer>({ method, path, body }, json);
  }

  #send<Answer>(call: Call, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    return send(this.#base, { token: this.token, ...call }, read, this.#fetch);
  }
}

/** A path of the interface, each part as it is. */
function at(...parts: readonly string[]): string {
  return `/api/v1/${parts.map(encodeURIComponent).join('/')}`;
}

/** For an answer that is a file. */
function blob(response: Response): Promise<Blob> {
  return response.blob();
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
