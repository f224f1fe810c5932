// A live game for a test: a server with one account, a game of the quiz, and its guests. Everything ends with the test.

import { test as base } from '@playwright/test';

import type { Game, QuizBody, Session } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { firstHost, type GameOptions, newGame } from './api.ts';
import { Cable } from './cable.ts';
import { type Answers, Guests } from './guests.ts';
import { Host } from './host.ts';
import { Phone } from './phone.ts';
import { WHOLE_QUIZ } from './quizzes.ts';
import { Runner } from './runner.ts';
import { PROFILE, Screen } from './screen.ts';
import { Server } from './server.ts';

/** Everything that a test has opened; the last is closed first. */
class Ends {
  readonly #opened: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(opened: T): T {
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.reverse()) await opened[Symbol.asyncDispose]();
  }
}

/** The object that a test works with. */
export class LiveGame {
  readonly server: Server;
  readonly session: Session;
  readonly game: Game;
  readonly #end: Ends;
  readonly #browser: Parameters<typeof Phone.open>[0];

  constructor(parts: {
    server: Server;
    session: Session;
    game: Game;
    end: Ends;
    browser: Parameters<typeof Phone.open>[0];
  }) {
    this.server = parts.server;
    this.session = parts.session;
    this.game = parts.game;
    this.#end = parts.end;
    this.#browser = parts.browser;
  }

  /** The token of the account. */
  get token(): string {
    return this.session.token;
  }

  /** The host, signed in, at the game, on a separate connection when one is given. */
  async host(options: Parameters<typeof Host.open>[2] & { cable?: Cable } = {}): Promise<Host> {
    const url = options.cable?.url ?? this.server.url;
    return this.#end.use(await Host.at(this.#browser, url, this.game.id, { ...options, session: this.session }));
  }

  /** A host without a page, see runner.ts; at another game of this server when one is given. */
  async runner(game: Game = this.game): Promise<Runner> {
    return this.#end.use(await Runner.at(this.server.url, game.gameCode, this.token));
  }

  /** A co-host who opens the link of an invitation. */
  async coHost(link: string, options: Parameters<typeof Host.open>[2] = {}): Promise<Host> {
    const url = `${this.server.url}/host/invited${new URL(link).hash}`;
    return this.#end.use(await Host.open(this.#browser, url, options));
  }

  /** A guest who has joined, on a separate connection when one is given. */
  async guest(name: string, options: Parameters<typeof Phone.open>[2] & { cable?: Cable } = {}): Promise<Phone> {
    const url = options.cable?.url ?? this.server.url;
    return this.#end.use(await Phone.join(this.#browser, url, this.game.gameCode, name, options));
  }

  /** Guests without phones of their own, see guests.ts. */
  async guests(guests: Answers): Promise<void> {
    this.#end.use(await Guests.join(this.server.url, this.game.gameCode, guests));
  }

  /** A guest who has opened the link and not joined. */
  async visitor(options: Parameters<typeof Phone.open>[2] = {}): Promise<Phone> {
    return this.#end.use(
      await Phone.open(this.#browser, this.server.url, { code: this.game.gameCode, ...options }),
    );
  }

  /** The big screen, opened from the host's page. */
  async screen(host: Host): Promise<Screen> {
    return Screen.from(host);
  }

  /** The big screen, opened by its link in a browser of its own; at another game of this server when one is given. */
  async wall(game: Game = this.game): Promise<Screen> {
    const { url } = await new HostApi(this.server.url, this.token).addScreen(game.id);
    const context = await this.#browser.newContext(PROFILE);
    this.#end.use({ [Symbol.asyncDispose]: () => context.close() });
    return Screen.at(await context.newPage(), `${this.server.url}/screen${new URL(url).hash}`);
  }

  /** A connection to the server that can be cut. */
  async cable(): Promise<Cable> {
    return this.#end.use(await Cable.to(this.server.port));
  }
}

/** Tests with a live game: `live` is one of the quiz `quiz`, started with `options`, on a server with the settings `settings`. */
export const test = base.extend<
  {
    live: LiveGame;
    quiz: QuizBody;
    settings: Readonly<Record<string, string>>;
    options: GameOptions;
  },
  { ready: { server: Server; session: Session } }
>({
  // Every test has its own server. This one is stopped and copied, because creating an account takes longer than all the rest.
  ready: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      await using server = await Server.start();
      const session = await firstHost(server);
      await server.stop();
      await use({ server, session });
    },
    { scope: 'worker' },
  ],
  quiz: [WHOLE_QUIZ, { option: true }],
  settings: [{}, { option: true }],
  options: [{}, { option: true }],
  live: async ({ browser, quiz, settings, options, ready: { server: like, session } }, use) => {
    const end = new Ends();
    try {
      const server = end.use(await Server.start(settings, like));
      const game = await newGame(server.url, session.token, quiz, options);
      await use(new LiveGame({ server, session, game, end, browser }));
    } finally {
      await end.close();
    }
  },
});

export { expect } from '@playwright/test';
