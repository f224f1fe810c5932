// What must hold on every page in every state: nothing on the console, no request to anywhere else, no accessibility
// fault, nothing wider than the screen.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Listens to a context's pages; `verify` fails with everything that was said or asked elsewhere. */
export class Watch {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  constructor(context: BrowserContext) {
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#complain(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => {
      this.#complain(`uncaught: ${error.error().message}`);
    });
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (/^(http|ws)s?:$/.test(url.protocol) && url.hostname !== '127.0.0.1') this.#complain(`request to ${url.origin}`);
    });
  }

  /** What this test provokes on purpose: a refused call or a cut line is reported by the browser itself. */
  allow(...expected: RegExp[]): void {
    this.#allowed.push(...expected);
  }

  /** The lines are the message: the end of a long record then still has them. */
  verify(): void {
    if (this.#found.length > 0) throw new Error(this.#found.join('\n'));
  }

  #complain(line: string): void {
    if (!this.#allowed.some((expected) => expected.test(line))) this.#found.push(line);
  }
}

/** Pauses between attempts to connect are drawn by lot, and grow to many seconds while the server is away: short lots for
 * all pages of this context, so that no page is still waiting when it has long been back. */
export async function comesBackSoon(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Math.random = () => 0.05;
  });
}

/** What is promised in seconds gets three more where other tests run beside. */
export const within = (ms: number): { timeout: number } => ({
  timeout: process.env.QUIZHALL_QUIET_MACHINE === '1' ? ms : ms + 3_000,
});

/** The browser's own words about a server that is away for a moment. */
export const CONNECTION_LOST = /WebSocket connection to|net::ERR_(CONNECTION|EMPTY|SOCKET|INTERNET|NETWORK|ABORTED|TIMED)/;

/** What fades in or moves to its place has arrived; what moves for ever is not waited for. */
async function isStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
    await Promise.allSettled(moving.map((each) => each.finished));
  });
}

/** No fault that axe can see, and nothing to scroll sideways, once the page is still: half a fade has half its contrast. */
export async function isAccessible(page: Page, state: string): Promise<void> {
  await isStill(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const results = await page.evaluate(async (rules) => {
    const axe = (globalThis as unknown as { axe: { run: (where: Document, how: object) => Promise<AxeResults> } }).axe;
    return axe.run(document, { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] });
  }, RULES);
  const faults = results.violations.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
  expect(faults, `accessibility of ${state}`).toEqual([]);
  await isNotTooWide(page, state);
}

/** Nothing sticks out at the side; what does is named. */
export async function isNotTooWide(page: Page, state: string): Promise<void> {
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > clientWidth);
    return [`${scrollWidth} of ${clientWidth} px`, ...out.map((each) => `${each.tagName} ${each.className}`)];
  });
  expect(found, `wider than the screen: ${state}`).toEqual([]);
}
