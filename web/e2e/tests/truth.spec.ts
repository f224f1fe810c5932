// What a phone says is true in every state: that answers can be changed, why a question closed, that it stays closed without a server.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { CONNECTION_LOST, isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const LIMIT = 5;
const CHANGE = 'You can change an answer until its question closes.';
const NONE_OPEN = 'No question is open right now.';

const QUIZ: QuizBody = {
  title: 'The truth',
  rounds: [
    {
      title: 'One after the other',
      questions: [
        { text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'], points: 10 },
        { text: 'How many has an ant?', type: 'text', correctAnswers: ['6'], points: 10 },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

test('a question that its time has closed says so, stays closed while the server is away, and takes nothing', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  ann.watch.allow(CONNECTION_LOST);
  await runner.start();
  await ann.sees('First question coming up.');
  await ann.seesNoMore(CHANGE);
  await runner.release(1);
  await ann.sees(CHANGE);
  await ann.write(1, '8');
  await ann.hasStored(1);
  // The time begins once the answer is stored, so that it is long enough on any machine.
  runner.setTime(LIMIT, 1);
  await expect(ann.question(1).getByText('Time is up')).toBeVisible({ timeout: (LIMIT + 10) * 1_000 });
  await expect(ann.question(1).getByRole('textbox')).toHaveCount(0);
  await ann.sees(`1 of 1 saved. ${NONE_OPEN}`);
  await ann.seesNoMore(CHANGE);
  await isAccessible(ann.page, 'phone, a question that its time has closed');
  await runner.release(1);
  await ann.sees(CHANGE);

  await live.server.kill();
  await ann.sees('Your answers are safe on this phone');
  await expect(ann.question(2).getByRole('textbox')).toBeVisible();
  await expect(ann.question(1).getByRole('textbox'), 'closed is closed').toHaveCount(0);
  await expect(ann.question(1).getByText('Time is up')).toBeVisible();

  await live.server.start();
  await ann.write(2, '6');
  await ann.hasStored(1, 2);
  await expect(ann.question(1).getByText('Time is up'), 'known after the connection is back').toBeVisible();
  await ann.page.reload();
  await expect(ann.question(1).getByText('Time is up'), 'and after a reload').toBeVisible();
  await expect(ann.question(1).getByRole('textbox')).toHaveCount(0);
  ann.watch.verify();
});
