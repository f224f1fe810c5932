// The connection of a page to its game, on which a test holds what the server sends: the page does not know it yet, for as long as the
// test wants, and on any machine.

import type { Page } from '@playwright/test';

/** What a test can do with the connection. */
export interface HeldLine {
  /** Holds all messages from now on, or from the next message of this type on. */
  hold(from?: string): void;
  /** Holds the messages of this type alone from now on. */
  holdOnly(type: string): void;
  /** Sends what was held, and holds no more. */
  pass(): void;
}

/** For all connections of the page that are opened from now on. The page's pings are answered meanwhile. */
export async function heldLine(page: Page): Promise<HeldLine> {
  let from: string | null = null;
  let only: string | null = null;
  let held: (() => void)[] = [];
  await page.routeWebSocket(/\/ws\//, (near) => {
    near.connectToServer().onMessage((message) => {
      const send = (): void => {
        near.send(message);
      };
      const text = String(message);
      const isHeld = from !== null && !text.includes('"pong"') && (held.length > 0 || text.includes(from));
      if (isHeld || (only !== null && text.includes(only))) held.push(send);
      else send();
    });
  });
  return {
    hold: (type) => {
      from = type === undefined ? '' : `"${type}"`;
    },
    holdOnly: (type) => {
      only = `"${type}"`;
    },
    pass: () => {
      from = only = null;
      for (const send of held) send();
      held = [];
    },
  };
}
