// Changes by the host during a game: the name of a player, the text and the answer of a question, a withdrawn question. What the host's
// page has after a reload: host/src/run/sheet.test.ts.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Sounds',
  rounds: [
    {
      title: 'Brass',
      questions: [
        { text: 'The largst brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 },
        { text: 'Which has a slide?', type: 'multiple_choice', choices: ['Trombon', 'Horn'], correctAnswers: ['Trombon'], points: 50 },
        { text: 'Which has keys?', type: 'text', correctAnswers: ['Piano'], points: 100 },
      ],
    },
    { title: 'Strings', questions: [{ text: 'The largest strings?', type: 'text', correctAnswers: ['Octobass'], points: 100 }] },
  ],
};

test.use({ quiz: QUIZ });

test('a player is renamed, a typo is mended before the release and after it, and a withdrawn question brings no points, in its round and after it', async ({ live }) => {
  const host = await live.host();
  const ann = await live.visitor({ size: SMALL_PHONE });
  await test.step('joining is locked and unlocked', () => joins(host, ann));
  await live.guests({ Ben: {} });
  await test.step('no two players have one name', () => rename(host, ann));
  await host.start();
  await test.step('before the release', () => mendBefore(host));
  await host.release(3);
  await ann.choose(2, 'Trombone');
  await ann.write(3, 'Piano');
  await ann.hasStored(2, 3);
  await test.step('after the release', () => mendAfter(host, ann));
  await test.step('a question is withdrawn', () => withdraw(host, ann));
  await test.step('a reload of the phone shows the same', () => holds(host, ann));
  await host.endRound();
  await expect(host.page.getByRole('tab'), 'the withdrawn one is not marked').toHaveCount(2);
  await host.layOut(2);
  await expect(host.page.getByRole('tabpanel')).toContainText('Which has a slide?');
  for (const seen of ['Corrected', 'Withdrawn: no points']) await ann.sees(seen);
  await host.releaseScores();
  await host.showWinner();
  const first = host.page.locator('.board li').first();
  await expect(first).toContainText('Zoe B');
  await expect(first).toContainText('50');
  for (const seen of ['50 points', 'Withdrawn: no points', 'Zoe B']) await ann.sees(seen);
  await isNotTooWide(ann.page, 'phone, results with a withdrawn question');
  await host.nextRound();
  await test.step('a question of an earlier round is withdrawn', () => withdrawEarlier(host));
  host.watch.verify();
  ann.watch.verify();
});

async function joins(host: Host, ann: Phone): Promise<void> {
  ann.watch.allow(/status of 423/);
  await host.lock(true);
  await ann.page.getByLabel('Your name').fill('Ann');
  await ann.page.getByRole('button', { name: 'Join', exact: true }).click();
  await ann.sees('Joining is locked');
  await expect(ann.page.getByLabel('Game code'), 'nothing is wrong with the code').toHaveCount(0);
  await isAccessible(ann.page, 'phone, locked out');
  await host.lock(false);
  await ann.sit('Ann');
}

async function rename(host: Host, ann: Phone): Promise<void> {
  const dialog = await host.ask('Ann', 'Rename');
  await dialog.getByLabel('Name').fill('ben');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(dialog).toContainText('Another player has this name.');
  await dialog.getByLabel('Name').fill('  Zoe  B ');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(host.page.getByRole('button', { name: 'More options for Zoe B' })).toBeFocused();
  await host.close();
  await expect(ann.page.locator('header')).toContainText('Zoe B');
}

/** Opens the dialog for the words of a question. */
async function editOf(host: Host, number: number): Promise<void> {
  await host.page.getByRole('button', { name: `Options for question ${String(number)}` }).click();
  await host.page.getByRole('button', { name: 'Edit the words' }).click();
}

async function mendBefore(host: Host): Promise<void> {
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
}

async function mendAfter(host: Host, ann: Phone): Promise<void> {
  const dialog = host.page.getByRole('dialog');
  await expect(ann.question(1)).toContainText('The largst brass?');
  await editOf(host, 1);
  await expect(dialog.getByLabel('Choice A')).toHaveCount(0);
  await dialog.getByLabel('Question').fill('The largest brass?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(ann.question(1)).toContainText('The largest brass?');
  await expect(ann.question(1)).toContainText('Corrected');
}

async function withdraw(host: Host, ann: Phone): Promise<void> {
  const dialog = host.page.getByRole('dialog');
  await host.page.getByRole('button', { name: 'Options for question 3' }).click();
  await host.page.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(dialog).toContainText('This can’t be undone.');
  await isAccessible(host.page, 'host, withdrawing a question');
  await dialog.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(host.openQuestions().filter({ hasText: 'Which has keys?' })).toContainText('Withdrawn');
  await expect(ann.question(3)).toContainText('Withdrawn: no points');
}

async function holds(host: Host, ann: Phone): Promise<void> {
  await ann.page.reload();
  await expect(ann.question(1)).toContainText('The largest brass?');
  await expect(ann.question(1)).toContainText('Corrected');
  await expect(ann.question(3)).toContainText('Withdrawn: no points');
  await expect(ann.page.locator('header')).toContainText('Zoe B');
  await isAccessible(ann.page, 'phone, a corrected question and a withdrawn one');
  const corrected = host.openQuestions().filter({ hasText: 'The largest brass?' });
  await expect(corrected).toContainText('Corrected');
  await expect(corrected, 'the answer that was changed').toContainText('Sousaphone');
}

async function withdrawEarlier(host: Host): Promise<void> {
  await host.choose('Correct earlier marks');
  await host.page.getByLabel('Question', { exact: true }).selectOption({ label: '1.2 Which has a slide?' });
  await host.page.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(host.page.getByRole('status').filter({ hasText: '1 player loses 50 points.' })).toBeVisible();
  await host.page.getByRole('button', { name: 'Withdraw question' }).click();
  await expect(host.page.getByText('Withdrawn: no points')).toBeVisible();
  await host.close();
}
