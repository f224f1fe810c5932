// What a page shows before its script runs: its name at once, the form before the game's part; a sentence without JavaScript, and one in
// a browser that cannot start the page.

import type { Browser } from '@playwright/test';

import { BROWSER_NAMES } from '../../first.ts';
import { isNotTooWide } from '../support/checks.ts';
import { gate } from '../support/gate.ts';
import { expect, test } from '../support/livegame.ts';

/** The words in a language that the pages have, and in one that they have not. They and the script that shows them are the same on all
 * pages (first.test.ts). */
const OLD = [
  ['de-AT', 'Diese Seite kann nicht starten.', '/host'],
  ['pl', 'This page can’t start.', '/results'],
] as const;

test('a page shows its name at once, asks for the game’s part once the form is drawn, leads hosts on, and says what it needs where it cannot start', async ({ live, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { url } = live.server;

  await test.step('a page whose script is still on its way shows its name', async () => {
    await page.route(/assets\/index-.*js/, () => undefined);
    await page.goto(`${url}/`, { waitUntil: 'commit' });
    await expect(page.getByText('Quizhall', { exact: true })).toBeVisible();
    await page.unroute(/assets\/index-.*js/);
  });

  await test.step('only the form without a code leads to the page of the host', async () => {
    const link = page.getByRole('link', { name: 'Host a quiz' });
    await page.goto(`${url}/?code=${live.game.gameCode}`);
    await expect(page.getByLabel('Your name')).toBeVisible();
    await expect(link).toBeHidden();
    await page.goto(`${url}/`);
    const asked = page.waitForResponse(/sign-in-methods/);
    await link.click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await asked;
    await expect(page.getByRole('button', { name: 'Sign in with your organisation' }), 'there is no provider').toHaveCount(0);
  });

  await test.step('the game’s part is asked for once the form is drawn', async () => {
    const { opened, open } = gate();
    let asked = false;
    await page.route(/assets\/game-/, async (route) => {
      asked = true;
      await opened;
      await route.continue();
    });
    const response = await page.goto(`${url}/?code=${live.game.gameCode}`);
    expect(await response?.text()).not.toContain('game-');
    await page.getByLabel('Your name').fill('Ann');
    await expect.poll(() => asked).toBe(true);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Joining…' })).toBeVisible();
    open();
    await expect(page.getByRole('heading', { name: 'You’re in, Ann' })).toBeVisible();
  });
  await context.close();
  await test.step('a page that cannot start says what it needs', () => cannotStart(browser, url));
});

/** Without JavaScript, in each language; and in a browser that cannot read the script. */
async function cannotStart(browser: Browser, url: string): Promise<void> {
  const viewport = { width: 320, height: 568 };
  const without = await browser.newContext({ javaScriptEnabled: false, viewport });
  const still = await without.newPage();
  await still.goto(url);
  await expect(still.locator('noscript [lang=en]')).toContainText('needs JavaScript');
  for (const language of ['de', 'es', 'fr']) await expect(still.locator(`noscript [lang=${language}]`)).toBeVisible();
  await expect(still.getByText(/^This page can’t start/)).toBeHidden();
  await without.close();

  for (const [locale, words, path] of OLD) {
    const context = await browser.newContext({ locale, viewport });
    const page = await context.newPage();
    await page.route(/assets\/.*js/, (route) => route.fulfill({ contentType: 'text/javascript', body: 'an older | > browser' }));
    await page.goto(url + path);
    await expect(page.getByText(words), locale).toContainText(BROWSER_NAMES);
    await isNotTooWide(page, path);
    await context.close();
  }
}
