// A wall besides its questions: formulas have their signs, shared places keep below the lights, the lobby's names are large, the screen
// stays awake, the device's clock may be set wrong, and without JavaScript the page shows a sentence.

import { expect, type Page, test } from '@playwright/test';

import { SAMPLES } from '../../screen/src/samples.ts';
import type { ScreenUpdate } from '../../sdk/src/generated/protocol.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';
import { asked, ROUND, updateOf, Wall } from '../support/wall.ts';

let server: Server;
test.beforeAll(async () => {
  server = await Server.start();
});
test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
});
test.use({ viewport: { width: 1_920, height: 1_080 }, contextOptions: { reducedMotion: 'reduce' } });

/** Names of 24 letters, as wide as possible. */
const WIDE = Array.from({ length: 6 }, (_, at) => `WWWWWWW MMMMMMMM WWWWW ${String(at)}`);

test('a formula has its root sign and its lines', async ({ page }) => {
  const font = page.waitForResponse((response) => response.url().endsWith('.woff2') && response.url().includes('formulas'));
  const wall = await Wall.open(page, server.url);
  await wall.shows({ ...ROUND, questions: [asked(1, 'Is $\\sqrt{x} = \\overline{AB}$?')] });
  expect((await font).status()).toBe(200);
  await expect.poll(() => page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))).toContain('Noto Sans Math');
  await wall.isStill();
  const drawn = await page.locator('article h1').evaluate((title) => {
    const width = (selector: string): number => title.querySelector(selector)?.getBoundingClientRect().width ?? 0;
    const [math, line] = ['math', '.tml-overline'].map((selector) => getComputedStyle(title.querySelector(selector) ?? title));
    return { sign: width('msqrt') - width('msqrt > *'), line: parseFloat(line?.borderTopWidth ?? ''), family: math?.fontFamily, size: parseFloat(math?.fontSize ?? '') };
  });
  expect(drawn.family).toMatch(/^.?Noto Sans Math/);
  expect(drawn.sign, 'the root sign').toBeGreaterThan(drawn.size * 0.3);
  expect(drawn.size, 'as large as it can be').toBeGreaterThan(80);
  expect(drawn.line, 'the line over AB').toBeGreaterThan(1);
});

test('a question for the nearest number says who wins, until it is withdrawn', async ({ page }) => {
  const wall = await Wall.open(page, server.url);
  await wall.shows(updateOf(SAMPLES.questionNearest));
  await expect(page.getByText('The closest guess wins.')).toBeVisible();
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'nearest');
  const [question] = SAMPLES.questionNearest.questions;
  await wall.shows(updateOf({ ...SAMPLES.questionNearest, questions: question ? [{ ...question, withdrawn: true }] : [] }));
  await expect(page.getByText('The closest guess wins.')).toHaveCount(0);
});

test('names that share a place keep below the lights, whatever their letters', async ({ page }) => {
  const wall = await Wall.open(page, server.url);
  const place = (rank: number) => ({ rank, score: 100 - rank, names: WIDE.map((displayName, at) => ({ playerId: `${String(rank)}-${String(at)}`, displayName })) });
  await wall.shows({ ...updateOf(SAMPLES.podium), show: { kind: 'podium', whole: true, places: [place(1), place(2), place(3)] } } as ScreenUpdate);
  const lights = await page.locator('.bulbs svg').boundingBox();
  for (const names of await wall.boxes('.names')) expect(names.top, names.what).toBeGreaterThan((lights?.y ?? 0) + (lights?.height ?? 0) - 1);
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'podium');
  await wall.shows({ ...updateOf(SAMPLES.winner), show: { kind: 'winner', place: place(1) } } as ScreenUpdate);
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'winners');
});

test('a lobby of 200 shows the newest names so large that they can be read', async ({ page }) => {
  const wall = await Wall.open(page, server.url);
  await wall.shows(updateOf(SAMPLES.lobbyFull));
  await expect(page.locator('.people li')).toHaveCount(24);
  await expect(page.locator('.people li').last()).toHaveText(SAMPLES.lobbyFull.players.at(-1)?.displayName ?? '');
  await expect(page.getByRole('heading', { name: '200 players' })).toBeVisible();
  expect((await wall.letters('.people ul')).filter(({ size }) => size < 30)).toEqual([]);
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'lobby');
});

test('the bars of a poll and of an answer mean the same: a part of all answers', async ({ page }) => {
  const wall = await Wall.open(page, server.url);
  const bars = async (): Promise<number[]> => page.locator('main li progress').evaluateAll((all) => all.map((bar) => (bar as HTMLProgressElement).position));
  await wall.shows(updateOf(SAMPLES.tally));
  expect(await bars()).toEqual([9 / 13, 4 / 13, 0]);
  await wall.shows(updateOf(SAMPLES.answer));
  expect(await bars()).toEqual([4 / 24, 18 / 24, 2 / 24, 0]);
});

test('a wall stays awake while a game is on, and no longer', async ({ page }) => {
  await page.addInitScript(() => {
    const held = { count: 0 };
    const wakeLock = { request: () => Promise.resolve({ release: () => Promise.resolve(void (held.count -= 1)), asked: (held.count += 1) }) };
    Object.assign(globalThis, { held });
    Object.defineProperty(navigator, 'wakeLock', { value: wakeLock });
  });
  const held = (of: Page): Promise<number> => of.evaluate(() => (globalThis as unknown as { held: { count: number } }).held.count);
  const wall = await Wall.open(page, server.url);
  await wall.shows(ROUND);
  await expect.poll(() => held(page)).toBe(1);
  await wall.shows(updateOf(SAMPLES.podium));
  await expect.poll(() => held(page)).toBe(0);
});

test('a countdown goes on when the clock of the device is set', async ({ page }) => {
  const wall = await Wall.open(page, server.url);
  await wall.shows({ ...ROUND, questions: [asked(1, 'Which bridge is this?', { timer: { remainingMs: 60_000, running: true } })] });
  await page.evaluate(() => {
    const before = Date.now;
    Date.now = () => before() + 3_600_000;
  });
  const seconds = async (): Promise<number> => Number(await page.locator('.countdown').first().getAttribute('data-seconds'));
  const then = await seconds();
  await expect.poll(seconds).toBeLessThan(then);
  expect(await seconds()).toBeGreaterThan(20);
});

test('without JavaScript the page says what it needs', async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${server.url}/screen`);
  const words = page.locator('noscript p').first();
  await expect(words).toBeVisible();
  await expect(words).toContainText('needs JavaScript');
  await page.close();
});
