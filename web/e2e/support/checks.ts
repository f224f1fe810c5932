// What must hold on every page in every state: nothing on the console, no request to another server, no accessibility
// fault, nothing wider than the screen, a sound layout.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

import { hasSoundLayout } from '../layout.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Watches the pages of a context; `verify` fails with every console message and every request to another server. */
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

  /** Console messages that this test causes on purpose: the browser itself reports a refused call or a lost connection. */
  allow(...expected: RegExp[]): void {
    this.#allowed.push(...expected);
  }

  /** The lines are put into the error message, so that the end of a long list is shown. */
  verify(): void {
    if (this.#found.length > 0) throw new Error(this.#found.join('\n'));
  }

  #complain(line: string): void {
    if (!this.#allowed.some((expected) => expected.test(line))) this.#found.push(line);
  }
}

/** Pauses between attempts to connect are random, and grow to many seconds while the server is away. They are short for
 * all pages of this context, so that no page still waits long after the server has returned. */
export async function comesBackSoon(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Math.random = () => 0.05;
  });
}

/** A promise in seconds gets three more seconds when other tests run at the same time. */
export const within = (ms: number): { timeout: number } => ({
  timeout: process.env.QUIZHALL_QUIET_MACHINE === '1' ? ms : ms + 3_000,
});

/** The browser's own messages about a server that cannot be reached for a moment. */
export const CONNECTION_LOST = /WebSocket connection to|net::ERR_(CONNECTION|EMPTY|SOCKET|INTERNET|NETWORK|ABORTED|TIMED)/;

/** Waits until elements that fade in or move have arrived; endless animations are not waited for. */
async function isStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
    await Promise.allSettled(moving.map((each) => each.finished));
  });
}

/** The structures of pages in which axe has found no fault in this process. It reads a structure once: at another width or with other
 * words it finds the same, and every state that a test visits would cost half a second of a core. */
const sound = new Set<string>();

/** No fault that axe can find, and a sound layout, once the page is still: a half-faded text has half its contrast. */
export async function isAccessible(page: Page, state: string): Promise<void> {
  await isStill(page);
  const structure = createHash('sha256').update(await page.evaluate(structureOf)).digest('base64');
  if (!sound.has(structure)) {
    expect(await accessFaults(page), `accessibility of ${state}`).toEqual([]);
    sound.add(structure);
  }
  await isNotTooWide(page, state);
}

async function accessFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const results = await page.evaluate(async (rules) => {
    const axe = (globalThis as unknown as { axe: { run: (where: Document, how: object) => Promise<AxeResults> } }).axe;
    return axe.run(document, { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] });
  }, RULES);
  return results.violations.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

/** What axe reads of a page, in the page: its visible elements with their roles, states and colours, whether their text is large, and whether
 * they have words. Names, numbers and widths are left out. */
function structureOf(): string {
  const visible = [...document.querySelectorAll('*')].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  return visible
    .map((each) => {
      const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity } = getComputedStyle(each);
      // Large text needs less contrast.
      const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
      const names = [...each.attributes].filter(({ name }) => !/^(style|class|d|points|x\d?|y\d?|cx|cy|width|height|transform)$/.test(name));
      const states = names.map(({ name, value }) => {
        const isState = /^(role|type|tabindex|lang|aria-(?!label$|valuetext$|valuenow$|describedby$|labelledby$|controls$|owns$).*)$/.test(name);
        return isState || value === '' ? `${name}=${value}` : name;
      });
      const hasWords = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
      const depth = each.closest('dialog, [role=menu]') ? 'in' : '';
      return [each.localName, depth, ...states.sort(), hasWords, color, backgroundColor, backgroundImage, isLarge, opacity].join(' ');
    })
    .join('\n');
}

/** Nothing is wider than the page, and the rest of its layout is sound as well; each element that is not is named. */
export async function isNotTooWide(page: Page, state: string): Promise<void> {
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > clientWidth);
    return [`${scrollWidth} of ${clientWidth} px`, ...out.map((each) => `${each.tagName} ${each.className}`)];
  });
  expect(found, `wider than the screen: ${state}`).toEqual([]);
  await hasSoundLayout(page, state);
}
