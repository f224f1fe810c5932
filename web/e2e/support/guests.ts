// Additional guests without phones of their own: their sockets live in one page, and each answers released questions from its own
// list. They fill a room; what a guest sees is tested with phone.ts.

import type { Browser, BrowserContext } from '@playwright/test';

import { join } from './api.ts';

/** The answers of each guest, by question text; a question without an entry is not answered. */
export type Answers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Guests whose sockets live in one page. */
export class Guests {
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Each of `guests` joins and opens a socket, in this order. */
  static async join(browser: Browser, url: string, gameCode: string, guests: Answers): Promise<Guests> {
    const context = await browser.newContext();
    const page = await context.newPage();
    // Any file of the app can be opened: its policy allows sockets to its own server.
    await page.goto(`${url}/lamp.svg`);
    for (const [name, answers] of Object.entries(guests)) {
      const { sessionToken } = await join(url, gameCode, name);
      await page.evaluate(
        ({ address, answers }) =>
          new Promise<void>((opened) => {
            const socket = new WebSocket(address);
            socket.onopen = () => {
              opened();
            };
            socket.onmessage = (event: MessageEvent<string>) => {
              const { type, payload } = JSON.parse(event.data) as {
                type: string;
                payload: { question: { id: string; text: string } };
              };
              const answer = type === 'question_released' ? answers[payload.question.text] : undefined;
              if (answer === undefined) return;
              socket.send(JSON.stringify({ type: 'submit_answer', payload: { questionId: payload.question.id, answer } }));
            };
          }),
        { address: `${url.replace('http', 'ws')}/ws/${gameCode}?token=${sessionToken}`, answers },
      );
    }
    return new Guests(context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}
