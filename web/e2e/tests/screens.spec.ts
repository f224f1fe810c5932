// A screen in a separate browser profile, opened by its link: it needs no page of the host, is the same after a reload in every state,
// and ends when it is removed.

import type { Browser, Page } from '@playwright/test';

import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { PROFILE } from '../support/screen.ts';

test('a screen with a link of its own is the same after a reload in every state, and dark while the host wants it', async ({ live, browser }) => {
  await live.guests({ Ann: { 'Which city is the capital of Iceland?': 'Reykjavik' } });
  const api = new HostApi(live.server.url, live.token);
  const { screenId, url } = await api.addScreen(live.game.id);
  const host = await live.host();
  const context = await browser.newContext(PROFILE);
  const page = await context.newPage();
  await page.goto(`${live.server.url}/screen${new URL(url).hash}`);

  const holds = async (state: string, text: string | RegExp): Promise<void> => {
    for (const again of [false, true]) {
      if (again) await page.reload();
      await expect(page.getByText(text).first(), `${state}${again ? ', after a reload' : ''}`).toBeVisible();
    }
    await isAccessible(page, `a screen of its own, ${state}`);
    await keepPicture(page, state);
  };
  await holds('lobby', 'Ann');
  await host.start();
  await holds('round', 'Warming up');
  await test.step('B darkens the screen until the next step, or until B again', () => darken(host, page));
  await holds('question', '1 of 1 answered');
  expect(await page.locator('body').innerText(), 'no key before its time').not.toContain('Reykjav');
  await host.endRound();
  await holds('review', /Marking/);
  await host.releaseScores();
  await holds('answer', 'Reykjavík');
  await host.showNext();
  await holds('standings', 'Ann');
  await host.page.close();
  await page.reload();
  await expect(page.getByText('Ann').first(), 'without the page of the host').toBeVisible();
  await page.goto(`${live.server.url}/screen?overlay${new URL(url).hash}`);
  await expect(page.getByText('Ann', { exact: true }).first()).toBeVisible();
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(ground, 'stream software sees through it').toBe('rgba(0, 0, 0, 0)');
  await page.goto(`${live.server.url}/screen${new URL(url).hash}`);
  await expect(page.getByText('Ann', { exact: true }).first()).toBeVisible();

  await api.removeScreen(live.game.id, screenId);
  await expect(page.getByRole('status')).toContainText('removed from the game');
  await page.reload();
  await expect(page.getByRole('heading')).toContainText('removed from the game');
  await isAccessible(page, 'a screen of its own, removed');
  await context.close();
});

/** At a round without a question; a question ends the darkness. */
async function darken(host: Host, page: Page): Promise<void> {
  const dark = page.getByRole('heading', { name: 'The picture is hidden for now.' });
  const note = host.page.getByText('The screens are dark until the next step.');
  await host.page.keyboard.press('b');
  await expect(dark).toBeAttached();
  await expect(page.getByText('Warming up'), 'nothing else is drawn').toHaveCount(0);
  await expect(note).toBeVisible();
  await isAccessible(page, 'a dark screen');
  await isAccessible(host.page, 'host, dark screens');
  await keepPicture(page, 'dark');
  await keepPicture(host.page, 'host');
  await page.reload();
  await expect(dark).toBeAttached();
  await host.page.reload();
  await expect(note, 'a reloaded page knows it').toBeVisible();
  await host.page.keyboard.press('b');
  await expect(page.getByText('Warming up').first()).toBeVisible();
  await expect(note).toHaveCount(0);

  await host.page.keyboard.press('b');
  await expect(dark).toBeAttached();
  await host.release(1);
  await expect(dark, 'the next step shows the picture').toHaveCount(0);
  await expect(note).toHaveCount(0);
}

test('a television is paired by its code, and spectators watch for as long as the host lets them', async ({ live, browser }) => {
  const host = await live.host();
  host.watch.allow(/404/);
  await live.guests({ Ann: {} });
  await test.step('a television shows a code, the host types it, and it is a screen from then on', () => pair(host, live, browser));
  await test.step('spectators watch with the code of the game', () => letWatch(host, live, browser));
  host.watch.verify();
});

async function pair(host: Host, live: LiveGame, browser: Browser): Promise<void> {
  const context = await browser.newContext(PROFILE);
  const page = await context.newPage();
  await page.goto(`${live.server.url}/screen`);
  await expect(page.getByRole('heading', { name: 'This screen’s code' })).toBeVisible();
  await isAccessible(page, 'a screen that shows a code');
  await keepPicture(page, 'pairing');
  const code = (await page.locator('span.code').innerText()).replaceAll(/\s/g, '');

  await host.page.getByRole('button', { name: 'Pair a TV' }).click();
  const dialog = host.page.getByRole('dialog', { name: 'Screens' });
  await expect(dialog.getByLabel('Code on the screen'), 'what the drawer was opened for').toBeFocused();
  await host.page.keyboard.type('AAAAAA');
  await host.page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('No screen shows this code.');
  await dialog.getByLabel('Code on the screen').fill(code.toLowerCase());
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog, 'there is nothing left to do in it').toHaveCount(0);
  await expect(host.page.getByText('The screen will show the game in a moment.').last()).toBeVisible();
  await expect(page.getByText('Ann', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Ann', { exact: true })).toBeVisible();
  await host.page.getByRole('button', { name: 'Manage screens' }).click();
  await expect(dialog.getByText('Screen 1').first()).toBeVisible();
  await isAccessible(host.page, 'the screens of a game');
  await keepPicture(host.page, 'screens');
  await dialog.getByRole('button', { name: 'Remove Screen 1' }).click();
  await expect(page.getByRole('status')).toContainText('removed from the game');
  await host.close();
  await context.close();
}

async function letWatch(host: Host, live: LiveGame, browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 412, height: 915 } });
  const page = await context.newPage();
  await page.goto(`${live.server.url}/watch/${live.game.gameCode}`);
  await expect(page.getByRole('heading')).toContainText('Spectators can’t watch');
  await isAccessible(page, 'a spectator who may not watch yet');

  await host.page.getByRole('button', { name: 'Pair a TV' }).click();
  const dialog = host.page.getByRole('dialog', { name: 'Screens' });
  await dialog.getByLabel('Let spectators watch').check();
  await expect(dialog.getByText(`/watch/${live.game.gameCode}`)).toBeVisible();
  await isAccessible(host.page, 'the screens of a game with spectators');
  await keepPicture(host.page, 'allowed');
  await expect(page.getByText('Ann', { exact: true }), 'the page asks again by itself').toBeVisible();
  await keepPicture(page, 'upright');
  await host.page.keyboard.press('Escape');

  await host.start();
  await host.release(1);
  await expect(page.getByText(/Reykjav|capital/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(/capital/).first()).toBeVisible();
  await isAccessible(page, 'a spectator of a question');
  await keepPicture(page, 'question-upright');
  await page.setViewportSize({ width: 915, height: 412 });
  await keepPicture(page, 'question-sideways');
  await expect(host.page.getByRole('button', { name: '1 player' }), 'no spectator is a player').toBeVisible();

  await host.open('screens');
  await dialog.getByLabel('Let spectators watch').uncheck();
  await expect(page.getByRole('status')).toContainText('Watching has ended');
  await page.reload();
  await expect(page.getByRole('heading')).toContainText('Watching has ended');
  await isAccessible(page, 'a spectator who may not watch any more');
  await context.close();
}
