// Points that are not simply those of the question: half of them for a near miss, fewer for a wrong answer, more for a quick one, and
// those that the host gives or takes away by hand. The desk gives them, the phone and the screen show them. What the editor sets is in
// settings.spec.ts.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

const CAPITAL = 'Which city is the capital of Germany?';
const QUIZ: QuizBody = {
  title: 'Points',
  rounds: [
    {
      title: 'Costly',
      questions: [
        { text: CAPITAL, type: 'text', correctAnswers: ['Berlin'], points: 10 },
        { text: 'How many legs has a crab?', type: 'text', correctAnswers: ['10'], points: 10 },
      ],
      halfPoints: true,
      wrongPoints: -5,
    },
    {
      title: 'Quick ones',
      questions: [
        { text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'], points: 1_000, timeLimit: 600 },
        { text: 'How many has an ant?', type: 'text', correctAnswers: ['6'], points: 1_000 },
      ],
      speedPoints: true,
    },
  ],
};

test.use({ quiz: QUIZ });

test('half points, points for wrong and for quick answers, and points by hand are given, explained and shown', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await live.guests({ Ben: { [CAPITAL]: 'Bonn' } });
  await host.start();
  await host.release(2);
  await ann.write(1, 'Berlni');
  await ann.write(2, '6');
  await ann.hasStored(1, 2);
  await test.step('points are taken away by hand while the round is played', () => takeAway(host));
  await host.endRound();
  await test.step('a near miss has half of the points, and the host gives them with one key, which is undone, or a click', () => giveHalf(host));
  await host.releaseScores();
  await test.step('the phone shows them all, with the reason, and a score below zero', () => showsPoints(ann));
  await test.step('points by hand say what they would do when the points are out, arrive at once, and are undone', () => giveAndUndo(host, ann));
  await test.step('a quick answer earns more, and the desk says how long it took', () => playQuick(live, host, ann));
  for (const each of [host, ann]) each.watch.verify();
});

async function takeAway(host: Host): Promise<void> {
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
  await fits(host, 'given');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await host.close();
}

/** The dialog is whole on the narrowest page. */
async function fits(host: Host, state: string): Promise<void> {
  await host.page.setViewportSize({ width: 320, height: 800 });
  await isNotTooWide(host.page, `host, points by hand, ${state}`);
  await host.page.setViewportSize(LAPTOP);
}

async function giveHalf(host: Host): Promise<void> {
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
}

async function showsPoints(ann: Phone): Promise<void> {
  await ann.sees('phone under the table');
  await expect(ann.page.getByTestId('by-hand')).toContainText('−5 points');
  await ann.sees(/^5 points$/);
  await ann.sees(/^-5 points$/);
  await isAccessible(ann.page, 'phone, points by hand and a score below zero');
}

async function giveAndUndo(host: Host, ann: Phone): Promise<void> {
  const dialog = await host.ask('Ann', 'Points by hand');
  await expect(dialog.getByText('the standings change at once')).toBeVisible();
  await dialog.getByLabel('How many').fill('120');
  await expect(dialog.getByText(/^1 player gains 120 points\. First place changes: .Ben. → .Ann.\.$/)).toBeVisible();
  await fits(host, 'would');
  await dialog.getByLabel('Reason (optional)').fill('best name');
  await dialog.getByRole('button', { name: 'Give points' }).click();
  await ann.sees('best name');
  await ann.sees('120');
  await dialog.getByRole('button', { name: 'Undo +120 points' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await expect(ann.page.getByText('best name')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await host.close();
}

async function playQuick(live: LiveGame, host: Host, ann: Phone): Promise<void> {
  await host.nextRound();
  const screen = await live.screen(host);
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
  await host.layOut(2);
  await host.group('6').getByRole('button', { expanded: false }).click();
  await expect(host.group('6').getByText(/^\d+(\.\d)? s$/)).toHaveCount(0);
  await host.releaseScores();
  await host.skipQuestions();
  await host.showWinner();
  await expect(ann.page.getByText(/^including \d+ for speed$/)).toHaveCount(1);
}
