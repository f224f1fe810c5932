// Marks that are corrected after the scores are released: the board and the phones follow, in the same round and in the next one.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

/** A question about a program, as an import creates it. */
const PROGRAM = 'What does this print?\n\nif x > 2:\n    x = x * 2\n    print(x)';

const TWO_ROUNDS: QuizBody = {
  title: 'Sounds',
  rounds: [
    {
      title: '',
      questions: [
        { text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 10 },
        { text: 'The largest drum?', type: 'text', correctAnswers: ['Taiko'], points: 10 },
        { text: PROGRAM, type: 'text', correctAnswers: ['6'], points: 10 },
      ],
    },
    { title: '', questions: [{ text: 'The smallest string?', type: 'text', correctAnswers: ['Violin'], points: 10 }] },
  ],
};

test.use({ quiz: TWO_ROUNDS });

/** A text that looks like markup is a text on every page. */
const NASTY = '<img src=x onerror=alert(1)>';

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
  await live.guests({ Ben: { 'The largest brass?': 'Tuba' } });
  await host.start();
  await host.release();
  // She comes late, and has the open question.
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await ann.write(1, 'Sousaphone');
  await ann.hasStored(1);
  await expect(host.openQuestions().first(), 'Ben has answered as well').toContainText('2 of 2');
  await host.release(2);
  for (const place of [ann.question(3).locator('h2'), host.openQuestions().first().locator('#question-now')]) {
    await expect.poll(() => place.innerText(), 'every line and its indentation').toBe(PROGRAM);
  }
  await ann.write(2, NASTY);
  await ann.hasStored(2);
  await host.endRound();
  await host.layOut(1);
  await host.group('Sousaphone').locator('[data-row]').focus();
  await expect(host.page.getByText(/^Accepting “.?Sousaphone.?” gives 1 player 10 points\.$/)).toBeVisible();
  await host.group('Tuba').locator('[data-row]').focus();
  await expect(host.page.getByText(/^Accepting/), 'it counts as right').toHaveCount(0);
  await host.releaseScores();
  await host.showWinner();
  await test.step('the phone appeals', () => appeal(ann));
  await test.step('the host decides', () => decide(host, ann));
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
  for (const each of [host, ann]) each.watch.verify();
});

async function appeal(ann: Phone): Promise<void> {
  const { page } = ann;
  await ann.sees('No answer');
  await expect(page.getByRole('listitem').filter({ hasText: NASTY })).toContainText(/wrong/);
  const appeals = page.getByText('Appeal', { exact: true });
  await expect(appeals, 'without an answer there is nothing to check').toHaveCount(2);
  await appeals.first().click();
  await page.getByLabel('Why? (optional)').first().fill('A sousaphone is a tuba');
  await isAccessible(page, 'phone, writing an appeal');
  await page.getByRole('button', { name: 'Ask the host' }).click();
  await ann.sees('Sent to the host.');
  await appeals.last().click();
  await page.getByRole('button', { name: 'Ask the host' }).click();
  await expect(page.getByRole('button', { name: 'Ask the host' })).toHaveCount(0);
  await isNotTooWide(page, 'phone, an appeal is open');
}

async function decide(host: Host, ann: Phone): Promise<void> {
  const { page } = host;
  const ofAnn = page.getByRole('group', { name: 'Appeal by Ann' });
  await expect(page.getByText('A sousaphone is a tuba')).toBeVisible();
  await expect(page.getByRole('heading', { name: '2 appeals' })).toBeVisible();
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: /^Right: 1 player gains 10 points\. First place changes: .?Ben.? → .?Ann.?, .?Ben/ })).toBeVisible();
  await isAccessible(page, 'host, appeals');
  await page.reload();
  await expect(page.getByRole('heading', { name: '2 appeals' })).toBeVisible();
  await ofAnn.getByRole('button', { name: 'Right' }).click();
  await expect(page.getByRole('heading', { name: '1 appeal' }), 'the focus is not lost').toBeFocused();
  await ann.sees('Right, after your appeal');
  await expect(page.getByText(NASTY).first()).toBeVisible();
  await ofAnn.getByRole('button', { name: 'No' }).click();
  await expect(ofAnn).toHaveCount(0);
  await ann.sees('The host checked: still wrong.');
}
