// Marks that are corrected after the scores are released: the board and the phones follow, in the same round and in the next one.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

const TWO_ROUNDS: QuizBody = {
  title: 'Sounds',
  rounds: [
    {
      title: '',
      questions: [
        { text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 10 },
        { text: 'The largest drum?', type: 'text', correctAnswers: ['Taiko'], points: 10 },
      ],
    },
    { title: '', questions: [{ text: 'The smallest string?', type: 'text', correctAnswers: ['Violin'], points: 10 }] },
  ],
};

test.use({ quiz: TWO_ROUNDS });

const CONFIRM = { Right: 'Count as right', Half: 'Give half of the points', Wrong: 'Count as wrong' } as const;

/** Chooses another mark for an answer, reads what that would do, and confirms it. */
async function correct(host: Host, answer: string, mark: keyof typeof CONFIRM, outcome: RegExp): Promise<void> {
  const marks = host.page.getByRole('group', { name: `Mark “${answer}”` });
  await marks.getByRole('button', { name: mark }).click();
  await expect(host.page.getByRole('status').filter({ hasText: outcome })).toBeVisible();
  await host.page.getByRole('button', { name: CONFIRM[mark] }).click();
  await expect(marks.getByRole('button', { name: mark })).toHaveAttribute('aria-pressed', 'true');
}

test('an appeal turns the winner and another one is dismissed; a correction turns it again, and one of the next round turns it back', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  const cid = await live.guest('Cid', { size: SMALL_PHONE });
  await live.guests({ Ben: { 'The largest brass?': 'Tuba' } });
  await host.start();
  await host.release();
  await ann.write(1, 'Sousaphone');
  await cid.write(1, 'Trombone');
  for (const phone of [ann, cid]) await phone.hasStored(1);
  await expect(host.openQuestions().first(), 'Ben has answered as well').toContainText('3 of 3');
  await host.release();
  await host.endRound();
  await host.layOut(1);
  await host.group('Sousaphone').locator('[data-row]').focus();
  await expect(host.page.getByText(/^Accepting “.?Sousaphone.?” gives 1 player 10 points\.$/)).toBeVisible();
  await host.group('Tuba').locator('[data-row]').focus();
  await expect(host.page.getByText(/^Accepting/), 'it counts as right').toHaveCount(0);
  await host.releaseScores();
  await host.showWinner();
  await test.step('the phones appeal', () => appeal(ann, cid));
  await test.step('the host decides', () => decide(host, ann, cid));
  const first = host.page.locator('.board li').first();
  await test.step('a correction turns the winner, after it was thought over', async () => {
    await host.choose('Correct earlier marks');
    await host.page.getByRole('group', { name: 'Mark “Tuba”' }).getByRole('button', { name: 'Wrong' }).click();
    await expect(host.page.getByRole('button', { name: 'Count as wrong' })).toBeVisible();
    await isAccessible(host.page, 'host, correcting marks');
    await host.page.getByRole('button', { name: 'Cancel' }).click();
    await expect(host.page.getByRole('button', { name: 'Count as wrong' })).toHaveCount(0);
    await correct(host, 'Tuba', 'Wrong', /1 player loses 10 points\. First place changes: .?Ann.?, .?Ben.? → .?Ann/);
    await host.close();
    await expect(first).toContainText('Ann');
  });
  await ann.page.reload();
  await ann.sees('Right, after your appeal');
  await host.nextRound();
  await test.step('in the next round', async () => {
    await host.choose('Correct earlier marks');
    await correct(host, 'Sousaphone', 'Half', /1 player loses 5 points\.$/);
    await correct(host, 'Sousaphone', 'Wrong', /1 player loses 5 points\. First place changes: .?Ann.? → .?Ann.?, .?Ben/);
    await correct(host, 'Tuba', 'Right', /1 player gains 10 points\./);
    await host.close();
  });
  for (const each of [host, ann, cid]) each.watch.verify();
});

async function appeal(ann: Phone, cid: Phone): Promise<void> {
  await ann.sees('No answer');
  await expect(ann.page.getByText('Appeal', { exact: true }), 'without an answer there is nothing to check').toHaveCount(1);
  await ann.page.getByText('Appeal', { exact: true }).click();
  await ann.page.getByLabel('Why? (optional)').fill('A sousaphone is a tuba');
  await isAccessible(ann.page, 'phone, writing an appeal');
  await ann.page.getByRole('button', { name: 'Ask the host' }).click();
  await ann.sees('Sent to the host.');
  await cid.page.getByText('Appeal', { exact: true }).click();
  await cid.page.getByRole('button', { name: 'Ask the host' }).click();
  await isNotTooWide(cid.page, 'phone, an appeal is open');
}

async function decide(host: Host, ann: Phone, cid: Phone): Promise<void> {
  const { page } = host;
  const ofAnn = page.getByRole('group', { name: 'Appeal by Ann' });
  const ofCid = page.getByRole('group', { name: 'Appeal by Cid' });
  await expect(page.getByText('A sousaphone is a tuba')).toBeVisible();
  await expect(page.getByRole('heading', { name: '2 appeals' })).toBeVisible();
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: /^Right: 1 player gains 10 points\. First place changes: .?Ben.? → .?Ann.?, .?Ben/ })).toBeVisible();
  await isAccessible(page, 'host, appeals');
  await page.reload();
  await expect(page.getByRole('heading', { name: '2 appeals' })).toBeVisible();
  await ofAnn.getByRole('button', { name: 'Right' }).click();
  await expect(ofAnn).toHaveCount(0);
  await expect(page.getByRole('heading', { name: '1 appeal' }), 'the focus is not lost').toBeFocused();
  await ann.sees('Right, after your appeal');
  await ofCid.getByRole('button', { name: 'No' }).click();
  await expect(ofCid).toHaveCount(0);
  await cid.sees('The host checked: still wrong.');
}
