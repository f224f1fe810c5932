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

test('a host signs in with the provider and lands on the page that was wanted; others and used links are refused', async ({ page }) => {
  await using provider = await Provider.start();
  await using server = await Server.start(settings(provider));
  await test.step('an account that is not allowed is refused, and a link that was used is of no use', async () => {
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

  await test.step('an account that is allowed lands on the page that was wanted', async () => {
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

  await test.step('it has no password to change', async () => {
    await page.goto(`${server.url}/host/account`);
    await expect(page.getByText('This account has no password here.')).toBeVisible();
    await expect(page.getByLabel('Old password')).toHaveCount(0);
    await expect(page.getByText('Webhooks are off on this service.')).toBeVisible();
    await isAccessible(page, 'the account page of a provider’s account');
  });
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

const ANN = { email: 'ann@example.org', email_verified: true, name: 'Ann', groups: ['staff', 'quiz-hosts'] };

test('an account of oidc-provider with its defaults signs in by its domain and its group', async ({ page }) => {
  await using provider = await DefaultProvider.listen();
  await using server = await Server.start({
    PUBLIC_URL: '{url}',
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ALLOWED_DOMAINS: 'example.org',
    OIDC_ALLOWED_GROUPS: 'quiz-hosts',
  });
  provider.serve(`${server.url}/host/signed-in`, ANN);
  await throughDefaultProvider(page, server, 'ann');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`^${server.url}/host`));
  await expect.poll(() => page.evaluate(() => localStorage.getItem('quizhall.host'))).toContain('"name":"Ann"');
});
