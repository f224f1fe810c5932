// Half of the points: a near miss gets them by the round's setting, the host gives them with one key and undoes that, and phones show them.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';

const QUIZ: QuizBody = {
  title: 'By half',
  rounds: [
    {
      title: '',
      questions: [{ text: 'Which city is the capital of Germany?', type: 'text', correctAnswers: ['Berlin'], points: 10 }],
      halfPoints: true,
    },
  ],
};

test.use({ quiz: QUIZ });

test('near misses and what the host says earn half of the points', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  const bob = await live.guest('Bob');
  await host.start();
  await host.release(1);
  await ann.write(1, 'Berlni');
  await bob.write(1, 'Bonn');
  for (const phone of [ann, bob]) await phone.hasStored(1);
  await host.endRound();
  const row = (text: string) => host.page.getByRole('listitem').filter({ hasText: text }).first();
  await expect(row('Berlni')).toContainText('5 of 10 points');
  await expect(row('Bonn')).not.toContainText('5 of 10 points');
  await row('Bonn').getByRole('button', { name: /Bonn/ }).first().focus();
  await host.page.keyboard.press('h');
  await expect(row('Bonn')).toContainText('5 of 10 points');
  await expect(row('Bonn').getByRole('button', { name: 'Half of the points' })).toHaveAttribute('aria-pressed', 'true');
  await isAccessible(host.page, 'marking, half of the points');
  await host.page.keyboard.press('u');
  await expect(row('Bonn')).not.toContainText('5 of 10 points');
  await row('Bonn').getByRole('button', { name: 'Half of the points' }).click();
  await expect(row('Bonn')).toContainText('5 of 10 points');
  await host.releaseScores();
  await host.showWinner();
  for (const phone of [ann, bob]) await expect(phone.page.getByText('5 points').first()).toBeVisible();
});

test('the editor gives near misses of a round half of the points', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  await host.openQuiz('By half');
  const half = (await host.settings(1)).getByRole('switch', { name: 'Half points for near misses' });
  await expect(half).toBeChecked();
  await isAccessible(host.page, 'editor, a round with half of the points');
  await half.uncheck();
  await host.isSaved();
  await host.page.reload();
  await host.settings(1);
  await expect(half).not.toBeChecked();
});

test('the editor says when half points and streaks add nothing, and makes it two points', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  await host.openQuiz('By half');
  const settings = await host.settings(1);
  const said = settings.getByText('At 1 point a question, a near miss earns nothing.');
  await expect(settings.getByText('A near miss earns 5 of 10.')).toBeVisible();
  const points = settings.getByLabel('Points per question in round 1');
  await points.fill('1');
  await points.press('Enter');
  await expect(said).toBeVisible();
  await isAccessible(host.page, 'editor, half of one point');
  await host.page.getByRole('button', { name: 'Make it 2 points' }).click();
  await expect(settings.getByText('A near miss earns 1 of 2.')).toBeVisible();
  await expect(points).toHaveValue('2');
  await host.isSaved();
});
