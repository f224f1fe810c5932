// Points for wrong answers: the editor sets what one costs in a round, and the phone and the boards show scores below zero.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Costly',
  rounds: [
    {
      title: '',
      questions: [{ text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'], points: 10 }],
      wrongPoints: -5,
    },
  ],
};

test.use({ quiz: QUIZ });

test('a wrong answer costs points, and the score is below zero', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  await host.release(1);
  await ann.write(1, '6');
  await ann.hasStored(1);
  await host.endRound();
  await host.releaseScores();
  await host.showWinner();
  await expect(ann.page.getByText('-5 points').first()).toBeVisible();
  await isAccessible(ann.page, 'phone, a score below zero');
  await isAccessible(host.page, 'host, a score below zero');
});

test('the editor sets what a wrong answer costs in a round', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  await host.openQuiz('Costly');
  const cost = (await host.settings(1)).getByRole('textbox', { name: 'Points that a wrong answer costs in round 1' });
  await expect(cost).toHaveValue('5');
  await cost.fill('20');
  await cost.press('Enter');
  await host.isSaved();
  await host.page.reload();
  const settings = await host.settings(1);
  await expect(cost).toHaveValue('20');
  await expect(settings.getByText('A wrong answer costs 20 points.')).toBeVisible();
  await isAccessible(host.page, 'editor, a round in which wrong answers cost points');
  const costs = settings.getByRole('switch', { name: 'Wrong answer costs' });
  await costs.uncheck();
  await expect(cost).toBeHidden();
  await expect(settings.getByText('A wrong answer costs nothing.')).toBeVisible();
  await host.isSaved();
  await host.page.reload();
  await host.settings(1);
  await expect(costs).not.toBeChecked();
});
