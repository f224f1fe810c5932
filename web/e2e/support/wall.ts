// A page of a screen or a spectator whose server is the test: it shows any picture at once, also those that a game reaches only after
// an hour, and measures what is drawn.

import { randomBytes, randomUUID } from 'node:crypto';

import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { expect, type Page, type WebSocketRoute } from '@playwright/test';

import type { ScreenStep, ScreenTimer, ScreenView } from '../../screen/src/view.ts';
import type { ReleasedMedia, ScreenQuestion, ScreenUpdate } from '../../sdk/src/generated/protocol.ts';

const GAME = '00000000-0000-4000-8000-000000000001';

/** A picture of a round in which nothing has happened yet. */
export const ROUND: ScreenUpdate = {
  ...{ gameCode: 'KTM472', title: 'The big autumn quiz', phase: 'question', locked: false, playerTotal: 24, sound: false },
  round: { number: 2, of: 4, title: 'Far away' },
  preload: { gameId: GAME, items: [] },
};

/** A released question. */
export function asked(number: number, text: string, more: Partial<ScreenQuestion> = {}): ScreenQuestion {
  const id = randomUUID();
  const type = more.choices ? 'multiple_choice' : 'text';
  return { id, number, text, type, points: 10, answered: 7, of: 24, closed: false, ...more };
}

/** The message that a server sends for a sample of a picture. */
export function updateOf(view: ScreenView): ScreenUpdate {
  const sent = JSON.stringify(view, (key, value: unknown) => {
    if (key === 'timer' && value) {
      const { endsAt, leftMs } = value as ScreenTimer;
      return { remainingMs: leftMs, running: endsAt !== null };
    }
    if (key === 'step' && value) {
      const { next, timer } = value as ScreenStep;
      return { next, remainingMs: timer.leftMs, running: timer.endsAt !== null };
    }
    return value ?? undefined;
  });
  return JSON.parse(sent) as ScreenUpdate;
}

/** A box on the page. */
export interface Box {
  readonly what: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The page. */
export class Wall {
  readonly page: Page;
  readonly #copies = new Map<string, Buffer>();
  #socket: WebSocketRoute | null = null;
  #now: ScreenUpdate | null = null;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens it on this server; with `watching`, as a spectator; `search` is that of the address. */
  static async open(page: Page, url: string, watching = false, search = ''): Promise<Wall> {
    const wall = new Wall(page);
    await page.routeWebSocket(/\/ws\//, (socket) => {
      wall.#take(socket);
    });
    await page.route(`**/api/v1/games/${GAME}/media/*`, async (route) => {
      const copy = wall.#copies.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      await (copy ? route.fulfill({ body: copy }) : route.abort());
    });
    await page.goto(`${url}${watching ? '/watch/KTM472' : '/screen'}${search}#KTM472/token`);
    return wall;
  }

  /** A picture made by the test, for the `media` of a question. */
  picture(file: Buffer, alt: string): ReleasedMedia {
    const [key, name] = [randomBytes(32), randomBytes(8).toString('hex')];
    this.#copies.set(name, Buffer.from(chacha20poly1305(key, new Uint8Array(12)).encrypt(file)));
    return { gameId: GAME, name, key: key.toString('hex'), kind: 'picture', type: 'image/png', bytes: file.length, alt };
  }

  /** Shows this, and waits until everything in it is there. */
  async shows(update: ScreenUpdate): Promise<void> {
    this.#now = update;
    this.#say(update);
    const last = update.questions?.at(-1);
    const article = this.page.locator(`article[data-question="${last?.id ?? ''}"]`).or(this.page.locator('main.plate'));
    if (last && !update.tally) await expect(article).toBeVisible();
    await this.isStill();
  }

  /** Pictures are decoded, formulas rendered, fonts loaded, and nothing has moved for two frames. */
  async isStill(): Promise<void> {
    await this.page.evaluate(async () => {
      const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      const isSet = (): boolean => [...document.querySelectorAll('bdi')].every(({ childNodes }) => [...childNodes].every((node) => !/\$\\/.test(node.nodeValue ?? '')));
      const isShown = (): boolean => [...document.images].every((image) => image.complete && image.naturalWidth > 0);
      for (let tries = 0; tries < 300 && !(isSet() && isShown()); tries += 1) await frame();
      await document.fonts.ready;
      for (let still = 0, before = ''; still < 2; ) {
        await frame();
        const now = [...document.querySelectorAll('main *')].map((each) => Object.values(each.getBoundingClientRect().toJSON() as object).join()).join();
        still = now === before ? still + 1 : 0;
        before = now;
      }
    });
  }

  /** The boxes of these elements, as far as anything is drawn in them. */
  async boxes(selector: string): Promise<Box[]> {
    return this.page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { left, top, right, bottom } = (element.matches('img, .earlier *') ? element : range).getBoundingClientRect();
        return { what: `${element.tagName} ${(element.textContent ?? '').trim().slice(0, 24)}`, left, top, right, bottom };
      }),
    );
  }

  /** Every visible text, with the size of its letters in pixels. */
  async letters(within = 'body'): Promise<{ text: string; size: number }[]> {
    return this.page.locator(within).first().evaluate((root) => {
      const found = [];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        const text = node.nodeValue?.trim();
        if (!parent || !text || parent.closest('.unseen, script, style, noscript, math, svg') || !parent.checkVisibility({ visibilityProperty: true })) continue;
        found.push({ text: text.slice(0, 30), size: parseFloat(getComputedStyle(parent).fontSize) });
      }
      return found;
    });
  }

  /** Texts of which a part can be neither seen nor scrolled to, except those that end in an ellipsis. */
  async cut(): Promise<string[]> {
    return this.page.evaluate(() => {
      const isScrolled = (style: CSSStyleDeclaration): boolean => /auto|scroll/.test(style.overflowX + style.overflowY);
      return [...document.querySelectorAll('main, main *, header *')].flatMap((box) => {
        const style = getComputedStyle(box);
        if (!/hidden|clip/.test(style.overflowX + style.overflowY) || isScrolled(style) || style.textOverflow === 'ellipsis' || box.closest('.unseen, svg, progress')) return [];
        return box.scrollHeight > box.clientHeight + 2 || box.scrollWidth > box.clientWidth + 2 ? [`${box.tagName}.${box.className}: ${box.textContent.trim().slice(0, 40)}`] : [];
      });
    });
  }

  #take(socket: WebSocketRoute): void {
    this.#socket = socket;
    socket.onMessage((text) => {
      const message = JSON.parse(String(text)) as { type: string; payload: unknown };
      if (message.type === 'ping') socket.send(JSON.stringify({ ...message, type: 'pong' }));
    });
    if (this.#now) this.#say(this.#now);
  }

  #say(update: ScreenUpdate): void {
    this.#socket?.send(JSON.stringify({ type: 'screen_update', payload: update }));
  }
}
