// After the end the host goes through the last round once more on the screen, backwards and forwards. A whole game: tour.spec.ts.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';

const [LOBSTER, NOVEL] = ['Is a lobster a fish?', 'Who wrote “Animal Farm”?'] as const;
const QUIZ: QuizBody = {
  title: 'By the lamp',
  rounds: [
    {
      title: '',
      questions: [
        { text: LOBSTER, type: 'true_false', choices: ['True', 'False'], correctAnswers: ['False'] },
        { text: NOVEL, type: 'text', correctAnswers: ['Orwell'] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

test('after the end the screen goes back to the winner and the answers, and on to the standings, where a reload finds it', async ({ live, browser }) => {
  const screen = await live.wall();
  await live.guests({ Ann: { [LOBSTER]: 'False', [NOVEL]: 'Orwell' }, Ben: { [LOBSTER]: 'True' } });
  const runner = await live.runner();
  await runner.start();
  await runner.release(2);
  await runner.counts(1, 2);
  await runner.counts(2, 1);
  await runner.endRound();
  await runner.releaseScores();
  await runner.endGame();
  await using host = await Host.open(browser, `${live.server.url}/host/games/${live.game.id}`, { session: live.session });
  const panel = host.page.getByRole('region', { name: 'On the screen' });
  await expect(panel).toContainText('top three');
  await screen.sees('Thanks for playing');
  await isAccessible(host.page, 'host, over');
  await host.page.keyboard.press('ArrowLeft');
  await screen.sees('The winner is');
  const back = panel.getByRole('button', { name: 'Back' });
  while (await back.isEnabled()) await back.click();
  await screen.sees(LOBSTER);
  await screen.sees('1 of 2 right');
  await expect(panel).toContainText('1 of 2 right');
  const on = panel.getByRole('button', { name: 'Next', exact: true });
  while (await on.isEnabled()) await on.click();
  await screen.sees('Standings');
  await screen.sees('Ben');
  await host.page.reload();
  await expect(panel, 'where the screen was').toContainText('On the screen now: standings');
  host.watch.verify();
});
