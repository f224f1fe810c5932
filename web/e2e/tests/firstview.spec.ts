// What a page shows before its script runs: its name at once, the form before the game's part; a sentence without JavaScript, and one in
// a browser that cannot start the page.

import { BROWSER_NAMES } from '../../first.ts';
import { isNotTooWide } from '../support/checks.ts';
import { gate } from '../support/gate.ts';
import { expect, test } from '../support/livegame.ts';
import { Server } from '../support/server.ts';

const PAGES = ['/', '/host', '/screen', '/results'];

/** The words for each language of a browser. They and the script that shows them are the same on all pages (first.test.ts). */
const OLD = [
  ['en-GB', 'This page can’t start.', PAGES],
  ['de-AT', 'Diese Seite kann nicht starten.', ['/host']],
  ['pl', 'This page can’t start.', ['/']],
] as const;

test('a page shows its name at once, asks for the game’s part once the form is drawn, and leads hosts on from the form without a code', async ({ live, browser }) => {
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
});

test('each page that cannot start says what it needs, without JavaScript and in an old browser', async ({ browser }) => {
  await using server = await Server.start();
  const viewport = { width: 320, height: 568 };
  await test.step('without JavaScript, in each language', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport });
    const page = await context.newPage();
    for (const path of PAGES) {
      await page.goto(server.url + path);
      await expect(page.locator('noscript [lang=en]')).toContainText('needs JavaScript');
      for (const language of ['de', 'es', 'fr']) {
        await expect(page.locator(`noscript [lang=${language}]`)).toBeVisible();
      }
      await expect(page.getByText(/^This page can’t start/)).toBeHidden();
    }
    await context.close();
  });

  for (const [locale, words, paths] of OLD) {
    await test.step(`in a browser that cannot read the script: ${locale}`, async () => {
      const context = await browser.newContext({ locale, viewport });
      const page = await context.newPage();
      await page.route(/assets\/.*js/, (route) => route.fulfill({ contentType: 'text/javascript', body: 'an older | > browser' }));
      for (const path of paths) {
        await page.goto(server.url + path);
        await expect(page.getByText(words)).toContainText(BROWSER_NAMES);
        await isNotTooWide(page, path);
      }
      await context.close();
    });
  }
});
