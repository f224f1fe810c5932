// The account page and the page of all accounts: names, passwords, sessions, webhooks, tokens, and the rights of each role.

import type { Browser, Page } from '@playwright/test';

import type { Session, WebhookDeliveryList } from '../../sdk/src/generated/protocol.ts';
import { HOST } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';

const NARROW = { width: 320, height: 640 } as const;
const BERT = { name: 'Bert', password: 'a first password' } as const;

test.use({ settings: { WEBHOOK_HOSTS: 'hooks.example.org' } });

test('an owner has webhooks and tokens, and looks after accounts; a host has no page of accounts, changes name and password, and signs out everywhere', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  const { page } = host;
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
  await isAccessible(page, 'the account page');
  await keepPicture(page, 'account');
  await test.step('a webhook is added', () => addWebhook(page));
  await test.step('a token for a program is limited to what was chosen', () => useToken(page, live.server.url));
  await test.step('their secrets are shown once; a token is revoked', () => forgetSecrets(page, live.server.url));
  await test.step('deliveries are listed and sent again', () => sendAgain(page));
  await test.step('keys are replaced, and the webhook is deleted', () => replaceKeys(page));
  await test.step('accounts are made and changed', () => changeAccounts(page));
  await test.step('a host has no page of accounts, and an account of its own', async () => {
    await using bert = await signedIn(live, browser);
    await expect(bert.page.getByText('Only owners can manage accounts.')).toBeVisible();
    await bert.page.goto(`${live.server.url}/host/account`);
    await expect(bert.page.getByText('Host: own quizzes and games only')).toBeVisible();
    await expect(bert.page.getByRole('link', { name: 'Manage accounts' })).toHaveCount(0);
    await changePassword(bert.page);
  });
  await page.getByRole('button', { name: 'Remove: Bert' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('The account was removed.');
  await expect(page.getByRole('button', { name: 'Remove: Bert' })).toHaveCount(0);
});

async function addWebhook(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('https://example.net/');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText('This address can’t be called.')).toBeVisible();
  await page.getByLabel('Address').fill('https://hooks.example.org/quiz');
  await page.getByLabel('The points of a round are out').check();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
}

/** The status that the server answers to a program with this token. */
async function asked(page: Page, url: string, token: string, method = 'GET'): Promise<number> {
  return (await page.request.fetch(`${url}/api/v1/games`, { method, headers: { Authorization: `Bearer ${token}` } })).status();
}

async function useToken(page: Page, url: string): Promise<void> {
  await expect(page.getByLabel('What is it for?')).toBeHidden();
  await page.getByText('Tokens for programs').click();
  await page.getByLabel('What is it for?').fill('Scoreboard');
  await page.getByLabel('Read quizzes, games and results').uncheck();
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('Choose at least one.')).toBeVisible();
  await page.getByLabel('Read quizzes, games and results').check();
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByText(/^qk_/).innerText();
  await expect(page.getByText('Never used')).toBeVisible();
  expect([await asked(page, url, token), await asked(page, url, token, 'POST')]).toEqual([200, 403]);
  await isAccessible(page, 'a new webhook and a new token');
  await keepPicture(page, 'secrets');
}

async function forgetSecrets(page: Page, url: string): Promise<void> {
  const token = await page.getByText(/^qk_/).innerText();
  await page.reload();
  await expect(page.getByText('The points of a round are out · A game ends')).toBeVisible();
  await page.getByText('Tokens for programs').click();
  await expect(page.getByText(/^Last used/)).toBeVisible();
  await expect(page.getByText(/^(whsec|qk)_/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke: Scoreboard' }).click();
  await expect(page.getByText('Scoreboard')).toHaveCount(0);
  expect(await asked(page, url, token)).toBe(401);
}

async function sendAgain(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Deliveries' }).click();
  await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByText('Test event', { exact: true })).toBeVisible();
  // There is no such host; the list shows that by itself.
  await expect(page.getByText(/Given up · (no answer|address not allowed)/)).toBeVisible();
  await page.setViewportSize(NARROW);
  await isAccessible(page, 'the account page with deliveries at 320 px');
  await keepPicture(page, 'deliveries-320');
  // The server gives it up at once, maybe before the page reads the list: the first reading says what the server knew before that.
  await page.route(/deliveries$/, async (route) => {
    const answer = await route.fetch();
    const { deliveries } = (await answer.json()) as WebhookDeliveryList;
    const at = new Date().toISOString();
    await route.fulfill({ response: answer, json: { deliveries: deliveries.map((each) => ({ ...each, state: 'waiting', at })) } });
  }, { times: 1 });
  await page.getByRole('button', { name: 'Send again: Test event' }).click();
  await expect(page.getByText(/Waiting/)).toBeVisible();
  await expect(page.getByText(/Given up · /)).toBeVisible();
  await expect(page.getByText('Test event', { exact: true })).toHaveCount(1);
}

async function replaceKeys(page: Page): Promise<void> {
  const key = page.getByText(/^whsec_/);
  const replace = page.getByRole('button', { name: 'Replace key' });
  const keys = new Set<string>();
  for (let replaced = 1; replaced <= 4; replaced += 1) {
    await replace.click();
    await expect.poll(async () => keys.add(await key.innerText()).size).toBe(replaced);
  }
  await replace.click();
  await expect(page.getByText('The key was replaced 4 times in a day.')).toBeVisible();
  await page.setViewportSize(LAPTOP);
  await page.getByRole('button', { name: 'Delete webhook: https://hooks.example.org/quiz' }).click();
  await expect(page.getByText('https://hooks.example.org/quiz')).toHaveCount(0);
}

async function changeAccounts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Manage accounts' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bob');
  await page.getByLabel('Password', { exact: true }).fill(BERT.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('The account was created.');
  await expect(page.getByRole('button', { name: 'Change: Bob' })).toBeVisible();
  await isAccessible(page, 'the accounts');
  await keepPicture(page, 'accounts');
  await page.setViewportSize(NARROW);
  await isAccessible(page, 'the accounts at 320 px');
  await keepPicture(page, 'accounts-320');

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Change: Bob' }).click();
  await isAccessible(page, 'changing an account at 320 px');
  await dialog.getByLabel('Name').fill(BERT.name);
  await dialog.getByLabel('Role').selectOption('owner');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change: Bert' }).click();
  await dialog.getByLabel('Role').selectOption('host');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);

  // The last owner cannot be removed.
  await page.getByRole('button', { name: `Remove: ${HOST.name}` }).click();
  await dialog.getByRole('button', { name: 'Remove account' }).click();
  await expect(dialog.getByText('That’s not possible')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

/** The account that was made and renamed, at the page of all accounts. */
async function signedIn({ server: { url } }: LiveGame, browser: Browser): Promise<Host> {
  const answer = await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(BERT) });
  return Host.open(browser, `${url}/host/accounts`, { session: (await answer.json()) as Session });
}

async function changePassword(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Berta');
  await page.getByRole('button', { name: 'Change name' }).click();
  await expect(page.locator('header').getByText('Berta')).toBeVisible();

  await page.getByLabel('Old password').fill('not the old one');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText(/more character/)).toBeVisible();
  await page.getByLabel('New password').fill('a new evening with friends');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('The old password is wrong.')).toBeVisible();
  await page.getByLabel('Old password').fill(BERT.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('region', { name: 'Message' }).getByText('The password was changed.')).toBeVisible();
  await expect(page.getByText('This session')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
}
