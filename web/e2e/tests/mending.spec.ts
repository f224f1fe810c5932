// Changes by the host during a game: the text of a question, a withdrawn question, the name of a player.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Sounds',
  rounds: [
    {
      title: 'Brass',
      questions: [
        { text: 'The largst brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 },
        { text: 'Which has a slide?', type: 'multiple_choice', choices: ['Trombon', 'Horn'], correctAnswers: ['Trombon'], points: 50 },
      ],
    },
    { title: 'Strings', questions: [{ text: 'The largest strings?', type: 'text', correctAnswers: ['Octobass'], points: 100 }] },
  ],
};

test.use({ quiz: QUIZ });

/** Opens the dialog for the words of a question. */
async function editOf(host: Host, number: number): Promise<void> {
  await host.page.getByRole('button', { name: `Options for question ${String(number)}` }).click();
  await host.page.getByRole('button', { name: 'Edit the words' }).click();
}

test('a typo is mended before the release and after it', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  const screen = await live.screen(host);
  const dialog = host.page.getByRole('dialog');
  await host.unfold();
  await editOf(host, 2);
  await dialog.getByLabel('Choice A').fill('Horn');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('couldn’t be saved');
  await isAccessible(host.page, 'host, editing a question');
  await dialog.getByLabel('Choice A').fill('Trombone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(host.page.getByText('Trombone')).toBeVisible();
  await host.page.getByRole('button', { name: 'Options for question 1' }).click();
  await host.page.getByRole('button', { name: 'Change the answer' }).click();
  await dialog.getByLabel('Accepted answers, one per line').fill('Sousaphone\nTuba');
  await isAccessible(host.page, 'host, changing an answer');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(host.page.getByText('Sousaphone')).toBeVisible();

  await host.release(2);
  await expect(ann.question(1)).toContainText('The largst brass?');
  await ann.choose(2, 'Trombone');
  await ann.hasStored(2);
  await editOf(host, 1);
  await expect(dialog.getByLabel('Choice A')).toHaveCount(0);
  await dialog.getByLabel('Question').fill('The largest brass?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(ann.question(1)).toContainText('The largest brass?');
  await expect(ann.question(1)).toContainText('Corrected');
  await expect(screen.page.getByText('The largest brass?')).toBeVisible();
  await isAccessible(ann.page, 'phone, a corrected question');
  await ann.page.reload();
  await expect(ann.question(1)).toContainText('The largest brass?');
  await expect(ann.question(1)).toContainText('Corrected');
  await host.page.reload();
  await host.isConnected();
  await expect(host.openQuestions().filter({ hasText: 'The largest brass?' })).toContainText('Corrected');
  await expect(host.openQuestions().filter({ hasText: 'The largest brass?' }), 'the answer that was changed').toContainText('Sousaphone');
  await host.endRound();
  await ann.sees('Corrected');
  await host.releaseScores();
  await host.showWinner();
  await ann.sees('50 points');
  host.watch.verify();
  ann.watch.verify();
});

test('a withdrawn question brings no points, in its round and after it', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  const screen = await live.screen(host);
  await host.release(2);
  await ann.write(1, 'Tuba');
  await ann.hasStored(1);
  await ann.choose(2, 'Trombon');
  await ann.hasStored(2);
  const dialog = host.page.getByRole('dialog');
  await host.unfold();
  await host.page.getByRole('button', { name: 'Options for question 1' }).click();
  await host.page.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(dialog).toContainText('This can’t be undone.');
  await isAccessible(host.page, 'host, withdrawing a question');
  await dialog.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(host.openQuestions().filter({ hasText: 'The largst brass?' })).toContainText('Withdrawn');
  await expect(ann.question(1)).toContainText('Withdrawn: no points');
  await expect(screen.page.getByText('Withdrawn: no points').first()).toBeVisible();
  await ann.page.reload();
  await expect(ann.question(1)).toContainText('Withdrawn: no points');
  await isAccessible(ann.page, 'phone, a withdrawn question');
  await host.endRound();
  await expect(host.page.getByRole('tab')).toHaveCount(1);
  await expect(host.page.getByRole('tabpanel')).toContainText('Which has a slide?');
  await ann.sees('Withdrawn: no points');
  await host.releaseScores();
  await host.showWinner();
  await expect(host.page.locator('.board li').first()).toContainText('50');
  await ann.sees('Withdrawn: no points');
  await isNotTooWide(ann.page, 'phone, results with a withdrawn question');
  await host.nextRound();
  await host.choose('Correct earlier marks');
  await host.page.getByLabel('Question', { exact: true }).selectOption({ label: '1.2 Which has a slide?' });
  await host.page.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(host.page.getByRole('status').filter({ hasText: '1 player loses 50 points.' })).toBeVisible();
  await isAccessible(host.page, 'host, withdrawing a question of an earlier round');
  await host.page.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(host.page.getByText('Withdrawn: no points')).toBeVisible();
  await host.close();
  await host.release();
  await host.endRound();
  await host.releaseScores();
  await host.showWinner();
  await expect(host.page.locator('.board li').first()).not.toContainText('50');
  host.watch.verify();
  ann.watch.verify();
});

test('a player is renamed, and no two have one name', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  await live.guests({ Ben: { 'The largst brass?': 'Tuba' } });
  const dialog = await host.ask('Ann', 'Rename');
  await dialog.getByLabel('Name').fill('ben');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(dialog).toContainText('Another player has this name.');
  await isAccessible(host.page, 'host, renaming a player');
  await dialog.getByLabel('Name').fill('  Zoe  B ');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(host.page.getByRole('button', { name: 'More options for Zoe B' })).toBeFocused();
  await host.close();
  await expect(ann.page.locator('header')).toContainText('Zoe B');
  await host.start();
  await host.release();
  await ann.page.reload();
  await expect(ann.page.locator('header')).toContainText('Zoe B');
  await ann.write(1, 'Horn');
  await ann.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  await host.showWinner();
  await expect(host.page.locator('.board')).toContainText('Zoe B');
  await ann.sees('Zoe B');
  host.watch.verify();
  ann.watch.verify();
});
