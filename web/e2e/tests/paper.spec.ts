// A team on paper: the host adds it, enters its answers while questions are open and in the review, and it wins; a phone takes over.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Sounds',
  rounds: [
    {
      title: 'Brass',
      questions: [
        { text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 },
        { text: 'Which has a slide?', type: 'multiple_choice', choices: ['Trombone', 'Horn'], correctAnswers: ['Trombone'], points: 50 },
      ],
    },
    { title: 'Strings', questions: [{ text: 'The largest strings?', type: 'text', correctAnswers: ['Octobass'], points: 100 }] },
  ],
};

test.use({ quiz: QUIZ });

test('a team on paper wins an evening', async ({ live }, info) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  const screen = await live.screen(host);
  const dialog = host.page.getByRole('dialog');
  const add = async (name: string) => {
    await host.page.getByRole('button', { name: 'Add a team on paper' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await test.step('lobby', async () => {
    await add('Ann');
    await expect(dialog.getByText('Another player has this name.')).toBeVisible();
    await isAccessible(host.page, 'host, a team on paper');
    await host.page.screenshot({ path: info.outputPath('adding.png') });
    await dialog.getByLabel('Name').fill('Paper Tigers');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(host.page.getByRole('button', { name: 'More options for Paper Tigers' })).toBeVisible();
    await screen.sees('Paper Tigers');
    await host.lock(true);
  });

  await host.start();
  await host.release(2);
  const first = host.openQuestions().first();
  const second = host.openQuestions().nth(1);
  await test.step('open questions', async () => {
    await ann.write(1, 'Tuba');
    await ann.hasStored(1);
    await expect(first.locator('.line-share')).toContainText('1 of 1');
    await first.getByText('Answers on paper (0 of 1)').click();
    await first.getByRole('textbox', { name: /Paper Tigers/ }).fill('Horn');
    await isAccessible(host.page, 'host, an answer on paper');
    await first.getByRole('button', { name: /^Save .*Paper Tigers/ }).click();
    await expect(first.locator('.line-share')).toContainText('2 of 2');
    await expect(first.getByText('Answers on paper (1 of 1)')).toBeVisible();
    await first.getByRole('textbox', { name: /Paper Tigers/ }).fill('Tuba');
    await first.getByRole('button', { name: /^Save .*Paper Tigers/ }).click();
    await second.getByText('Answers on paper (0 of 1)').click();
    await second.getByRole('combobox', { name: 'Paper Tigers' }).selectOption('Horn');
    await second.getByRole('button', { name: /^Save .*Paper Tigers/ }).click();
    await expect(second.getByText('Answers on paper (1 of 1)')).toBeVisible();
    await host.page.screenshot({ path: info.outputPath('open.png'), fullPage: true });
    await host.page.reload();
    await host.isConnected();
    await first.getByText('Answers on paper (1 of 1)').click();
    await expect(first.getByRole('textbox', { name: /Paper Tigers/ })).toHaveValue('Tuba');
  });

  await host.endRound();
  await test.step('review', async () => {
    await host.layOut(2);
    const panel = host.page.getByRole('tabpanel');
    await panel.getByText('Answers on paper (1 of 1)').click();
    await panel.getByRole('combobox', { name: 'Paper Tigers' }).selectOption('Trombone');
    await panel.getByRole('button', { name: /^Save .*Paper Tigers/ }).click();
    await host.isMarked('Trombone', 'Right');
    await isAccessible(host.page, 'host, an answer on paper in the review');
    await host.page.screenshot({ path: info.outputPath('review.png'), fullPage: true });
    await host.page.reload();
    await host.layOut(2);
    await host.isMarked('Trombone', 'Right');
  });
  await host.releaseScores();
  await ann.sees('100 points');
  await host.nextRound();
  await test.step('who comes late', async () => {
    await add('Late Paper');
    await expect(dialog).toHaveCount(0);
  });
  await host.release(1);
  await host.openQuestions().first().getByText('Answers on paper (0 of 2)').click();
  await host.openQuestions().first().getByRole('textbox', { name: /Paper Tigers/ }).fill('Octobass');
  await host.openQuestions().first().getByRole('button', { name: /^Save .*Paper Tigers/ }).click();
  await expect(host.openQuestions().first().locator('.line-share')).toContainText('1 of 2');
  await host.endRound();
  await host.releaseScores();
  await host.showWinner();
  await screen.sees('Paper Tigers');
  await ann.sees('2nd of 3');
  await isNotTooWide(ann.page, 'phone, beside a team on paper');
  await host.endGame();
  await expect(host.page.getByText('Paper Tigers').first()).toBeVisible();
  for (const each of [host, ann]) each.watch.verify();
});

test('a phone takes over from paper', async ({ live }) => {
  const host = await live.host();
  const dialog = host.page.getByRole('dialog');
  await host.page.getByRole('button', { name: 'Add a team on paper' }).click();
  await dialog.getByLabel('Name').fill('Paper Tigers');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await host.start();
  await host.release(1);
  const asked = host.openQuestions().first();
  await asked.getByText('Answers on paper (0 of 1)').click();
  await asked.getByRole('textbox', { name: /Paper Tigers/ }).fill('Horn');
  await asked.getByRole('button', { name: /^Save .*Paper Tigers/ }).click();
  await expect(asked.getByText('Answers on paper (1 of 1)')).toBeVisible();
  await host.page.getByRole('button', { name: 'More options for Paper Tigers' }).click();
  await dialog.getByRole('button', { name: 'Switch to a phone' }).click();
  await isAccessible(host.page, 'host, handing a team on paper over');
  const code = (await dialog.getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const phone = await live.visitor({ size: SMALL_PHONE });
  await phone.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await phone.page.getByLabel('Code from the other phone').fill(code);
  await phone.page.getByRole('button', { name: 'Play here' }).click();
  await phone.hasStored(1);
  await expect(asked.getByText(/^Answers on paper/)).toHaveCount(0);
  await phone.write(1, 'Tuba');
  await phone.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  await phone.sees('100 points');
  host.watch.verify();
});
