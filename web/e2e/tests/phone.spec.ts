// What a phone does by itself: it shows that a question is out of sight, vibrates, does not move under the thumb, and celebrates a
// right answer, a better place, and a victory.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { join } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import type { Runner } from '../support/runner.ts';

/** How far visible elements may shift in all. */
const MOST_SHIFT = 0.05;

/**
 * Counts the shifts of the layout from here on, also those just after a key or a tap; returns a function that reads the sum. The
 * present document is painted first: a view that has just replaced another one shifts the layout when it is painted.
 */
async function shifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const sum = { value: 0 };
    Object.assign(globalThis, { layoutShifts: sum });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum.value += entry.value;
    }).observe({ type: 'layout-shift' });
  });
  return () => page.evaluate(() => (globalThis as unknown as { layoutShifts: { value: number } }).layoutShifts.value);
}

/** In light and in dark. */
async function holds(phone: Phone, state: string): Promise<void> {
  await isAccessible(phone.page, state);
  await phone.page.emulateMedia({ colorScheme: 'dark' });
  await isAccessible(phone.page, `${state}, dark`);
  await phone.page.emulateMedia({ colorScheme: 'light' });
}

/** The place of the question on the screen. */
async function placeOf(phone: Phone, number: number): Promise<unknown> {
  return phone.question(number).getByRole('textbox').boundingBox();
}

const CHOICES = ['1', '2', '3', '4', '5', '6'];

/** Questions of which each can come out of sight: those after the second fill a small phone. */
const LONG: QuizBody = {
  title: 'A long evening',
  rounds: [
    {
      title: 'One',
      questions: Array.from({ length: 6 }, (_, at) => {
        const right = String(at + 1);
        const asked = { text: `How much is ${String(at)} and one?`, correctAnswers: [right] };
        return at < 2 ? { ...asked, type: 'text' } : { ...asked, type: 'multiple_choice', choices: CHOICES };
      }),
    },
    { title: 'Two', questions: CHOICES.slice(0, 3).map((each) => ({ text: `How much is ${each} and nothing?`, type: 'text', correctAnswers: [each] })) },
  ],
};

/** Runs in the page: records the requests to vibrate. */
function countBuzzes(): void {
  const buzzed: unknown[] = [];
  Object.assign(globalThis, { buzzed });
  Object.defineProperty(navigator, 'vibrate', {
    value: (ms: unknown) => {
      buzzed.push(ms);
      return true;
    },
  });
}

/** The requests to vibrate so far. */
const buzzes = (phone: Phone): Promise<unknown> =>
  phone.page.evaluate(() => (globalThis as unknown as { buzzed: unknown }).buzzed);

test.describe('a small phone', () => {
  test.use({ quiz: LONG });

  test('the lobby lives, and nothing jumps; a question out of sight says so under a hand, moves nothing, and is scrolled to without one; a phone buzzes as is chosen', async ({ live }) => {
    const runner = await live.runner();
    const ann = await live.visitor({ size: SMALL_PHONE, motion: true });
    await ann.context.addInitScript(countBuzzes);
    await ann.page.reload();
    await ann.sit('Ann');
    await test.step('names arrive, and lamps are lit', () => fills(live, ann));
    await ann.page.emulateMedia({ reducedMotion: 'reduce' });
    await runner.start();
    await runner.release(1);
    await expect(ann.question(1).getByRole('heading')).toBeInViewport();
    await expect(pillOf(ann), 'it is in sight').toHaveCount(0);
    await test.step('a question comes while its player does nothing, types, and has just touched the glass', () => comesOutOfSight(ann, runner));
    expect(await buzzes(ann), 'its owner wants calm').toEqual([]);
    await runner.endRound();
    await runner.releaseScores();
    await runner.nextRound();
    await ann.page.emulateMedia({ reducedMotion: 'no-preference' });
    await ann.page.reload();
    await test.step('a new question is felt', () => isFelt(ann, runner));
    ann.watch.verify();
  });
});

const pillOf = (ann: Phone) => ann.page.getByRole('button', { name: /is here/ });

async function fills(live: LiveGame, ann: Phone): Promise<void> {
  await ann.sees('1 player here');
  const shifted = await shifts(ann.page);
  for (const [at, name] of ['Ben', 'The Seven & a Half Dwarfs of Table 42 Ω!'].entries()) {
    await join(live.server.url, live.game.gameCode, name);
    await ann.sees(`${name} just joined`);
    await expect(ann.page.locator('main .lit')).toHaveCount(at + 2);
  }
  expect(await shifted()).toBeLessThanOrEqual(MOST_SHIFT);
  await isAccessible(ann.page, 'phone, names arriving');
  await ann.page.reload();
  await ann.sees('3 players here');
  await ann.seesNoMore(/just joined/);
}

async function comesOutOfSight(ann: Phone, runner: Runner): Promise<void> {
  const pill = pillOf(ann);
  const heading = (number: number) => ann.question(number).getByRole('heading');
  await runner.release(1);
  await expect(heading(2)).toBeInViewport();
  await expect(heading(2), 'the focus stays where it is').not.toBeFocused();
  await expect(heading(1)).not.toBeInViewport();
  await expect(pill).toHaveCount(0);

  const field = ann.question(1).getByRole('textbox');
  await field.pressSequentially('Reyk');
  const before = await placeOf(ann, 1);
  const shifted = await shifts(ann.page);
  await runner.release(2);
  await expect(pill, 'the first of those that were not seen').toHaveText(/Question 3 is here/);
  expect(await placeOf(ann, 1)).toEqual(before);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('Reyk');
  expect(await shifted()).toBeLessThanOrEqual(MOST_SHIFT);
  await holds(ann, 'phone, a question out of sight');
  await pill.click();
  await expect(heading(3)).toBeInViewport();
  await expect(heading(3)).toBeFocused();
  await expect(pill).toHaveText(/Question 4 is here/);
  await pill.click();
  await expect(heading(4)).toBeInViewport();
  await expect(pill).toHaveCount(0);

  await heading(4).tap();
  // However long the release takes, the last touch is a moment ago.
  await ann.page.evaluate(() => setInterval(() => window.dispatchEvent(new PointerEvent('pointerdown')), 200));
  await runner.release(1);
  await expect(pill).toHaveText(/Question 5 is here/);
  await expect(heading(4)).toBeInViewport();
  await expect(heading(5)).not.toBeInViewport();
}

async function isFelt(ann: Phone, runner: Runner): Promise<void> {
  const choice = ann.page.getByLabel('For a new question');
  await expect(choice).toHaveValue('buzz');
  const comes = async (number: number): Promise<unknown> => {
    await runner.release(1);
    await expect(ann.question(number)).toBeVisible();
    return buzzes(ann);
  };
  expect(await comes(1), 'once for each question').toEqual([60]);
  await choice.selectOption('Nothing');
  expect(await comes(2)).toEqual([60]);
  await choice.selectOption('Vibration and sound');
  expect(await buzzes(ann), 'tried out by choosing it').toEqual([60, 60]);
  await ann.page.reload();
  await expect(ann.question(1)).toBeVisible();
  await expect(choice, 'it is remembered').toHaveValue('both');
}

/** A short game, whose last round is not played. */
const SHORT: QuizBody = {
  title: 'A short evening',
  rounds: [
    {
      title: 'One',
      questions: ['Rome', 'Oslo', 'Bern'].map((answer) => ({
        text: `The capital that begins with ${answer.slice(0, 1)}?`,
        type: 'text',
        correctAnswers: [answer],
        points: 1,
      })),
    },
    { title: 'Two', questions: [{ text: 'And with P?', type: 'text', correctAnswers: ['Paris'], points: 5 }] },
    { title: 'Three', questions: [{ text: 'And with L?', type: 'text', correctAnswers: ['Lima'] }] },
  ],
};

test.describe('after a round', () => {
  test.use({ quiz: SHORT });

  test('a marked phone says how many were right, shows each by sign and word, and how far it came', async ({ live }) => {
    const runner = await live.runner();
    const ann = await live.guest('Ann', { size: SMALL_PHONE });
    const asked = SHORT.rounds[0]?.questions.map(({ text, correctAnswers: [answer] }) => [text, answer] as const) ?? [];
    await live.guests({ Ben: Object.fromEntries(asked), Idle: {} });
    const screen = await live.wall();
    const tally = ann.page.getByTestId('tally');
    await runner.start();
    await runner.release(3);
    for (const [number, answer] of ['Rome', 'Oslo', 'Basel'].entries()) await ann.write(number + 1, answer);
    await ann.hasStored(1, 2, 3);
    for (const number of [1, 2, 3]) await runner.counts(number, 2);
    await runner.endRound();
    await runner.releaseScores();
    await expect(tally).toContainText('2 of 3 right');
    await expect(tally).toContainText('Well played.');
    const results = ann.page.getByRole('listitem').filter({ hasText: 'The capital that begins' });
    await expect(results).toHaveText([/Rome\s*right/, /Oslo\s*right/, /Basel\s*wrong/]);
    await test.step('right answers shine like the lamps above them, a wrong one does not', async () => {
      const lamps = tally.locator('.right circle');
      await expect(lamps).toHaveCount(2);
      const lit = await lamps.first().evaluate((lamp) => getComputedStyle(lamp).fill);
      for (const answer of ['Rome', 'Oslo']) {
        await expect(results.getByText(answer, { exact: true }).locator('..')).toHaveCSS('background-color', lit);
      }
      await expect(results.getByText('Basel').locator('..')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    });
    await holds(ann, 'phone, two of three right');

    await runner.nextRound();
    await runner.release(1);
    await ann.write(1, 'Paris');
    await ann.hasStored(1);
    await runner.endRound();
    await runner.releaseScores();
    await expect(tally).toContainText('1 of 1 right');
    await expect(tally).toContainText('Every one right!');
    await expect(ann.page.getByRole('heading', { level: 1 })).toContainText('up 1 place');
    await test.step('the standings say how far each player came, on the phone and on the screen', async () => {
      await runner.showAll();
      await screen.sees('Standings');
      for (const page of [ann.page, screen.page]) {
        for (const [name, moved] of [['Ann', 'up 1 place'], ['Ben', 'down 1 place'], ['Idle', 'same place']] as const) {
          await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText(moved);
        }
      }
    });
    await runner.endGame();
    await ann.sees('You won, Ann');
    await isAccessible(ann.page, 'phone, the winner');
    ann.watch.verify();
  });
});
