// What must hold on every page in every state: nothing on the console, no request to another server, no accessibility
// fault, nothing wider than the screen, a sound layout.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import type { AxeResults } from 'axe-core';

import { hasSoundLayout } from '../layout.ts';
import { keepPicture } from './kept.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those of them that read colours. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

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

/** No fault that axe can find, and a sound layout, once the page is still: a half-faded text has half its contrast. */
export async function isAccessible(page: Page, state: string): Promise<void> {
  await hasNoAccessFault(page, state);
  await isNotTooWide(page, state);
}

/** Axe takes a third of a second of a core. So no worker of this run shows it the same twice: at another width or with other words it
 * finds the same, and in other colours only another contrast. And below a modal dialog nothing can be read or pressed, so only the dialog
 * is examined; the page below it has a state of its own. */
async function hasNoAccessFault(page: Page, state: string): Promise<void> {
  const [shape, colours] = (await page.evaluate(readStructure)).map((each) => createHash('sha256').update(each).digest('hex')) as [string, string];
  if (isExamined(colours)) return;
  const rules = isExamined(shape) ? { type: 'rule', values: RULES_OF_COLOUR } : { type: 'tag', values: RULES };
  expect(await accessFaults(page, rules), `accessibility of ${state}`).toEqual([]);
  for (const each of [shape, colours]) writeFileSync(join(examined(), each), '');
}

/** A file for each structure in which axe has found no fault. Playwright empties the folder around it when a run begins. */
function examined(): string {
  const folder = join(test.info().project.outputDir, 'examined');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function isExamined(structure: string): boolean {
  return existsSync(join(examined(), structure));
}

async function accessFaults(page: Page, rules: { type: string; values: readonly string[] }): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const results = await page.evaluate(async (runOnly) => {
    const axe = (globalThis as unknown as { axe: { run: (where: Node, how: object) => Promise<AxeResults> } }).axe;
    // Half of its time it would load stylesheets again for a rule that is off, and measure sounds, of which sound.spec.ts knows more.
    const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
    return axe.run(scope, { runOnly, resultTypes: ['violations'], preload: false });
  }, rules);
  return results.violations.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

/** What axe reads of a page, in the page: its visible elements with their roles and states and whether they have words; and the same
 * with their colours, and whether their text is large. Names, numbers and widths are left out, and of elements that are alike and
 * follow each other all but the first. */
async function readStructure(): Promise<[shape: string, colours: string]> {
  // Elements that fade in or move have to arrive; endless animations are not waited for.
  const moving = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
  await Promise.allSettled(moving.map((each) => each.finished));
  // A dialog learns with the next frame that its content is longer than its room.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const read = (element: Element): readonly [string, string] => {
    const children = [...element.children].map(read);
    const own = element.checkVisibility({ visibilityProperty: true }) ? [ownShape(element), ownColours(element)] : ['', ''];
    return [0, 1].map((kind) => {
      const parts = children.map((child) => child[kind] ?? '').filter((each, at, all) => each !== '' && each !== all[at - 1]);
      const self = kind === 0 ? own[0] : own.join(' ');
      return parts.length === 0 && own[0] === '' ? '' : `${self ?? ''}(${parts.join()})`;
    }) as [string, string];
  };
  const ownShape = (element: Element): string => {
    const names = [...element.attributes].filter(({ name }) => !/^(data-.*|style|class|d|points|x\d?|y\d?|cx|cy|width|height|transform)$/.test(name));
    const states = names.map(({ name, value }) => {
      // The languages of the app are one to axe, and so are on and off.
      if (name === 'lang' && /^(en|de|es|fr)$/.test(value)) return name;
      if (/^aria-(pressed|expanded|selected|checked|busy)$/.test(name) && /^(true|false)$/.test(value)) return name;
      const isState = /^(role|type|tabindex|lang|aria-(?!label$|valuetext$|valuenow$|describedby$|labelledby$|controls$|owns$).*)$/.test(name);
      return isState || value === '' ? `${name}=${value}` : name;
    });
    // A sentence that is only read aloud comes and goes.
    const hasWords = element.matches('.unseen[aria-live]') || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
    return [element.localName, ...states.sort(), hasWords].join(' ');
  };
  const ownColours = (element: Element): string => {
    const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity } = getComputedStyle(element);
    // Large text needs less contrast.
    const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    return [color, backgroundColor, backgroundImage, isLarge, opacity].join(' ');
  };
  return read([...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement) as [string, string];
}

/** Nothing is wider than the page, and the rest of its layout is sound as well; each element that is not is named. A picture is kept for those
 * who want one. */
export async function isNotTooWide(page: Page, state: string): Promise<void> {
  await hasSoundLayout(page, state);
  await keepPicture(page, state);
}
