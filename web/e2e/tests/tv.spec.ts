// Everything that a television shows can be read from the back of the room, and its clocks say what they count down to.

import { expect, type Locator, test } from '@playwright/test';

import { SAMPLES } from '../../screen/src/samples.ts';
import type { NextStep, ScreenUpdate } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';
import { asked, ROUND, updateOf, Wall } from '../support/wall.ts';

const LINES = 1_080;
/** The least size of letters on a screen of 1080 lines, in pixels. */
const LEAST = 24;
/** The most that a game can show: there the whole content comes before the size of its letters. */
const CROWDED: Readonly<Record<string, number>> = { tallyMany: 16 };
const HALL = { width: 1_920, height: 1_080 } as const;
/** They have one shape, so that a sample of the pictures is enough for the others. */
const WALLS = [
  { ...HALL, every: 1 },
  { width: 1_280, height: 720, every: 12 },
  { width: 3_840, height: 2_160, every: 20 },
] as const;
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaft';

test('every picture can be read, whole, on a screen of any size; clocks say what they count down to, and a question its place in its section', async ({ browser }) => {
  await using server = await Server.start();
  const page = await browser.newPage({ viewport: HALL, reducedMotion: 'reduce' });
  const wall = await Wall.open(page, server.url);
  await test.step('every picture', () => isRead(wall));
  await page.setViewportSize(HALL);
  await test.step('a clock says what it counts down to, and a question that waits for some says so without names', () => countsDown(wall));
  await test.step('the autopilot’s next step has a clock under every picture but a break', () => countsSteps(wall));
  await test.step('a game that goes question by question names the question in its section, and what a wrong answer costs', () => namesSection(wall));
  await page.close();
});

async function isRead(wall: Wall): Promise<void> {
  const scenes = { ...Object.fromEntries(Object.entries(SAMPLES).map(([name, view]) => [name, updateOf(view)])), ...withLongNames() };
  for (const { width, height, every } of WALLS) {
    await wall.page.setViewportSize({ width, height });
    for (const [name, update] of Object.entries(scenes).filter((_, at) => at % every === 0)) {
      const what = `${name}, ${String(width)} × ${String(height)}`;
      await wall.shows(update);
      const least = ((CROWDED[name] ?? LEAST) * height) / LINES;
      const small = (await wall.letters()).filter(({ size }) => size < least - 0.01);
      expect.soft(small, `small letters: ${what}`).toEqual([]);
      expect.soft(await wall.cut(), `cut off: ${what}`).toEqual([]);
      await keepPicture(wall.page, what);
    }
  }
}

/** The board and the podium with the longest names. */
function withLongNames(): Record<string, ScreenUpdate> {
  const long = (update: ScreenUpdate): ScreenUpdate =>
    JSON.parse(JSON.stringify(update, (key, value: unknown) => (key === 'displayName' ? LONG_NAME.slice(0, 32) : value))) as ScreenUpdate;
  return { boardLong: long(updateOf(SAMPLES.board)), podiumLong: long(updateOf(SAMPLES.podium)), winnerLong: long(updateOf(SAMPLES.winner)) };
}

async function countsDown(wall: Wall): Promise<void> {
  const { page } = wall;
  const time = page.locator('main .time');
  const timed = (remainingMs: number, more = {}) => ({ ...ROUND, questions: [asked(1, 'Which bridge is this?', { timer: { remainingMs, running: true }, ...more })] });
  await wall.shows(timed(20_000));
  await expect(time).toHaveText(/^Time for this question\s*0:(20|1\d)/);
  await expect(page.getByRole('timer', { name: 'Time for this question' })).toBeVisible();
  await isAccessible(page, 'screen, a clock with its name');
  await wall.shows({ ...timed(1_000), timer: { remainingMs: 60_000, running: true } });
  await expect(time.nth(1)).toHaveText(/^Time for the round\s*(1:00|0:5\d)/);
  await expect(time.first()).toHaveText(/0:00/);
  await expect(page.getByText('Some have more time')).toBeVisible();
  await wall.shows(timed(20_000));
  await expect(page.getByText('Some have more time'), 'the host has added time').toHaveCount(0);
  await wall.shows({ ...ROUND, phase: 'lobby', pause: { timer: { remainingMs: 300_000, running: true }, text: 'Drinks are served.' } });
  await expect(page.getByRole('timer', { name: 'Break' })).toBeVisible();
}

async function countsSteps(wall: Wall): Promise<void> {
  const { page } = wall;
  const stepping = (next: NextStep) => ({ step: { next, remainingMs: 8_000, running: true } });
  await wall.shows({ ...ROUND, ...stepping('release') });
  await expect(page.locator('.step')).toHaveText(/^Next question in\s*0:0\d/);
  await isAccessible(page, 'screen, the autopilot’s next step');
  await wall.shows({ ...updateOf(SAMPLES.board), ...stepping('start_next_round') });
  await expect(page.locator('.step')).toHaveText(/^Next round in\s*0:0\d/);
  const sideOf = async (of: Locator, side: 'top' | 'bottom') => of.evaluate((element, end) => element.getBoundingClientRect()[end], side);
  const [row, clock] = [await sideOf(page.locator('.board li').last(), 'bottom'), await sideOf(page.locator('.step'), 'top')];
  expect(row, 'the last place is above the clock').toBeLessThanOrEqual(clock);
  await wall.shows({ ...updateOf(SAMPLES.breakTime), ...stepping('release') });
  await expect(page.locator('.step')).toHaveCount(0);
}

async function namesSection(wall: Wall): Promise<void> {
  const { page } = wall;
  const round = { number: 3, of: 12, title: '', wrongPoints: -5, section: { index: 0, title: 'Science', questionIndex: 2, questionCount: 10 } };
  await wall.shows({ ...ROUND, round });
  await expect(page.getByRole('heading', { name: 'Science' })).toBeVisible();
  await expect(page.locator('main')).toContainText('question 3 of 10');
  await expect(page.locator('main')).toContainText('wrong: −5 points');
  await wall.shows({ ...ROUND, round, questions: [asked(1, 'Which of these is a planet?')] });
  await expect(page.locator('article .number')).toHaveText('3');
  await expect(page.locator('header')).toContainText(/Science·\s*question 3 of 10/);
  await expect(page.locator('article')).toContainText('wrong: −5 points');
  await expect(page.getByText('Round 3')).toHaveCount(0);
}
