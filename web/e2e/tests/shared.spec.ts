// A game afterwards: its replay, forwards, backwards and played, and its results by a link. The host shares and revokes them; a player and a
// stranger open the link on a phone, which has the replay once that is shared too.

import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { hasMomentOfQuestion } from '../support/api.ts';
import { isAccessible, Watch } from '../support/checks.ts';
import { Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

const [QUESTION, KEY, TITLE] = ['Which city is the capital of Iceland?', 'Reykjavík', 'A short quiz'];
const QUIZ = {
  title: TITLE,
  rounds: [
    {
      title: 'Cities',
      questions: [
        { text: QUESTION, type: 'text', correctAnswers: [KEY], timeLimit: 60 },
        { text: 'From north to south', type: 'order', choices: ['Rome', 'Oslo'], correctAnswers: ['Oslo', 'Rome'] },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

test('a game is shown again to its host, and its results and its replay to everyone with the link until it is revoked', async ({ live, browser }) => {
  const ann = await play(live);
  await using host = await Host.open(browser, `${live.server.url}/host/games/${live.game.id}/results`, { session: live.session });
  const { page } = host;
  await page.getByRole('link', { name: 'Replay' }).click();
  await test.step('the replay goes from moment to moment', () => replay(page, live.game.gameCode));
  await page.getByRole('link', { name: 'Back to the results' }).click();

  const dialog = page.getByRole('dialog', { name: 'Results by link' });
  const address = await share(page, dialog);
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, locale: 'en-GB', reducedMotion: 'reduce' });
  const watch = new Watch(context);
  const stranger = await context.newPage();
  await stranger.goto(`${live.server.url}/results${new URL(address).hash}`);
  await test.step('everyone with the link sees the results', () => read(stranger));
  await test.step('the phone of a player knows its own answers', async () => {
    await ann.page.goto(stranger.url());
    await expect(ann.page.getByText('Your answer').first()).toBeVisible();
  });
  await test.step('a link shows the replay only if the host shares it', () => shareReplay(dialog, stranger));

  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByText('The link doesn’t work any more.')).toBeVisible();
  watch.allow(/404/);
  await stranger.reload();
  await expect(stranger.getByRole('heading', { name: 'No results here' })).toBeVisible();
  await isAccessible(stranger, 'shared results, revoked');
  watch.verify();
  await context.close();
});

/** A game of two questions, up to its end. */
async function play(live: LiveGame): Promise<Phone> {
  const { server, token, game } = live;
  const runner = await live.runner();
  await live.guests({ Mira: { [QUESTION]: KEY }, Jonas: { [QUESTION]: 'no idea' } });
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await runner.start();
  await runner.release(1);
  // A screen is sent a picture every 250 ms: a question that is open for less is no moment.
  await expect.poll(() => hasMomentOfQuestion(server.url, token, game.id)).toBe(true);
  await runner.release(1);
  await runner.counts(1, 2);
  await runner.endRound();
  await runner.releaseScores();
  await runner.endGame();
  return ann;
}

async function replay(page: Page, gameCode: string): Promise<void> {
  const stage = page.getByTestId('stage');
  const slider = page.getByRole('slider', { name: 'Moment of the game' });
  const desk = page.getByRole('region', { name: 'Play the replay' });
  await expect(stage).toContainText(gameCode.slice(0, 3));
  await expect(slider).toHaveAttribute('aria-valuetext', /^Lobby, 1 of \d+$/);

  await test.step('it steps with the keys, the slider and the list of its parts', async () => {
    await page.getByRole('heading', { name: 'Replay' }).click();
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', /2 of/);
    await page.keyboard.press('ArrowLeft');
    await expect(slider).toHaveAttribute('aria-valuetext', /1 of/);
    await expect(desk.getByRole('button', { name: 'Step back' })).toBeDisabled();
    await desk.getByLabel('Go to').selectOption({ label: 'Round 1, question 1' });
    await expect(stage.getByRole('heading', { name: QUESTION })).toBeVisible();
    await expect(stage.getByRole('timer').first(), 'with the time of then').toHaveText(/^(1:00|0:5\d)$/);
    await slider.focus();
    await page.keyboard.press('End');
    await expect(stage).toContainText('Mira');
    await expect(desk.getByRole('button', { name: 'Step forward' })).toBeDisabled();
  });

  await test.step('it looks right at every width', async () => {
    for (const part of ['Round 1, question 1', 'Top three']) {
      await desk.getByLabel('Go to').selectOption({ label: part });
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: width > 700 ? 900 : 700 });
        await isAccessible(page, `the replay, ${part}, at ${String(width)}`);
      }
    }
    await page.setViewportSize(LAPTOP);
  });

  await test.step('it plays from the beginning to the end', async () => {
    await desk.getByLabel('Speed').selectOption('20×');
    await desk.getByRole('button', { name: 'Play' }).click();
    await expect(slider).toHaveAttribute('aria-valuetext', /Top three, (\d+) of \1$/);
    await expect(desk.getByRole('button', { name: 'Play' })).toBeVisible();
  });
}

/** The first press makes no link; resolves to the link that the second makes. */
async function share(page: Page, dialog: Locator): Promise<string> {
  const opener = page.getByRole('button', { name: 'Share by link' });
  await opener.click();
  await expect(dialog).toContainText('Names and points of all players can be seen by all who have the link.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await opener.click();
  await expect(dialog.getByLabel('Link'), 'the first press makes none').toHaveCount(0);
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByLabel('Link', { exact: true })).toBeFocused();
  const address = await dialog.getByLabel('Link', { exact: true }).inputValue();
  expect(address).toMatch(/\/results#qr_[\w-]{43}$/);
  await isAccessible(page, 'the link to the results');
  return address;
}

async function read(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Final standings' })).toBeVisible();
  await expect(page.getByText('Mira')).toBeVisible();
  await expect(page.getByText(`Right answer: ${KEY}`)).toBeVisible();
  await expect(page.getByText('Right answer:').first(), 'the hardest question is first').toContainText(/Oslo\s*Rome/);
  await expect(page.getByText('1 of 3 right')).toBeVisible();
  await expect(page.getByText('Your answer')).toHaveCount(0);
  await isAccessible(page, 'shared results at 320 px');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('Mira');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByText('Mira')).toBeVisible();
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await isAccessible(page, 'shared results in the dark');
}

async function shareReplay(dialog: Locator, stranger: Page): Promise<void> {
  await expect(stranger.getByRole('link', { name: 'Replay' })).toHaveCount(0);
  const also = dialog.getByRole('checkbox', { name: 'Also show the replay' });
  await also.check();
  await expect(also).toBeChecked();
  await stranger.reload();
  await stranger.getByRole('link', { name: 'Replay' }).click();
  await expect(stranger.getByTestId('stage')).toContainText(TITLE);
  await isAccessible(stranger, 'the shared replay');
  await stranger.getByRole('link', { name: 'Back to the results' }).click();
  await expect(stranger.getByRole('heading', { name: 'Final standings' })).toBeVisible();
}
