// A host from the first start: the set-up link, the end of a session, writing a quiz by keyboard. The evening after it: presses.spec.ts.

import type { Locator, Page } from '@playwright/test';

import { HOST } from '../support/api.ts';
import { CONNECTION_LOST, isAccessible } from '../support/checks.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Host } from '../support/host.ts';
import { keepPicture } from '../support/pictures.ts';
import { Server } from '../support/server.ts';

test('the first start: the link makes the account, leaves the address bar, and works once', async ({ browser }) => {
  await using server = await Server.start();
  await using host = await Host.open(browser, server.setUpLink);
  const { page } = host;
  await expect(page).toHaveURL(`${server.url}/setup`);
  await isAccessible(page, 'host, set-up');
  await page.getByLabel('Name').fill(HOST.name);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('3 more characters are needed.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(HOST.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: `Good to see you, ${HOST.name}` })).toBeVisible();
  // On a browser that knows nothing of the account.
  await page.evaluate(() => {
    localStorage.clear();
  });
  host.watch.allow(/status of 40[0-9]/);
  await page.goto(server.setUpLink);
  await page.getByLabel('Name').fill('ben');
  await page.getByLabel('Password', { exact: true }).fill(HOST.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('This link has already been used')).toBeVisible();
  await isAccessible(page, 'host, set-up link used');
  host.watch.verify();
});

/** At the page of a game, with the host signed out from another tab. */
async function signsInAgain(host: Host, url: string): Promise<void> {
  const place = host.page.url();
  host.watch.allow(/status of 401/, /WebSocket/);
  const elsewhere = await host.context.newPage();
  await elsewhere.goto(`${url}/host`);
  await elsewhere.getByRole('button', { name: `Account: ${HOST.name}` }).click();
  await elsewhere.getByRole('button', { name: 'Sign out' }).click();
  await elsewhere.close();
  await expect(host.page.getByText('You signed out in another tab.')).toBeVisible();
  await isAccessible(host.page, 'host, signed out');
  await host.page.getByLabel('Name').fill(HOST.name);
  await host.page.getByLabel('Password', { exact: true }).fill('not the password');
  await host.page.locator('form button[type=submit]').click();
  await expect(host.page.getByText('Wrong name or password.')).toBeVisible();
  await host.signIn();
  await host.isConnected();
  await expect(host.page).toHaveURL(place);
}

test('a session that ends goes on at the same place; a quiz is written with the keyboard, undone, moved, reloaded, and kept while the server is away', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await test.step('a session that ends in the middle asks for the password', () => signsInAgain(host, live.server.url));
  await page.goto(`${live.server.url}/host`);
  await page.getByRole('button', { name: 'New quiz' }).click();
  await page.getByLabel('Quiz title').fill('By hand');
  const text: TextOf = (number) => page.getByLabel(`Text of question ${String(number)}`);
  await expect(text(1)).toBeVisible();
  await text(1).fill('What is the capital of Peru?');
  await page.getByLabel('Accepted answer 1').fill('Lima');
  await text(1).focus();
  await page.keyboard.press('Enter');
  await text(2).fill('How many sides has a cube?');
  await test.step('Ctrl+Enter adds a question, also where Enter adds something else', () => addsByKey(page, text));
  await test.step('a click into the preview leaves the keys with the open question', () => keepsKeys(page, text));
  await test.step('a question is worth one point, and the round and the quiz say what is usual', () => setsPoints(host));
  await isAccessible(page, 'host, editor with an open question');
  await page.getByLabel('Answer type').selectOption('Number');
  await page.getByLabel('Accepted answer 1').fill('six');
  await page.getByRole('button', { name: '1 thing to finish' }).click();
  await expect(page.getByText('Every accepted answer must be a number.').first()).toBeVisible();
  await isAccessible(page, 'host, editor with a mistake');
  await page.getByLabel('Accepted answer 1').fill('6');
  await test.step('moved by Alt and an arrow, taken back by Ctrl+Z', async () => {
    await text(2).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(text(1)).toHaveValue('How many sides has a cube?');
    await page.keyboard.press('Control+z');
    await expect(text(2)).toHaveValue('How many sides has a cube?');
  });
  await host.isSaved();
  await page.reload();
  await expect(page.getByText('How many sides has a cube?').first()).toBeVisible();
  await test.step('the preview stays below the bar and within the window', () => staysBelow(page));
  await test.step('without a server', () => writesInTheDark(live, host));
  host.watch.verify();
});

type TextOf = (number: number) => Locator;

async function addsByKey(page: Page, text: TextOf): Promise<void> {
  await page.getByLabel('Accepted answer 1').fill('6');
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByLabel('Accepted answer 2')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(text(3)).toBeFocused();
  // In a question that is still empty it adds no other one, which would only be empty too.
  await page.getByLabel('Points', { exact: true }).focus();
  await page.keyboard.press('Control+Enter');
  await expect(text(3)).toBeFocused();
  await page.getByLabel('Quiz title').focus();
  await page.keyboard.press('Control+Enter');
  await expect(text(3)).toBeFocused();
  await expect(page.getByTestId('question')).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('question')).toHaveCount(2);
}

async function keepsKeys(page: Page, text: TextOf): Promise<void> {
  await text(2).click();
  await page.getByRole('complementary').locator('article h2').click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('question')).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('question')).toHaveCount(2);
}

async function setsPoints(host: Host): Promise<void> {
  const { page } = host;
  const each = page.getByLabel('Points per question in the whole quiz');
  const inRound = page.getByLabel('Points per question in round 1');
  const own = page.getByTestId('question').nth(1).locator('[data-part=points]');
  const line = page.getByTestId('question').first();
  await own.fill('5');
  await expect(line).toContainText('1 point');
  await host.settings(1);
  await inRound.fill('2');
  await inRound.press('Enter');
  await page.keyboard.press('Escape');
  await expect(own).toHaveValue('5');
  await expect(line).toContainText('2 points');
  await own.fill('2');
  await host.settings();
  await expect(each).toHaveValue('2');
  await each.fill('10');
  await each.press('Enter');
  await isAccessible(page, 'host, the settings of the quiz');
  await page.keyboard.press('Escape');
  await expect(own).toHaveValue('10');
  await keepPicture(page, 'editor');
  await page.keyboard.press('Control+z');
  await expect(own).toHaveValue('2');
}

async function staysBelow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1180, height: 640 });
  const preview = page.getByRole('complementary');
  await expect(preview).toBeVisible();
  const bar = page.locator('.bar');
  /** At the end of the page, after two frames, the preview is below the bar and fits into the window. */
  const isBelow = async (): Promise<void> => {
    await page.evaluate(async () => {
      scrollTo(0, document.body.scrollHeight);
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    });
    const [above, box] = [await bar.boundingBox(), await preview.boundingBox()];
    expect(box?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
  };
  await isBelow();
  await expect(preview.getByText('Ctrl+Enter')).toBeInViewport({ ratio: 1 });
  await keepPicture(page, 'preview');
  await bar.evaluate((element) => {
    element.style.setProperty('padding-block', '3rem');
  });
  await isBelow();
  await bar.evaluate((element) => {
    element.style.removeProperty('padding-block');
  });
}

async function writesInTheDark(live: LiveGame, host: Host): Promise<void> {
  const { page } = host;
  host.watch.allow(CONNECTION_LOST);
  const title = page.getByLabel('Quiz title');
  await live.server.kill();
  await title.fill('Written in the dark');
  await expect(page.getByText(/Not saved: .*server/).first()).toBeVisible();
  await isAccessible(page, 'host, editor without a server');
  await live.server.start();
  await host.isSaved({ timeout: 30_000 });
  await page.reload();
  await expect(title).toHaveValue('Written in the dark');
}
