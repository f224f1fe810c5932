// A tie-break: the host asks two equal players, the phones answer, the screen shows it, and the order is that of the answers, also
// after each page is reloaded.

import type { Locator } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';
import { Seat } from '../support/seat.ts';

const QUIZ: QuizBody = {
  title: 'Level',
  rounds: [{ title: '', questions: [{ text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'], points: 10 }] }],
};

test.use({ quiz: QUIZ });

/** All places stand on the line of the podium, whatever is written above them. */
async function stands(podium: Locator): Promise<void> {
  const gaps = await podium.evaluate((list) => {
    const line = list.getBoundingClientRect().bottom - parseFloat(getComputedStyle(list).borderBlockEndWidth);
    return [...list.children].map((step) => Math.round(line - (step.lastElementChild ?? step).getBoundingClientRect().bottom));
  });
  expect(gaps).toEqual(gaps.map(() => 0));
}

test('a tie-break puts two equal players in order', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  const asked = QUIZ.rounds[0]?.questions[0]?.text ?? '';
  await using bob = await Seat.take(live.server.url, live.game.gameCode, 'Bob', { [asked]: '8' }, { version: 'v1' });
  await live.guests({ Cleo: { [asked]: '6' } });
  await host.start();
  await host.release(1);
  await ann.write(1, '8');
  await ann.hasStored(1);
  await expect(host.openQuestions().first()).toContainText('3 of 3');
  await host.endRound();
  await host.releaseScores();
  const panel = host.page.getByTestId('tie-break');
  await expect(panel, 'no name while the standings are hidden').toHaveText(/^\s*There’s a tie in the top three\. “Show” below names it, on this page only\.\s*$/);
  await isAccessible(host.page, 'host, a covered tie');
  await host.page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(panel.getByRole('group')).toContainText(/Tie for place 1: .?Ann.?, .?Bob/);
  await panel.getByRole('button', { name: 'Ask a tie-break' }).click();
  const dialog = host.page.getByRole('dialog');
  await dialog.getByLabel('Question').fill('How many keys has a piano?');
  await expect(dialog.getByRole('button', { name: 'Start tie-break' })).toBeDisabled();
  await dialog.getByLabel('Right answer (whole number)').fill('88');
  await isAccessible(host.page, 'host, a tie-break can be begun');
  await keepPicture(host.page, 'host-asks');
  await ann.page.evaluate(() => { scrollTo(0, document.body.scrollHeight); });
  await dialog.getByRole('button', { name: 'Start tie-break' }).click();
  await expect(panel).toContainText('0 of 2 answered');
  await expect(ann.page.getByLabel('How many keys has a piano?'), 'wherever the player had scrolled to').toBeInViewport({ ratio: 1 });
  const wall = screen.page.getByTestId('tie-break');
  await expect(wall).toContainText('How many keys has a piano?');
  await isAccessible(screen.page, 'screen, a tie-break');
  await keepPicture(screen.page, 'screen-open');
  await isAccessible(ann.page, 'phone, asked in a tie-break');
  await keepPicture(ann.page, 'phone-asked');
  await ann.page.getByLabel('How many keys has a piano?').fill('60');
  await ann.page.getByRole('button', { name: 'Send' }).click();
  await ann.sees('Your answer: 60.');
  await ann.page.reload();
  await ann.sees('Your answer: 60.');
  bob.say('answer_tie_break', { number: 90 });
  await expect(panel).toContainText('2 of 2 answered');
  await host.page.reload();
  await expect(panel).toContainText('2 of 2 answered');
  await isAccessible(host.page, 'host, a tie-break is open');
  await keepPicture(host.page, 'host-open');
  await expect(host.page.getByRole('button', { name: 'End the tie-break' }), 'the yellow button skips nothing').toHaveCount(1);
  await host.page.keyboard.press(' ');
  await expect(panel).toContainText('Answer: 88');
  await expect(panel.getByRole('listitem')).toHaveText([/Bob\s+90/, /Ann\s+60/]);
  await expect(ann.page.getByRole('heading', { name: 'Standings' }), 'the phones wait for the winner').toHaveCount(0);
  await expect(wall).toContainText('Answer: 88');
  await screen.page.reload();
  await expect(wall).toContainText('Answer: 88');
  await isAccessible(screen.page, 'screen, a tie-break is over');
  await keepPicture(screen.page, 'screen-over');
  await keepPicture(host.page, 'host-over');
  await panel.getByRole('button', { name: 'Take it off the screen' }).click();
  await expect(wall).toBeHidden();
  await host.showWinner();
  await expect(screen.page.getByText('Bob').first()).toBeVisible();
  await ann.sees('Answer: 88');
  await isAccessible(ann.page, 'phone, a tie-break is over');
  await keepPicture(ann.page, 'phone-over');
  await keepPicture(screen.page, 'screen-winner');
  await ann.page.reload();
  await ann.sees('Answer: 88');

  await host.page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  const kept = host.page.getByTestId('tie-break');
  await expect(kept).toContainText('How many keys has a piano?');
  await expect(kept).toContainText('Answer: 88');
  await expect(kept.getByRole('listitem')).toHaveText([/Bob\s+90/, /Ann\s+60/]);
  await isAccessible(host.page, 'host, results with a tie-break');
  await keepPicture(host.page, 'host-results');
});

test.describe('a tied third', () => {
  const questions = QUIZ.rounds[0]?.questions ?? [];
  const [first, second] = [{ ...questions[0], text: 'One?' }, { ...questions[0], text: 'Two?' }] as QuizBody['rounds'][number]['questions'];
  test.use({ quiz: { ...QUIZ, rounds: [{ title: '', questions: [...questions, ...(first && second ? [first, second] : [])] }] } });

  test('shares the place when the host says so, without those who have no points, and stands on the podium; the code is not shown any more', async ({ live }) => {
    const host = await live.host();
    const [asked = '', one = '', two = ''] = live.game.rounds[0]?.questions.map(({ text }) => text) ?? [];
    const right = { [asked]: '8' };
    await live.guests({ Ann: { ...right, [one]: '8', [two]: '8' }, Ben: { ...right, [one]: '8' }, Cleo: right, Dora: right, Emil: { [asked]: '6' }, Fay: {} });
    await host.start();
    await host.release(3);
    await host.unfold();
    for (const [question, answers] of [[asked, 5], [one, 2], [two, 1]] as const) {
      await expect(host.openQuestions().filter({ hasText: question })).toContainText(`${String(answers)} of 6`);
    }
    await host.endRound();
    await host.releaseScores();
    await host.showWinner();
    const panel = host.page.getByTestId('tie-break');
    await expect(panel.getByRole('group'), 'two without points share no place worth a question').toHaveCount(1);
    await panel.getByRole('button', { name: 'Share it' }).click();
    await expect(panel).toHaveCount(0);
    const code = host.page.getByRole('button', { name: /^Show code/ });
    await expect(code).toBeVisible();
    await host.endGame();
    const podium = host.page.getByRole('list', { name: 'Top three' });
    await expect(podium.getByRole('listitem')).toHaveCount(3);
    for (const name of ['Ann', 'Ben']) await expect(podium).toContainText(name);
    await expect(podium.getByRole('listitem').filter({ hasText: 'Cleo' })).toContainText(/Cleo.*Dora/s);
    await stands(podium);
    await keepPicture(host.page, 'host-podium');
    await expect(code).toHaveCount(0);
    await host.page.keyboard.press('f');
    await expect(host.page.getByRole('dialog')).toHaveCount(0);
    host.watch.verify();
  });
});
