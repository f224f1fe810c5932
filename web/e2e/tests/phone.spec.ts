// What a phone does by itself: it shows that a question is out of sight, vibrates, does not move under the thumb, and celebrates a
// right answer, a better place, and a victory.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

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

test('a question that comes out of sight says so, moves nothing, and a tap leads to it', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  await host.release(1);
  const field = ann.question(1).getByRole('textbox');
  await field.pressSequentially('Reyk');
  const before = await placeOf(ann, 1);
  const shifted = await shifts(ann.page);

  await host.release(2);
  const pill = ann.page.getByRole('button', { name: /is here/ });
  await expect(pill, 'the first of those that were not seen').toHaveText(/Question 2 is here/);
  expect(await placeOf(ann, 1)).toEqual(before);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('Reyk');
  expect(await shifted()).toBeLessThanOrEqual(MOST_SHIFT);
  await holds(ann, 'phone, a question out of sight');

  await pill.click();
  await expect(ann.question(2).getByRole('heading')).toBeInViewport();
  await expect(ann.question(2).getByRole('heading')).toBeFocused();
  await expect(pill).toHaveText(/Question 3 is here/);
  await pill.click();
  await expect(ann.question(3).getByRole('heading')).toBeInViewport();
  await expect(pill).toHaveCount(0);
  for (const each of [host, ann]) each.watch.verify();
});

test('a question that comes out of sight is scrolled to while its player does nothing', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  await host.release(1);
  const pill = ann.page.getByRole('button', { name: /is here/ });
  const heading = (number: number) => ann.question(number).getByRole('heading');
  await host.release(1);
  await expect(heading(2)).toBeInViewport();
  await expect(heading(2), 'the focus stays where it is').not.toBeFocused();
  await expect(heading(1)).not.toBeInViewport();
  await expect(pill).toHaveCount(0);

  await test.step('but not from under a hand that has just touched the glass', async () => {
    await heading(2).tap();
    // However long the release takes, the last touch is a moment ago.
    await ann.page.evaluate(() => setInterval(() => window.dispatchEvent(new PointerEvent('pointerdown')), 200));
    await host.release(1);
    await expect(pill).toHaveText(/Question 3 is here/);
    await expect(heading(2)).toBeInViewport();
    await expect(heading(3)).not.toBeInViewport();
  });
  for (const each of [host, ann]) each.watch.verify();
});

test('a question that comes in sight says nothing over it', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  await host.start();
  await host.release(1);
  await expect(ann.question(1).getByRole('heading')).toBeInViewport();
  await expect(ann.page.getByRole('button', { name: /is here/ })).toHaveCount(0);
  ann.watch.verify();
});

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

test('a phone buzzes once for each new question, not where its owner wants calm, and as is chosen on it', async ({
  live,
}) => {
  const host = await live.host();
  const [ann, calm] = [await live.visitor({ motion: true }), await live.visitor()];
  for (const phone of [ann, calm]) {
    await phone.context.addInitScript(countBuzzes);
    await phone.page.reload();
    await phone.sit(phone === ann ? 'Ann' : 'Calm');
  }
  const choice = ann.page.getByLabel('For a new question');
  await expect(choice).toHaveValue('buzz');
  await holds(ann, 'phone, how a question is signalled');
  await host.start();
  await host.release(2);
  for (const phone of [ann, calm]) await expect(phone.question(2)).toBeVisible();
  expect(await buzzes(ann)).toEqual([60, 60]);
  expect(await buzzes(calm)).toEqual([]);

  await choice.selectOption('Nothing');
  await host.release(1);
  await expect(ann.question(3)).toBeVisible();
  expect(await buzzes(ann)).toEqual([60, 60]);
  await choice.selectOption('Vibration and sound');
  expect(await buzzes(ann), 'tried out by choosing it').toEqual([60, 60, 60]);
  await ann.page.reload();
  await expect(ann.question(1)).toBeVisible();
  await expect(choice, 'it is remembered').toHaveValue('both');
  for (const each of [host, ann, calm]) each.watch.verify();
});

test('the lobby lives: names arrive, lamps are lit, and nothing jumps', async ({ live }) => {
  const ann = await live.guest('Ann', { size: SMALL_PHONE, motion: true });
  await ann.sees('1 player here');
  const shifted = await shifts(ann.page);
  const lit = ann.page.locator('main .lit');
  for (const [at, name] of ['Ben', 'Cleo', 'The Seven & a Half Dwarfs of Table 42 Ω!'].entries()) {
    await live.guest(name);
    await ann.sees(`${name} just joined`);
    await expect(lit).toHaveCount(at + 2);
  }
  expect(await shifted()).toBeLessThanOrEqual(MOST_SHIFT);
  await holds(ann, 'phone, names arriving');
  await ann.page.reload();
  await ann.sees('4 players here');
  await ann.seesNoMore(/just joined/);
  ann.watch.verify();
});

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
    const host = await live.host();
    const [ann, ben] = [await live.guest('Ann', { size: SMALL_PHONE }), await live.guest('Ben')];
    const idle = await live.guest('Idle');
    const screen = await live.screen(host);
    const tally = (phone: Phone) => phone.page.getByTestId('tally');
    await host.start();
    await host.release(3);
    for (const [number, answer] of ['Rome', 'Oslo', 'Basel'].entries()) await ann.write(number + 1, answer);
    for (const [number, answer] of ['Rome', 'Oslo', 'Bern'].entries()) await ben.write(number + 1, answer);
    await ann.hasStored(1, 2, 3);
    await ben.hasStored(1, 2, 3);
    await host.endRound();
    await host.releaseScores();
    await expect(tally(ann)).toContainText('2 of 3 right');
    await expect(tally(ann)).toContainText('Well played.');
    await expect(tally(ben)).toContainText('3 of 3 right');
    await expect(tally(ben)).toContainText('Every one right!');
    await expect(tally(idle)).toHaveText('0 of 3 right');
    const results = ann.page.getByRole('listitem').filter({ hasText: 'The capital that begins' });
    await expect(results).toHaveText([/Rome\s*right/, /Oslo\s*right/, /Basel\s*wrong/]);
    await test.step('right answers shine like the lamps above them, a wrong one does not', async () => {
      const lamps = tally(ann).locator('.right circle');
      await expect(lamps).toHaveCount(2);
      const lit = await lamps.first().evaluate((lamp) => getComputedStyle(lamp).fill);
      for (const answer of ['Rome', 'Oslo']) {
        await expect(results.getByText(answer, { exact: true }).locator('..')).toHaveCSS('background-color', lit);
      }
      await expect(results.getByText('Basel').locator('..')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    });
    await holds(ann, 'phone, two of three right');
    await holds(idle, 'phone, nothing answered');

    await host.nextRound();
    await host.release(1);
    await ann.write(1, 'Paris');
    await ann.hasStored(1);
    await host.endRound();
    await host.releaseScores();
    await expect(tally(ann)).toContainText('1 of 1 right');
    await expect(ann.page.getByRole('heading', { level: 1 })).toContainText('up 1 place');
    await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('down 1 place');
    await holds(ann, 'phone, one place up');
    await test.step('the standings say how far each player came, on the phone and on the screen', async () => {
      await host.showNext();
      await screen.sees('Standings');
      for (const page of [ann.page, screen.page]) {
        for (const [name, moved] of [['Ann', 'up 1 place'], ['Ben', 'down 1 place'], ['Idle', 'same place']] as const) {
          await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText(moved);
        }
      }
    });
    await host.choose('Finish after this round');
    await host.endGame();
    await ann.sees('You won, Ann');
    await holds(ann, 'phone, the winner');
    await ben.sees('The game is over');
    for (const each of [host, ann, ben, idle]) each.watch.verify();
  });
});
