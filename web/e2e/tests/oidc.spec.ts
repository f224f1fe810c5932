// Signing in with an identity provider: the button, the way there and back, and the message when it fails.

import { expect, type Page, test } from '@playwright/test';

import { isAccessible } from '../support/checks.ts';
import { CLIENT, DefaultProvider } from '../support/oidcprovider.ts';
import { Provider } from '../support/provider.ts';
import { Server } from '../support/server.ts';

const settings = (provider: Provider) => ({
  PUBLIC_URL: '{url}',
  OIDC_ISSUER: provider.url,
  OIDC_CLIENT_ID: 'quizhall',
  OIDC_ALLOWED_DOMAINS: 'example.org',
});
const BUTTON = 'Sign in with your organisation';

test('a host signs in with the provider and lands on the page that was wanted', async ({ page }) => {
  await using provider = await Provider.start();
  await using server = await Server.start(settings(provider));
  await page.goto(`${server.url}/host/quizzes/new-1`);
  await isAccessible(page, 'the sign-in with a provider');
  await page.getByRole('button', { name: BUTTON }).click();
  await page.getByRole('link', { name: 'Go on as ann@example.org' }).click();
  await expect(page).toHaveURL(`${server.url}/host/quizzes/new-1`);
  await page.goto(`${server.url}/host`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('quizhall.host'))).toContain('"name":"Ann"');
  await page.goBack();
  expect(page.url()).not.toContain('code=');
});

test('an account that is not allowed is refused, and a link that was used is of no use', async ({ page }) => {
  await using provider = await Provider.start();
  await using server = await Server.start(settings(provider));
  await page.goto(`${server.url}/host`);
  await page.getByRole('button', { name: BUTTON }).click();
  await page.getByRole('link', { name: 'Go on as eve@example.net' }).click();
  await expect(page.getByRole('status')).toContainText('can’t sign in here');
  await isAccessible(page, 'a refused account');
  await page.goto(`${server.url}/host/signed-in?code=used&state=used`);
  await expect(page.getByRole('status')).toContainText('didn’t work');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: BUTTON })).toBeVisible();
});

/** Through the pages of `oidc-provider`: the name of the person, and the consent for the service. */
async function throughDefaultProvider(page: Page, server: Server, login: string): Promise<void> {
  // Its pages request fonts from another origin.
  await page.route(/^https:/, (route) => route.abort());
  await page.goto(`${server.url}/host`);
  await page.getByRole('button', { name: BUTTON }).click();
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const ofDefaultProvider = (provider: DefaultProvider, more: Readonly<Record<string, string>>) => ({
  PUBLIC_URL: '{url}',
  OIDC_ISSUER: provider.url,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  ...more,
});

const ANN = { email: 'ann@example.org', email_verified: true, name: 'Ann', groups: ['staff', 'quiz-hosts'] };

for (const [by, setting] of Object.entries({
  'its domain': { OIDC_ALLOWED_DOMAINS: 'example.org' },
  'its group': { OIDC_ALLOWED_GROUPS: 'quiz-hosts' },
  nothing: { OIDC_ALLOWED_DOMAINS: '*' },
})) {
  test(`an account of oidc-provider with its defaults signs in by ${by}`, async ({ page }) => {
    await using provider = await DefaultProvider.listen();
    await using server = await Server.start(ofDefaultProvider(provider, setting));
    provider.serve(`${server.url}/host/signed-in`, ANN);
    await throughDefaultProvider(page, server, 'ann');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`^${server.url}/host`));
    await expect.poll(() => page.evaluate(() => localStorage.getItem('quizhall.host'))).toContain('"name":"Ann"');
  });
}

test('an account of oidc-provider with its defaults is refused by another domain', async ({ page }) => {
  await using provider = await DefaultProvider.listen();
  await using server = await Server.start(ofDefaultProvider(provider, { OIDC_ALLOWED_DOMAINS: 'example.net' }));
  provider.serve(`${server.url}/host/signed-in`, ANN);
  await throughDefaultProvider(page, server, 'ann');
  await expect(page.getByRole('status')).toContainText('can’t sign in here');
});

test('without a provider there is no button', async ({ page }) => {
  await using server = await Server.start();
  const asked = page.waitForResponse(/sign-in-methods/);
  await page.goto(`${server.url}/host`);
  await asked;
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: BUTTON })).toHaveCount(0);
});
