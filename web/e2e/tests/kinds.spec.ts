// Kinds of questions other than text, number and one choice: each is answered on a phone of 320 px, by keyboard where others drag, and
// marked at the desk; and the editor writes each. The wall shows their counts in hall.spec.ts.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const BRASS = ['Trombone', 'Trumpet', 'Tuba', 'Violin'];
const ISLANDS = 'How many islands?';
const WORD = 'Autumn in a word?';
const [SELECT, ORDER, NEAREST, CLOUD, POLL] = [1, 2, 3, 4, 5] as const;

const QUIZ: QuizBody = {
  title: 'Kinds',
  rounds: [
    {
      title: '',
      questions: [
        { text: 'Which of these are brass?', type: 'multi_select', choices: BRASS, correctAnswers: BRASS.slice(0, 3), points: 900 },
        { text: 'From high to low?', type: 'order', choices: ['Tuba', 'Trombone', 'Trumpet'], correctAnswers: ['Trumpet', 'Trombone', 'Tuba'], points: 100 },
        { text: ISLANDS, type: 'nearest', correctAnswers: ['1000'], points: 70 },
        { text: WORD, type: 'word_cloud', correctAnswers: [] },
        { text: 'Where shall we meet?', type: 'poll', choices: ['Here', 'There'], correctAnswers: [] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

/** The page of the host or of the phone in this state is accessible and not too wide, and a picture of it is kept with the test. */
async function inState({ page }: Host | Phone, state: string): Promise<void> {
  await isAccessible(page, state);
  await keepPicture(page, state);
}

test('each kind is answered on a small phone, also by keyboard, is marked at the desk, and shows what the host says; the editor writes each', async ({ live }) => {
  const host = await live.host();
  const phone = await live.guest('Ann', { size: SMALL_PHONE });
  await live.guests({ Ben: { [WORD]: 'rude', [ISLANDS]: '1010' } });
  await host.start();
  await host.release(4);
  await test.step('several choices are ticked and sent together', () => tick(phone));
  await test.step('an order is made by the keyboard alone', () => arrange(phone));
  await phone.sees('The closest guess wins.');
  await phone.write(NEAREST, '900');
  await phone.write(CLOUD, 'Long walks!');
  await phone.hasStored(NEAREST, CLOUD);
  await host.release();
  await test.step('a poll shows its counts when the host says so, and not before', () => showPoll(host, phone));
  await host.endRound();
  await test.step('the counts of a poll stay, and end where their bars do', () => keepsPoll(phone));
  await test.step('the desk shows the part of several choices, and the host takes it or gives it back', () => markPart(host));
  await test.step('a word cloud leaves out what the host hides', () => showCloud(host, phone));
  await test.step('the nearest number is right, and the next one when its player is removed', () => markNearest(host));
  await host.releaseScores();
  await host.showWinner();
  for (const seen of ['partly right', '600 points', '100 points', '70 points', 'No right or wrong here']) await phone.sees(seen);
  await inState(phone, 'scores');
  await host.page.goto(`${live.server.url}/host`);
  await test.step('the editor writes each kind, and saves it with its explanation and its note', () => writeEach(host));
  for (const each of [host, phone]) each.watch.verify();
});

async function tick(phone: Phone): Promise<void> {
  const card = phone.question(SELECT);
  await card.getByRole('checkbox', { name: 'Trumpet' }).check();
  await card.getByRole('checkbox', { name: 'Tuba' }).focus();
  await phone.page.keyboard.press('Space');
  await phone.page.reload();
  await expect(card.getByRole('checkbox', { name: 'Tuba' }), 'a draft survives a reload').toBeChecked();
  await card.getByRole('button', { name: 'Send' }).click();
  await phone.hasStored(SELECT);
}

async function arrange(phone: Phone): Promise<void> {
  const card = phone.question(ORDER);
  const { keyboard } = phone.page;
  await card.getByRole('button', { name: 'Move up: Trumpet' }).focus();
  await keyboard.press('Enter');
  await expect(card.getByRole('status')).toHaveText('Trumpet: place 2 of 3');
  await keyboard.press('Enter');
  await expect(card.getByRole('button', { name: 'Move down: Trumpet' }), 'at the top the other button has the focus').toBeFocused();
  await card.getByRole('button', { name: 'Move down: Tuba' }).press('Enter');
  await expect(card.getByRole('listitem')).toHaveText([/Trumpet/, /Trombone/, /Tuba/]);
  await inState(phone, 'kinds');
  await card.getByRole('button', { name: 'Send' }).press('Enter');
  await phone.hasStored(ORDER);
}

async function showPoll(host: Host, phone: Phone): Promise<void> {
  await phone.choose(POLL, 'There');
  await phone.hasStored(POLL);
  await expect(phone.page.getByTestId('shown-tally')).toHaveCount(0);
  await host.ofQuestion('Counts');
  await host.page.getByRole('button', { name: 'Show the counts to everyone' }).click();
  await isAccessible(host.page, 'host, the counts of a poll');
  await host.close();
  await expect(host.page.getByRole('article').getByRole('listitem')).toHaveText([/Here\s*0/, /There\s*1/]);
  await expect(phone.page.getByTestId('shown-tally').getByRole('listitem')).toHaveText([/Here\s*0/, /There\s*1/]);
  await inState(phone, 'poll-shown');
  await phone.page.reload();
  await expect(phone.page.getByTestId('shown-tally'), 'also after connecting').toBeVisible();
}

async function keepsPoll(phone: Phone): Promise<void> {
  const shown = phone.page.getByTestId('shown-tally');
  await expect(shown).toBeVisible();
  const ends = await shown.locator('.count, progress').evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().right)));
  expect(new Set(ends).size, 'numbers end where their bars do').toBe(1);
}

async function markPart(host: Host): Promise<void> {
  await host.layOut(SELECT);
  const row = host.page.locator('li', { has: host.page.locator('[data-row]') });
  await expect(row).toContainText('partly right');
  await expect(row).toContainText('600 of 900 points');
  await inState(host, 'desk-partly-right');
  await row.getByRole('button', { name: 'Wrong' }).click();
  await expect(row).toContainText('wrong');
  await host.page.keyboard.press('u');
  await expect(row).toContainText('600 of 900 points');
}

async function showCloud(host: Host, phone: Phone): Promise<void> {
  await host.layOut(CLOUD);
  await host.ofQuestion('Counts');
  await host.page.getByRole('checkbox', { name: 'rude' }).uncheck();
  await host.page.getByRole('button', { name: 'Show the counts to everyone' }).click();
  const shown = phone.page.getByTestId('shown-tally');
  await expect(shown.filter({ hasText: 'long walks' })).toBeVisible();
  await expect(shown.filter({ hasText: 'rude' })).toHaveCount(0);
  await inState(host, 'cloud-desk');
  await host.page.getByRole('checkbox', { name: 'rude' }).check();
  await expect(shown.filter({ hasText: 'rude' })).toBeVisible();
  await host.close();
}

async function markNearest(host: Host): Promise<void> {
  await host.layOut(NEAREST);
  await host.isMarked('1010', 'Right');
  await host.isMarked('900', 'Wrong');
  await host.remove('Ben');
  await host.isMarked('900', 'Right');
}

async function writeEach(host: Host): Promise<void> {
  const { page } = host;
  await page.getByRole('button', { name: 'New quiz' }).click();
  const part = (name: string) => page.locator(`[data-part="${name}"]`);
  await page.getByLabel('Quiz title').fill('Every kind');
  const kinds = ['multi_select', 'order', 'poll', 'word_cloud', 'nearest'];
  for (const [at, kind] of kinds.entries()) {
    if (at > 0) await page.keyboard.press('Control+Enter');
    await page.getByLabel(`Text of question ${String(at + 1)}`).fill(`A ${kind} question?`);
    await part('type').selectOption(kind);
    for (const [choice, word] of ['b', 'a', 'c'].entries()) {
      if (kind === 'multi_select' || kind === 'order' || kind === 'poll') await part(`choice-${String(choice)}`).fill(word);
    }
    if (kind === 'multi_select') await part('right-0').check();
    if (kind === 'nearest') await part('answer-0').fill('42');
    if (kind === 'order') await page.getByRole('button', { name: 'Move choice 1 down' }).click();
    // The form of a poll has the same fields, and that of the last is read with all that it can have besides.
    if (kind === 'multi_select' || kind === 'order') await inState(host, `editor-${kind}`);
    await page.getByLabel(`Text of question ${String(at + 1)}`).focus();
  }
  const extras = { Explanation: 'Insects have six of them.', 'Note for the host': 'Pause for the arachnologists.' };
  for (const [at, [name, text]] of Object.entries(extras).entries()) {
    await page.getByRole('button', { name: at === 0 ? 'Add explanation' : 'Add note for the host' }).click();
    await page.getByRole('textbox', { name }).fill(text);
  }
  await host.isSaved();
  await page.reload();
  await host.openQuestion('A nearest question?');
  for (const [name, text] of Object.entries(extras)) await expect(page.getByRole('textbox', { name })).toHaveValue(text);
  await inState(host, 'editor-explanation-and-note');
}
