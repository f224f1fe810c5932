// A tie-break: the host asks two equal players, the phones answer, the screen shows it, and the order is that of the answers, also after
// each page is reloaded. A tie of the third place is shared, and stands on the podium.

import type { Locator } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import type { Screen } from '../support/screen.ts';
import { Seat } from '../support/seat.ts';

const [SPIDER, ANT] = ['How many legs has a spider?', 'How many has an ant?'] as const;
const PIANO = 'How many keys has a piano?';
const QUIZ: QuizBody = {
  title: 'Level',
  rounds: [
    {
      title: '',
      questions: [
        { text: SPIDER, type: 'text', correctAnswers: ['8'], points: 10 },
        { text: ANT, type: 'text', correctAnswers: ['6'], points: 10 },
      ],
    },
  ],
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

interface Pages {
  readonly host: Host;
  readonly screen: Screen;
  readonly ann: Phone;
}

test('a tie-break puts two equal players in order, and a tied third place is shared when the host says so, without those who have no points', async ({ live }) => {
  const host = await live.host();
  const pages = { host, screen: await live.screen(host), ann: await live.guest('Ann', { size: SMALL_PHONE }) };
  const { ann } = pages;
  await using bob = await Seat.take(live.server.url, live.game.gameCode, 'Bob', { [SPIDER]: '8', [ANT]: '6' }, { version: 'v1' });
  await live.guests({ Cleo: { [SPIDER]: '8' }, Dora: { [ANT]: '6' }, Emil: { [SPIDER]: '6' }, Fay: {} });
  await host.start();
  await host.release(2);
  for (const [number, answer] of ['8', '6'].entries()) await ann.write(number + 1, answer);
  await ann.hasStored(1, 2);
  await host.unfold();
  for (const [question, answers] of [[SPIDER, 4], [ANT, 3]] as const) {
    await expect(host.openQuestions().filter({ hasText: question })).toContainText(`${String(answers)} of 6`);
  }
  await host.endRound();
  await host.releaseScores();
  await test.step('the host asks', () => asks(pages));
  await test.step('the players answer', () => answer(pages, bob));
  await test.step('the order is that of the answers', () => ends(pages));
  await test.step('a tied third place is shared', () => shares(pages));
  await test.step('the results keep the tie-break', () => keeps(live, host));
  for (const each of [host, ann]) each.watch.verify();
});

async function asks({ host, screen, ann }: Pages): Promise<void> {
  const panel = host.page.getByTestId('tie-break');
  await expect(panel, 'no name while the standings are hidden').toHaveText(/^\s*There’s a tie in the top three\. “Show” below names it, on this page only\.\s*$/);
  await isAccessible(host.page, 'host, a covered tie');
  await host.page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(panel.getByRole('group'), 'the highest place first').toContainText(/Tie for place 1: .?Ann.?, .?Bob/);
  await panel.getByRole('button', { name: 'Ask a tie-break' }).click();
  const dialog = host.page.getByRole('dialog');
  await dialog.getByLabel('Question').fill(PIANO);
  await expect(dialog.getByRole('button', { name: 'Start tie-break' })).toBeDisabled();
  await dialog.getByLabel('Right answer (whole number)').fill('88');
  await isAccessible(host.page, 'host, a tie-break can be begun');
  await ann.page.evaluate(() => { scrollTo(0, document.body.scrollHeight); });
  await dialog.getByRole('button', { name: 'Start tie-break' }).click();
  await expect(panel).toContainText('0 of 2 answered');
  await expect(ann.page.getByLabel(PIANO), 'wherever the player had scrolled to').toBeInViewport({ ratio: 1 });
  await expect(screen.page.getByTestId('tie-break')).toContainText(PIANO);
  for (const [page, name] of [[screen.page, 'screen'], [ann.page, 'phone']] as const) {
    await isAccessible(page, `${name}, a tie-break`);
  }
}

async function answer({ host, ann }: Pages, bob: Seat): Promise<void> {
  const panel = host.page.getByTestId('tie-break');
  await ann.page.getByLabel(PIANO).fill('60');
  await ann.page.getByRole('button', { name: 'Send' }).click();
  await ann.sees('Your answer: 60.');
  await ann.page.reload();
  await ann.sees('Your answer: 60.');
  bob.say('answer_tie_break', { number: 90 });
  await expect(panel).toContainText('2 of 2 answered');
  await host.page.reload();
  await expect(panel).toContainText('2 of 2 answered');
}

async function ends({ host, screen, ann }: Pages): Promise<void> {
  const panel = host.page.getByTestId('tie-break');
  const wall = screen.page.getByTestId('tie-break');
  await expect(host.page.getByRole('button', { name: 'End the tie-break' }), 'the yellow button skips nothing').toHaveCount(1);
  await host.page.keyboard.press(' ');
  await expect(panel).toContainText('Answer: 88');
  await expect(panel.getByRole('listitem')).toHaveText([/Bob\s+90/, /Ann\s+60/]);
  await expect(ann.page.getByRole('heading', { name: 'Standings' }), 'the phones wait for the winner').toHaveCount(0);
  await screen.page.reload();
  await expect(wall).toContainText('Answer: 88');
  await isAccessible(screen.page, 'screen, a tie-break is over');
  await panel.getByRole('button', { name: 'Take it off the screen' }).click();
  await expect(wall).toBeHidden();
}

async function shares({ host, screen, ann }: Pages): Promise<void> {
  const panel = host.page.getByTestId('tie-break');
  await host.showWinner();
  await expect(screen.page.getByText('Bob').first()).toBeVisible();
  await ann.sees('Answer: 88');
  await ann.page.reload();
  await ann.sees('Answer: 88');
  await expect(panel.getByRole('group')).toContainText(/Tie for place 3: .?Cleo.?, .?Dora/);
  await panel.getByRole('button', { name: 'Share it' }).click();
  await expect(panel.getByRole('group'), 'two without points share no place worth a question').toHaveCount(0);
  const code = host.page.getByRole('button', { name: /^Show code/ });
  await expect(code).toBeVisible();
  await host.endGame();
  const podium = host.page.getByRole('list', { name: 'Top three' });
  await expect(podium.getByRole('listitem')).toHaveCount(3);
  for (const name of ['Ann', 'Bob']) await expect(podium).toContainText(name);
  await expect(podium.getByRole('listitem').filter({ hasText: 'Cleo' })).toContainText(/Cleo.*Dora/s);
  await stands(podium);
  await expect(code, 'no one joins any more').toHaveCount(0);
  await host.page.keyboard.press('f');
  await expect(host.page.getByRole('dialog')).toHaveCount(0);
}

async function keeps(live: LiveGame, { page }: Host): Promise<void> {
  await page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  const kept = page.getByTestId('tie-break');
  await expect(kept).toContainText(PIANO);
  await expect(kept).toContainText('Answer: 88');
  await expect(kept.getByRole('listitem')).toHaveText([/Bob\s+90/, /Ann\s+60/]);
  await isAccessible(page, 'host, results with a tie-break');
}
