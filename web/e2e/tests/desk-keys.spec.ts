// The marking desk must be fast and forgiving, while answers arrive and in the review: thirty texts with only the keyboard, undo, and
// answers to a number question that are not numbers.

import type { Locator } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { heldLine } from '../support/heldline.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const CITIES = ['Copenhagen', 'Marrakesh', 'Wellington'];
const BURNT = 'When did London burn?';

const asks = (city: string): string => `How is ${city} spelt?`;
const asksAgain = (city: string): string => `And how is ${city} spelt now?`;

const QUIZ: QuizBody = {
  title: 'Cities',
  rounds: [
    { title: '', questions: [{ text: BURNT, type: 'numeric', correctAnswers: ['1665'], tolerance: 50 }] },
    { title: '', questions: CITIES.map((city) => ({ text: asks(city), type: 'text', correctAnswers: [city], points: 2 })) },
    { title: '', questions: CITIES.map((city) => ({ text: asksAgain(city), type: 'text', correctAnswers: [city] })) },
  ],
};

test.use({ quiz: QUIZ });

/** The city with one additional letter, at another place for each player. */
const misspelt = (city: string, place: number): string => `${city.slice(0, place)}q${city.slice(place)}`;

test('a number counts however it is written; thirty texts are marked by the keyboard alone in less than half a minute while questions are open, others in the review, and an undo leads back to what it undid', async ({ live }) => {
  const host = await live.host();
  const numbers = ['1.700', '1 665', '1,800'];
  const places = Array.from({ length: 10 }, (_, place) => place);
  // Ten of each city while questions are open, three in the review.
  const answers = (place: number) => Object.fromEntries(CITIES.flatMap((city) => [asks, ...(place < 3 ? [asksAgain] : [])].map((ask) => [ask(city), misspelt(city, place)])));
  await live.guests(Object.fromEntries(places.map((place) => [`Guest ${String(place)}`, { ...answers(place), ...(numbers[place] && { [BURNT]: numbers[place] }) }])));
  const ann = await live.guest('Ann');
  await host.start();
  await host.release();
  await test.step('what is no number is said before it is sent', () => writeNumber(ann));
  await expect(host.openQuestions().first()).toContainText('4 of 11');
  await host.endRound();
  await test.step('it lies first on the desk', () => markNumbers(host));
  await host.releaseScores();
  await host.nextRound();
  await host.release(3);
  await test.step('thirty texts while questions are open, and the focus is never lost', () => decideThirty(host));
  await test.step('U takes the last one back, and H gives half of its points; so it is after a reload and in the review', () => takesBack(host));
  await host.releaseScores();
  await host.nextRound();

  await host.release(3);
  await host.unfold();
  for (const row of await host.openQuestions().all()) await expect(row).toContainText('3 of 11');
  await host.endRound();
  await expect(host.page.getByText('9 to check').first()).toBeVisible();
  await test.step('near misses of three questions', () => markNine(host));
  await test.step('undo', () => undoAcross(host));
  await test.step('what is left after the last question comes first, and nothing once all are decided', () => goesRound(host));
  for (const each of [host, ann]) each.watch.verify();
});

async function writeNumber(ann: Phone): Promise<void> {
  const field = ann.question(1).getByRole('textbox');
  const hint = ann.question(1).getByText('Type digits, or it may count as wrong');
  await field.fill('sixteen hundred');
  await expect(hint).toBeVisible();
  await field.fill('1,66');
  await expect(hint).toBeHidden();
  await isAccessible(ann.page, 'phone, a number');
  await field.fill('sixteen hundred');
  await keepPicture(ann.page, 'digits');
  await ann.question(1).getByRole('button', { name: 'Send' }).click();
  await ann.hasStored(1);
  await ann.sees('Saved as “sixteen hundred”. Type digits, or it counts only if your host says so.');
  await expect(hint, 'said once').toBeHidden();
  await ann.seesNoMore(/^Saved$/);
}

async function markNumbers(host: Host): Promise<void> {
  await host.isMarked('1.700', 'Right');
  await host.isMarked('1 665', 'Right');
  await host.isMarked('1,800', 'Wrong');
  await expect(host.page.getByText('1 to check').first()).toBeVisible();
  const first = host.page.getByRole('tabpanel').getByRole('listitem').first();
  await expect(first).toContainText('sixteen hundred');
  await expect(first).toContainText('not a number');
  await isAccessible(host.page, 'host, an answer that is no number');
  await keepPicture(host.page, 'desk');
  await host.page.keyboard.press('a');
  await host.isMarked('sixteen hundred', 'Right');
  await expect(host.page.getByText('Nothing left to check').first()).toBeVisible();
}

async function markNine(host: Host): Promise<void> {
  const { keyboard } = host.page;
  const focused = host.page.locator('[data-row]:focus');
  const texts = new Set<string>();
  await expect(focused, 'the list has the focus from the start').toBeVisible();
  for (let each = 0; each < 9; each += 1) {
    texts.add(await focused.innerText());
    await keyboard.press(each % 3 === 2 ? 'x' : 'a');
  }
  await expect(host.page.getByText('Nothing left to check').first()).toBeVisible();
  expect(texts.size, 'every text was under the keys once').toBe(9);
  const tabs = host.page.getByRole('tab');
  await expect(tabs.nth(2)).toHaveAttribute('aria-selected', 'true');
  for (let tab = 0; tab < 3; tab += 1) await expect(tabs.nth(tab)).toContainText('2 of 11 right');
}

/** Takes back all of the last question and one or two of the one before; an answer that is left wrong is taken back like a mark. */
async function undoAcross(host: Host): Promise<void> {
  const { keyboard } = host.page;
  const tabs = host.page.getByRole('tab');
  const left = (count: number) => expect(host.page.getByText(`${String(count)} to check`).first()).toBeVisible();
  for (let count = 1; count <= 2; count += 1) {
    await keyboard.press('u');
    await left(count);
  }
  await test.step('one that is given before the one before is confirmed leads to its own row, also in the question before', async () => {
    // Not before: each message of such a connection passes through the test.
    const line = await heldLine(host.page);
    await host.page.reload();
    await left(2);
    line.hold('marking_update');
    await keyboard.press('u');
    await left(3);
    await keyboard.press('u');
    line.pass();
    await left(4);
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
    const last = await host.page.locator('[data-row]:focus').locator('bdi').first().innerText();
    await keyboard.press('a');
    await host.layOut(2);
    await host.isMarked(last, 'Right');
  });
  await test.step('so it is after a reload, when only the server knows what it was', async () => {
    await host.page.reload();
    await left(3);
    await host.layOut(1);
    await keyboard.press('u');
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
    await expect(host.page.locator('[data-row]:focus')).toBeVisible();
    await left(4);
  });
}

/** One answer of the second question and all of the third are not decided. */
async function goesRound(host: Host): Promise<void> {
  const { keyboard } = host.page;
  const focused = host.page.locator('[data-row]:focus');
  const second = await focused.locator('bdi').first().innerText();
  await host.layOut(3);
  for (let each = 0; each < 3; each += 1) await keyboard.press('a');
  await expect(focused, 'the one before').toContainText(second);
  await keyboard.press('a');
  await host.isMarked(second, 'Right');
  await expect(host.page.getByText('1 answer marked right. Nothing left to check')).toBeAttached();
  await expect(focused).toContainText(second);
}

function liveDesk(host: Host): Locator {
  return host.page.getByRole('dialog', { name: 'Check answers now' });
}

async function decideThirty(host: Host): Promise<void> {
  const chip = host.page.getByRole('button', { name: '30 to check' });
  await expect(chip).toBeVisible();
  await expect(host.page.getByText('30 to check'), 'said once').toHaveCount(1);
  await host.page.keyboard.press('m');
  await isAccessible(host.page, 'host, marking while answers come');

  const { keyboard } = host.page;
  const drawer = liveDesk(host);
  const list = drawer.getByRole('listbox');
  const row = list.getByRole('option', { selected: true });
  const texts = new Set<string>();
  const before = Date.now();
  for (let each = 0; each < 30; each += 1) {
    await expect(list).toBeFocused();
    texts.add(await row.innerText());
    await keyboard.press(each % 3 === 2 ? 'x' : 'a');
  }
  await expect(drawer.getByText('Nothing left to check').first()).toBeVisible();
  expect(Date.now() - before).toBeLessThan(30_000);
  expect(texts.size, 'every text was under the keys once').toBe(30);
  await expect(list).toBeFocused();
}

async function takesBack(host: Host): Promise<void> {
  const { keyboard } = host.page;
  const drawer = liveDesk(host);
  const list = drawer.getByRole('listbox');
  await test.step('the last one lies under the keys again', async () => {
    await keyboard.press('u');
    await expect(drawer.getByText('1 to check')).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Half of the points' })).toBeVisible();
    await keyboard.press('h');
    await expect(host.page.getByText('1 answer given half of the points.')).toBeAttached();
    await expect(drawer.getByText('Nothing left to check').first()).toBeVisible();
  });
  await test.step('a reload shows the same', async () => {
    await host.page.reload();
    await host.page.getByRole('button', { name: 'Check answers now' }).click();
    await expect(drawer.getByText('Nothing left to check').first()).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Undo (30)' })).toBeEnabled();
    await expect(list).toBeFocused();
  });
  await test.step('the drawer closes, and the desk of the review has the focus', async () => {
    await keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await host.space();
    await expect(host.page.locator('[data-row]:focus')).toBeVisible();
    await expect(host.page.getByText('Nothing left to check').first()).toBeVisible();
  });
  const tabs = host.page.getByRole('tab');
  for (const [tab, right] of [7, 7, 6].entries()) await expect(tabs.nth(tab)).toContainText(`${String(right)} of 11 right`);
}
