// What a page shows before its script runs: its name at once, the form before the game's part; a sentence without JavaScript, and one in
// a browser that cannot start the page.

import { BROWSER_NAMES } from '../../first.ts';
import { isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';

const PAGES = ['/', '/host', '/screen', '/results'];

test('the game’s part is asked for once the form is drawn', async ({ live, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  let letThrough: () => void = () => undefined;
  const wait = new Promise<void>((done) => {
    letThrough = done;
  });
  let asked = false;
  await page.route(/assets\/game-/, async (route) => {
    asked = true;
    await wait;
    await route.continue();
  });
  const response = await page.goto(`${live.server.url}/?code=${live.game.gameCode}`);
  expect(await response?.text()).not.toContain('game-');
  await page.getByLabel('Your name').fill('Ann');
  await expect.poll(() => asked).toBe(true);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Joining…' })).toBeVisible();
  letThrough();
  await expect(page.getByRole('heading', { name: 'You’re in, Ann' })).toBeVisible();
  await context.close();
});

test('only the form without a code leads to the page of the host', async ({ live, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const link = page.getByRole('link', { name: 'Host a quiz' });
  await page.goto(`${live.server.url}/?code=${live.game.gameCode}`);
  await expect(page.getByLabel('Your name')).toBeVisible();
  await expect(link).toBeHidden();
  await page.goto(`${live.server.url}/`);
  await link.click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.close();
});

test('a page whose script is still on its way shows its name', async ({ live, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route(/assets\/index-.*js/, () => undefined);
  await page.goto(`${live.server.url}/`, { waitUntil: 'commit' });
  await expect(page.getByText('Quizhall', { exact: true })).toBeVisible();
  await context.close();
});

test('without JavaScript each page says what it needs, in each language', async ({ live, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 568 } });
  const page = await context.newPage();
  for (const path of PAGES) {
    await page.goto(live.server.url + path);
    for (const language of ['en', 'de', 'es', 'fr']) {
      await expect(page.locator(`noscript [lang=${language}]`)).toBeVisible();
    }
    await expect(page.getByText(/^This page can’t start/)).toBeHidden();
  }
  await context.close();
});

for (const [locale, words] of [
  ['en-GB', 'This page can’t start.'],
  ['de-AT', 'Diese Seite kann nicht starten.'],
  ['pl', 'This page can’t start.'],
] as const) {
  test(`a browser that cannot read the script gets a sentence: ${locale}`, async ({ live, browser }) => {
    const context = await browser.newContext({ locale, viewport: { width: 320, height: 568 } });
    const page = await context.newPage();
    await page.route(/assets\/.*js/, (route) => route.fulfill({ contentType: 'text/javascript', body: 'an older | > browser' }));
    for (const path of PAGES) {
      await page.goto(live.server.url + path);
      await expect(page.getByText(words)).toContainText(BROWSER_NAMES);
      await isNotTooWide(page, path);
    }
    await context.close();
  });
}
