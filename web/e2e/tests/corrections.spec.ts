// Marks that are corrected when the scores are out: the board and the phones follow, in the same round and in the next one.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';

const TWO_ROUNDS: QuizBody = {
  title: 'Sounds',
  rounds: [
    { title: '', questions: [{ text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 10 }] },
    { title: '', questions: [{ text: 'The smallest string?', type: 'text', correctAnswers: ['Violin'], points: 10 }] },
  ],
};

test.use({ quiz: TWO_ROUNDS });

test('a correction turns the winner, and a second one turns it back in the next round', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  await live.guests({ Ben: { 'The largest brass?': 'Tuba' } });
  await host.start();
  await host.release();
  await ann.write(1, 'Sousaphone');
  await ann.hasStored(1);
  await host.endRound();
  const opens = host.page.getByText('Correct earlier marks');
  await expect(opens).toHaveCount(0);
  await host.releaseScores();
  const first = host.page.locator('.board li').first();
  await expect(first).toContainText('Ben');
  await opens.click();
  const marks = host.page.getByRole('group', { name: 'Mark “Sousaphone”' });
  await marks.getByRole('button', { name: 'Right' }).click();
  await expect(marks.getByRole('button', { name: 'Right' })).toHaveAttribute('aria-pressed', 'true');
  await host.page.getByRole('group', { name: 'Mark “Tuba”' }).getByRole('button', { name: 'Wrong' }).click();
  await expect(first).toContainText('Ann');
  await isAccessible(host.page, 'host, correcting marks');

  await host.nextRound();
  await marks.getByRole('button', { name: 'Wrong' }).click();
  await expect(marks.getByRole('button', { name: 'Wrong' })).toHaveAttribute('aria-pressed', 'true');
  await host.release();
  await host.endRound();
  host.watch.verify();
  ann.watch.verify();
});
