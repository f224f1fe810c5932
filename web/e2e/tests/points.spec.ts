// Points by hand: the host gives some and takes some away, the phone shows them with the reason, and the results add up.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const QUIZ: QuizBody = {
  title: 'Sounds',
  rounds: [
    { title: 'Brass', questions: [{ text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 }] },
    { title: 'Strings', questions: [{ text: 'The largest strings?', type: 'text', correctAnswers: ['Octobass'], points: 100 }] },
  ],
};

test.use({ quiz: QUIZ });

test('five points off for a phone under the table', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  const ben = await live.guest('Ben');
  await host.start();
  await host.release(1);
  await ann.write(1, 'Tuba');
  await ann.hasStored(1);
  await ben.write(1, 'Horn');
  await ben.hasStored(1);

  await test.step('while the round is played', async () => {
    const dialog = await host.ask('Ann', 'Points by hand');
    await dialog.getByRole('button', { name: 'Give points' }).click();
    await expect(dialog.getByText('Enter a whole number')).toBeVisible();
    await dialog.getByLabel('Give or take away').selectOption('Take points away');
    await dialog.getByLabel('How many').fill('5');
    await dialog.getByLabel('Reason (optional)').fill('phone under the table');
    await isAccessible(host.page, 'host, points by hand');
    await dialog.getByLabel('How many').press('Enter');
    await expect(dialog.getByRole('listitem')).toContainText('−5 points');
    await expect(dialog.getByLabel('How many'), 'ready for the next').toHaveValue('');
    for (const width of [768, 390, 320]) {
      await host.page.setViewportSize({ width, height: 800 });
      await isNotTooWide(host.page, `host, points by hand, ${String(width)}`);
      await keepPicture(host.page, `given-${String(width)}`);
    }
    await host.page.setViewportSize({ width: 1440, height: 900 });
    await keepPicture(host.page, 'given');
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await host.close();
  });

  await host.endRound();
  await host.releaseScores();
  await ann.sees('phone under the table');
  await expect(ann.page.getByTestId('by-hand')).toContainText('−5 points');
  await isAccessible(ann.page, 'phone, points by hand');
  await isNotTooWide(ann.page, 'phone, points by hand');
  await keepPicture(ann.page, 'phone');

  await test.step('when the points are out, and undone', async () => {
    const dialog = await host.ask('Ben', 'Points by hand');
    await expect(dialog.getByText('the standings change at once')).toBeVisible();
    await dialog.getByLabel('How many').fill('120');
    await expect(dialog.getByText(/^1 player gains 120 points\. First place changes: .Ann. → .Ben.\.$/)).toBeVisible();
    for (const width of [768, 390, 320, 1440]) {
      await host.page.setViewportSize({ width, height: 900 });
      await isNotTooWide(host.page, `host, what points by hand would do, ${String(width)}`);
      await keepPicture(host.page, `would-${String(width)}`);
    }
    await dialog.getByLabel('Reason (optional)').fill('best name');
    await dialog.getByRole('button', { name: 'Give points' }).click();
    await ben.sees('best name');
    await ann.sees('120');
    await dialog.getByRole('button', { name: 'Undo +120 points' }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(0);
    await expect(ben.page.getByText('best name')).toHaveCount(0);
  });
  host.watch.verify();
  ann.watch.verify();
});
