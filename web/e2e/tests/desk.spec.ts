// What a nervous host does: a second window, a window that is closed, a room in which players come and go. And what a hall sees meanwhile.

import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { Seat } from '../support/seat.ts';
import { HASTE_MS } from '../support/steps.ts';

const CITY = 'Which city is the capital of Iceland?';
const ELSEWHERE = 'You’re hosting this game in another window.';

test('of two windows of a host one runs the game, or both do; the screen follows, and stays when both are closed', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  await live.guests({ Ann: { [CITY]: 'Reykjavk' } });
  await host.start();
  await screen.sees('Warming up');
  const desk = await host.context.newPage();
  await desk.goto(`${live.server.url}/host/games/${live.game.id}`);
  await test.step('the newer one takes over; the older says so, does nothing, and takes the game back', async () => {
    await expect(host.page.getByText(ELSEWHERE)).toBeVisible();
    await isAccessible(host.page, 'host, in another window');
    await keepPicture(host.page, 'elsewhere');
    await step(desk, 'release_question');
    await screen.sees(CITY);
    await screen.page.reload();
    await screen.sees(CITY);
    await host.page.bringToFront();
    await host.space();
    await host.page.getByRole('button', { name: 'Host here' }).click();
    await expect(desk.getByText(ELSEWHERE)).toBeVisible();
    await expect(host.page.locator('[data-released]')).toHaveAttribute('data-released', '1');
    await desk.getByRole('button', { name: 'Host here' }).click();
    await expect(host.page.getByText(ELSEWHERE)).toBeVisible();
  });
  await test.step('both run it, each with all that the host has, until one is removed', () => runBoth(host, desk));
  await host.releaseScores();
  await host.showNext();
  await desk.getByRole('button', { name: 'Host on both devices' }).click();
  const panel = desk.getByRole('region', { name: 'On the screen' });
  await expect(panel, 'where the other window has turned it to').toContainText('On the screen now: answer 2 of 2');
  await test.step('the screen follows the one that is left, and stays when that one is closed', async () => {
    await host.page.close();
    await step(desk, 'show');
    await screen.sees('1,000');
    await desk.close({ runBeforeUnload: true });
    await screen.page.reload();
    await screen.sees('1,000');
  });
  host.watch.verify();
});

/** Takes the next step on a second page of the host. */
async function step(page: Page, name: string): Promise<void> {
  const button = page.locator(`[data-step="${name}"] button`);
  await expect(button).toBeEnabled();
  await page.clock.fastForward(HASTE_MS);
  await button.click();
}

async function runBoth(host: Host, desk: Page): Promise<void> {
  await host.page.getByRole('button', { name: 'Host on both devices' }).click();
  await host.isConnected();
  await step(desk, 'release_question');
  await expect(host.page.locator('[data-released]')).toHaveAttribute('data-released', '2');
  await host.page.reload();
  await host.isConnected();
  await expect(desk.getByText(ELSEWHERE)).toBeHidden();
  await host.endRound();
  await host.mark('Reykjavk', 'Right');
  await expect(desk.getByRole('button', { name: 'Undo (1)' })).toBeEnabled();
  await desk.getByRole('button', { name: 'More for this game' }).click();
  await desk.getByRole('button', { name: 'Co-hosts', exact: true }).click();
  await desk.getByRole('button', { name: /^Remove .?Second device/ }).click();
  await desk.getByRole('button', { name: /^Yes, remove .?Second device/ }).click();
  await expect(host.page.getByText(ELSEWHERE)).toBeVisible();
  await desk.keyboard.press('Escape');
  await host.page.getByRole('button', { name: 'Host here' }).click();
  await host.isConnected();
  await expect(desk.getByText(ELSEWHERE)).toBeVisible();
}

test('who is away is not waited for, whose answer is in stays counted, and a text that looks like markup is text on every page', async ({ live }) => {
  const nasty = '<img src=x onerror=alert(1)>';
  const name = '=1+1 <b>Bob';
  const { url } = live.server;
  const host = await live.host();
  const screen = await live.screen(host);
  const bob = await live.guest(name);
  await using ann = await Seat.take(url, live.game.gameCode, 'Ann', { [CITY]: 'Oslo' });
  await using cleo = await Seat.take(url, live.game.gameCode, 'Cleo');
  await screen.sees(name);
  await screen.sees('Cleo');
  await host.start();
  await host.release();
  await expect(host.openQuestions().first()).toContainText('1 of 3');
  await screen.sees('1 of 3 answered');
  cleo.leave();
  await expect(host.openQuestions().first()).toContainText('1 of 2');
  await screen.sees('1 of 2 answered');
  ann.leave();
  const players = await host.open('players');
  await expect(players.getByRole('button', { name: /^offline 2$/ })).toBeVisible();
  await host.close();
  await expect(host.openQuestions().first()).toContainText('1 of 2');
  await screen.sees('1 of 2 answered');
  await bob.write(1, nasty);
  await bob.hasStored(1);
  await expect(host.page.getByText('Everyone has answered question 1.')).toBeVisible();
  await screen.sees('2 of 2 answered');
  await host.endRound();
  await expect(host.group(nasty)).toBeVisible();
  await host.releaseScores();
  await expect(bob.page.getByRole('listitem').filter({ hasText: nasty })).toContainText(/wrong/);
  await test.step('and in the file for spreadsheets', async () => {
    await host.page.goto(`${url}/host/games/${live.game.id}/results`);
    const table = await readFile(await (await host.downloads('Answers (CSV)')).path(), 'utf8');
    expect(table).toContain(`'${name}`);
  });
  for (const each of [host, bob]) each.watch.verify();
});

const ONE_ROUND: QuizBody = {
  title: 'One',
  rounds: [
    {
      title: '',
      questions: Array.from({ length: 100 }, (_, place) => ({
        text: `Question ${String(place + 1)} of very many, and each of them goes on for longer than its line on the wall is wide?`,
        type: 'text',
        correctAnswers: ['yes'],
      })),
    },
  ],
};

test.describe('one round without a title, of a hundred questions', () => {
  test.use({ quiz: ONE_ROUND });

  test('is run, marked in a window of 320 pixels, shown and ended; long names stay within the wall', async ({ live }) => {
    const host = await live.host();
    const screen = await live.screen(host);
    // Names as wide as 24 letters can be.
    const names = Array.from({ length: 10 }, (_, place) => `${'WM'.repeat(11)}${String(place + 10)}`);
    await live.guests(Object.fromEntries(names.map((name) => [name, { [ONE_ROUND.rounds[0]?.questions[0]?.text ?? '']: 'yes' }])));
    await isNotTooWide(host.page, 'host, lobby with long names');
    await isNotTooWide(screen.page, 'screen, lobby with long names');
    await host.start();
    await host.release(8);
    await host.unfold();
    await expect(host.openQuestions().filter({ hasText: 'Question 1 of' })).toContainText('10 of 10');
    await screen.sees('Question 8 of very many');
    await host.endRound();
    await expect(host.group('yes')).toBeVisible();
    await host.page.setViewportSize({ width: 320, height: 700 });
    for (const size of ['100%', '200%']) {
      await host.page.evaluate((each) => {
        document.documentElement.style.fontSize = each;
      }, size);
      await isNotTooWide(host.page, `host, marking eight questions, text of ${size}`);
    }
    await host.page.evaluate(() => {
      document.documentElement.style.fontSize = '';
    });
    await host.page.setViewportSize(LAPTOP);
    await host.releaseScores();
    await expect(host.button('start_next_round')).toHaveCount(0);
    await host.skipQuestions();
    await host.showWinner();
    await screen.sees(names[0] ?? '');
    await isNotTooWide(screen.page, 'screen, ten winners');
    await host.step('show_standings');
    await host.showNext();
    await screen.sees(names[9] ?? '');
    const last = screen.page.getByRole('listitem').last();
    await expect(last).toBeInViewport({ ratio: 1 });
    await host.endGame();
    await expect(screen.page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    host.watch.verify();
  });
});
