// A phone whose server is the test: it is shown any moment of a game at once, also those that need a long evening. What it sends is
// answered as the server would.

import type { Page, WebSocketRoute } from '@playwright/test';

import type { HeardByPlayer } from '../../sdk/src/generated/protocol.ts';

const SEAT = { gameCode: 'KTM472', playerId: '00000000-0000-4000-8000-00000000000a', displayName: 'Ann', sessionToken: 'qp_made' } as const;

/** A message of the server, or one of a later version. */
export type Said = HeardByPlayer | { readonly type: string; readonly payload?: object };

/** The phone of Ann, who has a seat. */
export class MadePhone {
  /** Her id. */
  static readonly me = SEAT.playerId;
  readonly page: Page;
  #socket: WebSocketRoute | null = null;
  #sync: readonly Said[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page of this server in a game that has said `sync`. */
  static async open(page: Page, url: string, ...sync: Said[]): Promise<MadePhone> {
    const phone = new MadePhone(page);
    phone.#sync = sync;
    await page.routeWebSocket(/\/ws\//, (socket) => {
      phone.#take(socket);
    });
    await page.addInitScript((seats) => {
      localStorage.setItem('quizhall.seats', seats);
    }, JSON.stringify({ version: 1, seats: [SEAT] }));
    await page.goto(`${url}/?code=${SEAT.gameCode}`);
    return phone;
  }

  /** The server says this. */
  says(...messages: Said[]): void {
    for (const message of messages) this.#socket?.send(JSON.stringify(message));
  }

  #take(socket: WebSocketRoute): void {
    this.#socket = socket;
    socket.onMessage((text) => {
      const { type, payload } = JSON.parse(String(text)) as { type: string; payload?: { questionId?: string } };
      if (type === 'ping') this.says({ type: 'pong' });
      if (type === 'submit_answer') this.says({ type: 'answer_accepted', payload: { questionId: payload?.questionId ?? '' } });
    });
    this.says(...this.#sync);
  }
}
