// A phone among forty: it follows the joins by changes, and is sent the top of the board and the places around its own, not all of it.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import type { Answers } from '../support/guests.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Among forty',
  rounds: [
    {
      title: 'Numbers',
      questions: [1, 2].map((number) => ({
        text: `Which number comes after ${String(number)}?`,
        type: 'text',
        correctAnswers: [String(number + 1)],
        points: 10,
      })),
    },
  ],
};

/** Twelve answer both questions right, eighteen one, nine none. */
const GUESTS: Answers = Object.fromEntries(
  Array.from({ length: 39 }, (_, at) => [
    `Guest ${String(at + 1).padStart(2, '0')}`,
    { ...(at < 30 && { 'Which number comes after 1?': '2' }), ...(at < 12 && { 'Which number comes after 2?': '3' }) },
  ]),
);

test.use({ quiz: QUIZ });

test('a phone among forty knows who is here, and its own place', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await live.guests(GUESTS);
  await ann.sees('40 players here');
  await ann.sees('Guest 39 just joined');
  await expect(ann.page.getByRole('listitem').filter({ hasText: /^Guest \d\d$/ })).toHaveCount(39);
  await isAccessible(ann.page, 'phone, a lobby of forty');
  await runner.start();
  await runner.release();
  const answered = ann.page.getByTestId('answered');
  await runner.counts(1, 30);
  await expect(answered, 'nothing before the own answer').toHaveCount(0);
  await ann.write(1, '2');
  await ann.hasStored(1);
  await expect(answered).toHaveText('31 of 40 answered');
  await isAccessible(ann.page, 'phone, how many have answered');
  await ann.page.reload();
  await expect(answered).toHaveText('31 of 40 answered');
  await runner.release();
  await expect(answered, 'only of the newest question').toHaveCount(0);
  await ann.write(2, '7');
  await ann.hasStored(2);
  // Twelve others have answered as well.
  await runner.counts(2, 13);
  await runner.endRound();
  await runner.releaseScores();
  await runner.showAll();
  const rows = ann.page.locator('ol').filter({ hasText: 'Guest 01' }).getByRole('listitem');
  await ann.sees('13th of 40');
  await expect(rows).toHaveCount(15);
  await expect(rows.nth(10)).toContainText('Guest 11');
  await expect(rows.nth(12)).toContainText('Ann');
  await isAccessible(ann.page, 'phone, a board of forty');
  await runner.endGame();
  await ann.page.reload();
  await ann.sees('13th of 40');
  await expect(ann.page.getByTestId('keepsake'), 'each has something at the end').toHaveText('Right answers: 1');
});
