// A screen in a separate browser profile, paired by its code or opened by its link: it is the same after a reload in every state, dark while
// the host wants it, needs no page of the host, and ends when it is removed. And spectators, who watch for as long as the host lets them.

import type { Browser, Page } from '@playwright/test';

import { HostApi } from '../../sdk/src/hostapi.ts';
import { comesBackSoon, isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { PROFILE } from '../support/screen.ts';

test('a screen is paired by its code or has a link, is the same after a reload in every state, and spectators watch while they may', async ({ live, browser }) => {
  await live.guests({ Ann: { 'Which city is the capital of Iceland?': 'Reykjavik' } });
  const api = new HostApi(live.server.url, live.token);
  const host = await live.host();
  host.watch.allow(/404/);
  const context = await browser.newContext(PROFILE);
  await comesBackSoon(context);
  const page = await context.newPage();
  await test.step('a television shows a code, the host types it, and it is a screen until it is removed', () => pair(host, page, live));
  const { screenId, url } = await api.addScreen(live.game.id);
  await page.goto(`${live.server.url}/screen${new URL(url).hash}`);
  const holds = async (state: string, text: string | RegExp): Promise<void> => {
    for (const again of [false, true]) {
      if (again) await page.reload();
      await expect(page.getByText(text).first(), `${state}${again ? ', after a reload' : ''}`).toBeVisible();
    }
    await isAccessible(page, `a screen of its own, ${state}`);
  };
  await holds('lobby', 'Ann');
  const spectator = await test.step('spectators watch once the host lets them', () => letWatch(host, live, browser));
  await host.start();
  await holds('round', 'Warming up');
  await test.step('B darkens the screen until the next step, or until B again', () => darken(host, page));
  await holds('question', '1 of 1 answered');
  expect(await page.locator('body').innerText(), 'no key before its time').not.toContain('Reykjav');
  await test.step('spectators watch no longer', () => endWatching(host, spectator));
  await host.endRound();
  await holds('review', /Marking/);
  await host.releaseScores();
  await holds('answer', 'Reykjavík');
  await host.showNext();
  await holds('standings', 'Ann');
  host.watch.verify();
  await host.page.close();
  await page.reload();
  await expect(page.getByText('Ann').first(), 'without the page of the host').toBeVisible();
  await test.step('stream software sees through the overlay', () => isOverlay(page, `${live.server.url}/screen?overlay${new URL(url).hash}`));

  await api.removeScreen(live.game.id, screenId);
  await expect(page.getByRole('status')).toContainText('removed from the game');
  await page.reload();
  await expect(page.getByRole('heading')).toContainText('removed from the game');
  await isAccessible(page, 'a screen of its own, removed');
  await context.close();
});

async function pair(host: Host, page: Page, live: LiveGame): Promise<void> {
  await page.goto(`${live.server.url}/screen`);
  await expect(page.getByRole('heading', { name: 'This screen’s code' })).toBeVisible();
  await isAccessible(page, 'a screen that shows a code');
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
  await dialog.getByRole('button', { name: 'Remove Screen 1' }).click();
  await expect(page.getByRole('status')).toContainText('removed from the game');
  await host.close();
}

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

/** Resolves to the page of a spectator. */
async function letWatch(host: Host, live: LiveGame, browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 412, height: 915 } });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${live.server.url}/watch/${live.game.gameCode}`);
  await expect(page.getByRole('heading')).toContainText('Spectators can’t watch');
  await isAccessible(page, 'a spectator who may not watch yet');

  await host.page.getByRole('button', { name: 'Manage screens' }).click();
  const dialog = host.page.getByRole('dialog', { name: 'Screens' });
  await dialog.getByLabel('Let spectators watch').check();
  await expect(dialog.getByText(`/watch/${live.game.gameCode}`)).toBeVisible();
  await isAccessible(host.page, 'the screens of a game with spectators');
  await page.clock.fastForward(30_000);
  await expect(page.getByText('Ann', { exact: true }), 'the page asks again by itself').toBeVisible();
  await host.close();
  return page;
}

async function endWatching(host: Host, page: Page): Promise<void> {
  await page.reload();
  await expect(page.getByText(/capital/).first()).toBeVisible();
  await isAccessible(page, 'a spectator of a question');
  await expect(host.page.getByRole('button', { name: /^1 player/ }), 'no spectator is a player').toBeVisible();
  const dialog = await host.open('screens');
  await dialog.getByLabel('Let spectators watch').uncheck();
  await expect(page.getByRole('status')).toContainText('Watching has ended');
  await page.reload();
  await expect(page.getByRole('heading')).toContainText('Watching has ended');
  await isAccessible(page, 'a spectator who may not watch any more');
  await host.close();
  await page.context().close();
}

async function isOverlay(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByText('Ann', { exact: true }).first()).toBeVisible();
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(ground).toBe('rgba(0, 0, 0, 0)');
  await page.goto(address.replace('?overlay', ''));
  await expect(page.getByText('Ann', { exact: true }).first()).toBeVisible();
}
