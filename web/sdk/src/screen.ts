// A screen's game: holds the newest picture from the server. Used by the screen page.

import { Game } from './game.ts';
import type { GameOptions, Handlers } from './game.ts';
import type { HeardByScreen, ScreenUpdate } from './generated/protocol.ts';
import type { Connection } from './view.ts';

/** What a screen page draws. */
export interface ScreenGameView {
  readonly connection: Connection;
  /** Null until the first one has arrived. */
  readonly update: ScreenUpdate | null;
  /** When it arrived, by the steady clock of the platform. */
  readonly at: number;
}

/** A connection that is quiet for this long gets a ping: a hall must learn within 3 s that its screen stands still. */
const QUIET_MS = 1_000;

/** A screen: connects at once, reconnects by itself, and sends only pings. */
export class ScreenGame extends Game<ScreenGameView> {
  #update: ScreenUpdate | null = null;
  #at = 0;
  protected readonly handlers: Handlers<HeardByScreen> = {
    screen_update: (update) => {
      this.#update = update;
      this.#at = this.platform.steady();
    },
  };

  constructor(seat: { readonly gameCode: string; readonly token: string }, options: GameOptions = {}) {
    super(seat.gameCode, seat.token, options);
  }

  protected renew(): void {
    // The next picture replaces the one that is here.
  }

  protected settled(): void {
    // There is nothing to send.
  }

  protected lost(): void {
    // There is nothing to send again.
  }

  protected isWaiting(): boolean {
    return false;
  }

  protected override quietMs(): number {
    return QUIET_MS;
  }

  protected picture(): ScreenGameView {
    return { connection: this.connection, update: this.#update, at: this.#at };
  }
}
