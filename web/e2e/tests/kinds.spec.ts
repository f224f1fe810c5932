// Kinds of questions other than text, number and one choice: each is answered on a phone of 320 px, by keyboard where others drag,
// marked at the desk, and shown on the screen.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const BRASS = ['Trombone', 'Trumpet', 'Tuba', 'Violin'];

const quizOf = (...questions: QuizBody['rounds'][number]['questions']): QuizBody => ({
  title: 'Kinds',
  rounds: [{ title: '', questions }],
});

/** The page in this state is accessible, not wider than the phone, and a picture of it is kept with the test. */
async function inState(phone: Phone, state: string): Promise<void> {
  await isAccessible(phone.page, state);
  await keepPicture(phone.page, state);
}

async function pictured(host: Host, state: string): Promise<void> {
  await isAccessible(host.page, state);
  await keepPicture(host.page, state);
}

test.describe('several right choices', () => {
  const text = 'Which of these are brass?';
  test.use({
    quiz: quizOf({ text, type: 'multi_select', choices: BRASS, correctAnswers: ['Trombone', 'Trumpet', 'Tuba'], points: 900 }),
  });

  test('are ticked and sent together; the desk shows the part, and the host takes it or gives all', async ({ live }) => {
    const host = await live.host();
    const phone = await live.guest('Ann', { size: SMALL_PHONE });
    await host.start();
    await host.release();
    const card = phone.question(1);
    await card.getByRole('checkbox', { name: 'Trumpet' }).check();
    await card.getByRole('checkbox', { name: 'Tuba' }).focus();
    await phone.page.keyboard.press('Space');
    await inState(phone, 'select-ticked');
    await phone.page.reload();
    await expect(card.getByRole('checkbox', { name: 'Tuba' }), 'a draft survives a reload').toBeChecked();
    await card.getByRole('button', { name: 'Send' }).click();
    await phone.hasStored(1);

    await host.endRound();
    await host.layOut(1);
    const row = host.page.locator('li', { has: host.page.locator('[data-row]') });
    await expect(row).toContainText('partly right');
    await expect(row).toContainText('600 of 900 points');
    await pictured(host, 'desk-partly-right');
    await row.getByRole('button', { name: 'Wrong' }).click();
    await expect(row).toContainText('wrong');
    await host.page.keyboard.press('u');
    await expect(row).toContainText('600 of 900 points');

    await host.releaseScores();
    await host.showWinner();
    await phone.sees('partly right');
    await phone.sees('600 points');
    await inState(phone, 'select-scores');
  });
});

test.describe('an order', () => {
  const text = 'From high to low?';
  const right = ['Trumpet', 'Trombone', 'Tuba'];
  test.use({ quiz: quizOf({ text, type: 'order', choices: ['Tuba', 'Trombone', 'Trumpet'], correctAnswers: right, points: 100 }) });

  test('is made by the keyboard alone', async ({ live }) => {
    const host = await live.host();
    const phone = await live.guest('Ann', { size: SMALL_PHONE });
    await host.start();
    await host.release();
    const card = phone.question(1);
    const { keyboard } = phone.page;
    await card.getByRole('button', { name: 'Move up: Trumpet' }).focus();
    await keyboard.press('Enter');
    await expect(card.getByRole('status')).toHaveText('Trumpet: place 2 of 3');
    await keyboard.press('Enter');
    await expect(card.getByRole('button', { name: 'Move down: Trumpet' }), 'at the top the other button has the focus').toBeFocused();
    await card.getByRole('button', { name: 'Move down: Tuba' }).press('Enter');
    await expect(card.getByRole('listitem')).toHaveText([/Trumpet/, /Trombone/, /Tuba/]);
    await inState(phone, 'order-made');
    await card.getByRole('button', { name: 'Send' }).press('Enter');
    await phone.hasStored(1);

    await host.endRound();
    await host.releaseScores();
    await host.showWinner();
    await phone.sees('100 points');
  });
});

test.describe('a poll', () => {
  const text = 'Where shall we meet?';
  test.use({ quiz: quizOf({ text, type: 'poll', choices: ['Here', 'There'], correctAnswers: [] }) });

  test('shows its counts when the host says so, and not before', async ({ live }) => {
    const host = await live.host();
    const phone = await live.guest('Ann', { size: SMALL_PHONE });
    const screen = await live.screen(host);
    await host.start();
    await host.release();
    await phone.choose(1, 'There');
    await phone.hasStored(1);
    await expect(phone.page.getByTestId('shown-tally')).toHaveCount(0);

    await host.ofQuestion('Counts');
    await host.page.getByRole('button', { name: 'Show the counts to everyone' }).click();
    await isAccessible(host.page, 'host, the counts of a poll');
    await host.close();
    await expect(host.page.getByRole('article').getByRole('listitem')).toHaveText([/Here\s*0/, /There\s*1/]);
    await expect(phone.page.getByTestId('shown-tally').getByRole('listitem')).toHaveText([/Here\s*0/, /There\s*1/]);
    await expect(screen.page.getByTestId('shown-tally').getByRole('listitem')).toHaveText([/Here\s*0/, /There\s*1/]);
    await inState(phone, 'poll-shown');
    await isAccessible(screen.page, 'poll on the screen');
    await keepPicture(screen.page, 'poll-screen');
    await phone.page.reload();
    await expect(phone.page.getByTestId('shown-tally'), 'also after connecting').toBeVisible();

    await host.endRound();
    await expect(phone.page.getByTestId('shown-tally')).toBeVisible();
    const ends = await phone.page.getByTestId('shown-tally').locator('.count, progress').evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().right)));
    expect(new Set(ends).size, 'numbers end where their bars do').toBe(1);
    await pictured(host, 'poll-desk');
    await host.releaseScores();
    await host.showWinner();
    await phone.sees('No right or wrong here');
    await inState(phone, 'poll-scores');
  });
});

test.describe('a word cloud', () => {
  const text = 'Autumn in a word?';
  test.use({ quiz: quizOf({ text, type: 'word_cloud', correctAnswers: [] }) });

  test('leaves out what the host hides', async ({ live }) => {
    const host = await live.host();
    const phone = await live.guest('Ann', { size: SMALL_PHONE });
    const other = await live.guest('Ben');
    const screen = await live.screen(host);
    await host.start();
    await host.release();
    await phone.write(1, 'Long walks!');
    await other.write(1, 'rude');
    await phone.hasStored(1);
    await other.hasStored(1);
    await inState(phone, 'word-sent');
    await host.endRound();
    await host.layOut(1);
    await host.ofQuestion('Counts');
    await host.page.getByRole('checkbox', { name: 'rude' }).uncheck();
    await host.page.getByRole('button', { name: 'Show the counts to everyone' }).click();
    await expect(screen.page.getByTestId('cloud').getByRole('listitem')).toHaveText([/long walks: 1/]);
    await expect(phone.page.getByTestId('shown-tally')).not.toContainText('rude');
    await pictured(host, 'cloud-desk');
    await isAccessible(screen.page, 'cloud on the screen');
    await keepPicture(screen.page, 'cloud-screen');
    await host.page.getByRole('checkbox', { name: 'rude' }).check();
    await expect(screen.page.getByTestId('cloud').getByRole('listitem')).toHaveCount(2);
  });
});

test.describe('the nearest number', () => {
  const text = 'How many islands?';
  test.use({ quiz: quizOf({ text, type: 'nearest', correctAnswers: ['1000'], points: 100 }) });

  test('is right, and the next one when its player is removed', async ({ live }) => {
    const host = await live.host();
    const phone = await live.guest('Ann', { size: SMALL_PHONE });
    const other = await live.guest('Ben');
    await host.start();
    await host.release();
    await phone.sees('The closest guess wins.');
    await phone.write(1, '900');
    await other.write(1, '1010');
    await phone.hasStored(1);
    await other.hasStored(1);
    await host.endRound();
    await host.layOut(1);
    await host.isMarked('1010', 'Right');
    await host.isMarked('900', 'Wrong');
    await pictured(host, 'nearest-desk');
    await host.remove('Ben');
    await host.isMarked('900', 'Right');
    await host.releaseScores();
    await host.showWinner();
    await phone.sees('100 points');
  });
});

test.describe('the editor', () => {
  test('writes each kind, and saves it', async ({ live }) => {
    const host = await live.host();
    const { page } = host;
    await page.goto(`${live.server.url}/host`);
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
      await isAccessible(page, `the editor with ${kind}`);
      await keepPicture(page, `editor-${kind}`);
      await page.getByLabel(`Text of question ${String(at + 1)}`).focus();
    }
    await host.isSaved();
  });
});
