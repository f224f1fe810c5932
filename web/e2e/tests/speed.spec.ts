// Points for speed: the editor enables them, the phone and the screen show that, the marking desk shows how long an answer took, and the
// phone shows what it earned.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Quick ones',
  rounds: [
    {
      title: '',
      questions: [
        { text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'], points: 1_000, timeLimit: 600 },
        { text: 'How many has an ant?', type: 'text', correctAnswers: ['6'], points: 1_000 },
      ],
      speedPoints: true,
    },
  ],
};

test.use({ quiz: QUIZ });

test('a quick answer earns more, and the desk shows how long it took', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await host.start();
  await host.release(1);
  await expect(screen.page.getByText('faster earns more')).toBeVisible();
  await host.release(1);
  await expect(ann.question(1).getByText('faster earns more')).toBeVisible();
  await expect(ann.question(2), 'it has no time limit').not.toContainText('faster');
  await expect(screen.page.getByText('faster earns more')).toHaveCount(0);
  await isAccessible(ann.page, 'phone, a question in which speed counts');
  await ann.write(1, '8');
  await ann.write(2, '6');
  await ann.hasStored(1, 2);
  await host.endRound();
  await host.group('8').getByRole('button', { expanded: false }).click();
  await expect(host.group('8').getByText(/^\d+(\.\d)? s$/)).toBeVisible();
  await isAccessible(host.page, 'host, how long an answer took');
  await host.layOut(2);
  await host.group('6').getByRole('button', { expanded: false }).click();
  await expect(host.group('6').getByText(/^\d+(\.\d)? s$/)).toHaveCount(0);
  await host.releaseScores();
  await host.skipQuestions();
  await host.showWinner();
  await expect(ann.page.getByText(/^including \d+ for speed$/)).toHaveCount(1);
  await isAccessible(ann.page, 'phone, points for speed');
});

test('the editor switches it on for a round', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  await host.openQuiz('Quick ones');
  const speed = (await host.settings(1)).getByRole('switch', { name: 'Faster earns more' });
  await expect(speed).toBeChecked();
  await speed.uncheck();
  await host.isSaved();
  await host.page.reload();
  await host.settings(1);
  await expect(speed).not.toBeChecked();
  await speed.check();
  await host.isSaved();
  await isAccessible(host.page, 'editor, a round that counts speed');
  await host.page.reload();
  await host.settings(1);
  await expect(speed).toBeChecked();
});
