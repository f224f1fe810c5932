// A wall besides its questions: formulas have their signs, jokers are counted, shared places keep below the lights, the lobby's names are
// large, counts are drawn, the screen stays awake, and the device's clock may be set wrong.

import { expect, type Page, test } from '@playwright/test';

import { SAMPLES } from '../../screen/src/samples.ts';
import type { ScreenUpdate } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';
import { asked, ROUND, updateOf, Wall } from '../support/wall.ts';

test.use({ viewport: { width: 1_920, height: 1_080 }, contextOptions: { reducedMotion: 'reduce' } });

/** Names of 24 letters, as wide as possible. */
const WIDE = Array.from({ length: 6 }, (_, at) => `WWWWWWW MMMMMMMM WWWWW ${String(at)}`);

test('a wall draws a formula, jokers, shared places, a full lobby and bars, stays awake, and counts down whatever its clock says', async ({ page }) => {
  await using server = await Server.start();
  await page.addInitScript(countHeld);
  const wall = await Wall.open(page, server.url);
  await test.step('a formula has its root sign and its lines', () => drawsFormula(wall));
  await test.step('a question for the nearest number says who wins, until it is withdrawn', () => saysWhoWins(wall));
  await test.step('jokers are counted beside the question, whose number is golden', () => countsJokers(wall));
  await test.step('names that share a place keep below the lights, whatever their letters', () => sharesPlaces(wall));
  await test.step('a lobby of 200 shows the newest names so large that they can be read', () => fillsLobby(wall));
  await test.step('the bars of a poll and of an answer mean the same: a part of all answers', () => drawsBars(wall));
  await test.step('a wall stays awake while a game is on, and no longer', () => staysAwake(wall));
  await test.step('a countdown goes on when the clock of the device is set', () => countsOn(wall));
});

async function drawsFormula(wall: Wall): Promise<void> {
  const { page } = wall;
  const font = page.waitForResponse((response) => response.url().endsWith('.woff2') && response.url().includes('formulas'));
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
}

async function saysWhoWins(wall: Wall): Promise<void> {
  const { page } = wall;
  await wall.shows(updateOf(SAMPLES.questionNearest));
  await expect(page.getByText('The closest guess wins.')).toBeVisible();
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'nearest');
  const [question] = SAMPLES.questionNearest.questions;
  await wall.shows(updateOf({ ...SAMPLES.questionNearest, questions: question ? [{ ...question, withdrawn: true }] : [] }));
  await expect(page.getByText('The closest guess wins.')).toHaveCount(0);
  await expect(page.getByText('Withdrawn: no points').first()).toBeVisible();
}

async function countsJokers(wall: Wall): Promise<void> {
  const { page } = wall;
  const number = page.locator('article .number.now');
  await wall.shows(updateOf(SAMPLES.question));
  await expect(number).toHaveCSS('box-shadow', 'none');
  await expect(page.getByText(/jokers? for round/)).toHaveCount(0);
  await wall.shows(updateOf(SAMPLES.questionJokers));
  await expect(page.locator('article').getByText('3 jokers for round 2')).toBeVisible();
  await expect(number).not.toHaveCSS('box-shadow', 'none');
}

async function sharesPlaces(wall: Wall): Promise<void> {
  const { page } = wall;
  const place = (rank: number) => ({ rank, score: 100 - rank, names: WIDE.map((displayName, at) => ({ playerId: `${String(rank)}-${String(at)}`, displayName })) });
  await wall.shows({ ...updateOf(SAMPLES.podium), show: { kind: 'podium', whole: true, places: [place(1), place(2), place(3)] } } as ScreenUpdate);
  const lights = await page.locator('.bulbs svg').boundingBox();
  for (const names of await wall.boxes('.names')) expect(names.top, names.what).toBeGreaterThan((lights?.y ?? 0) + (lights?.height ?? 0) - 1);
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'podium');
  await wall.shows({ ...updateOf(SAMPLES.winner), show: { kind: 'winner', place: place(1) } } as ScreenUpdate);
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'winners');
}

async function fillsLobby(wall: Wall): Promise<void> {
  const { page } = wall;
  await wall.shows(updateOf(SAMPLES.lobbyFull));
  await expect(page.locator('.people li')).toHaveCount(24);
  await expect(page.locator('.people li').last()).toHaveText(SAMPLES.lobbyFull.players.at(-1)?.displayName ?? '');
  await expect(page.getByRole('heading', { name: '200 players' })).toBeVisible();
  expect((await wall.letters('.people ul')).filter(({ size }) => size < 30)).toEqual([]);
  expect(await wall.cut()).toEqual([]);
  await keepPicture(page, 'lobby');
}

async function drawsBars(wall: Wall): Promise<void> {
  const { page } = wall;
  const bars = async (): Promise<number[]> => page.locator('main li progress').evaluateAll((all) => all.map((bar) => (bar as HTMLProgressElement).position));
  await wall.shows(updateOf(SAMPLES.tally));
  expect(await bars()).toEqual([9 / 13, 4 / 13, 0]);
  await isAccessible(page, 'screen, the counts of a poll');
  await wall.shows(updateOf(SAMPLES.tallyCloud));
  await expect(page.getByTestId('cloud').getByRole('listitem')).toHaveCount(10);
  await isAccessible(page, 'screen, a word cloud');
  await wall.shows(updateOf(SAMPLES.answer));
  expect(await bars()).toEqual([4 / 24, 18 / 24, 2 / 24, 0]);
}

/** Runs in the page: counts what keeps the device awake. */
function countHeld(): void {
  const held = { count: 0 };
  const wakeLock = { request: () => Promise.resolve({ release: () => Promise.resolve(void (held.count -= 1)), asked: (held.count += 1) }) };
  Object.assign(globalThis, { held });
  Object.defineProperty(navigator, 'wakeLock', { value: wakeLock });
}

async function staysAwake(wall: Wall): Promise<void> {
  const { page } = wall;
  const held = (of: Page): Promise<number> => of.evaluate(() => (globalThis as unknown as { held: { count: number } }).held.count);
  await wall.shows(ROUND);
  await expect.poll(() => held(page)).toBe(1);
  await wall.shows(updateOf(SAMPLES.podium));
  await expect.poll(() => held(page)).toBe(0);
}

async function countsOn(wall: Wall): Promise<void> {
  const { page } = wall;
  await wall.shows({ ...ROUND, questions: [asked(1, 'Which bridge is this?', { timer: { remainingMs: 60_000, running: true } })] });
  await page.evaluate(() => {
    const before = Date.now;
    Date.now = () => before() + 3_600_000;
  });
  const seconds = async (): Promise<number> => Number(await page.locator('.countdown').first().getAttribute('data-seconds'));
  const then = await seconds();
  await expect.poll(seconds).toBeLessThan(then);
  expect(await seconds()).toBeGreaterThan(20);
}
