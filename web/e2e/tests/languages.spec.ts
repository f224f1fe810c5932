// Four languages, the smallest phone, right to left, and 200 % zoom: nothing is too wide, and no text is left in English.

import { expect, type Page } from '@playwright/test';

import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

const LANGUAGES = ['de', 'es', 'fr'] as const;

/** Twice the size on the same screen, so half the space. */
async function zoomed(page: Page, state: string): Promise<void> {
  const size = page.viewportSize();
  if (!size) throw new Error('no viewport');
  await page.setViewportSize({ width: Math.round(size.width / 2), height: Math.round(size.height / 2) });
  await isNotTooWide(page, `${state}, zoomed to 200 %`);
  await page.setViewportSize(size);
}

/** The page of the host in each of these languages, in which it then stays, as its menu changes them. */
async function inEachLanguage({ page }: Host, codes: readonly string[], holds: (code: string) => Promise<void>): Promise<void> {
  for (const code of codes) {
    await page.getByRole('banner').first().locator('button.opener').click();
    await page.locator('[data-menu] select').first().selectOption(code);
    await page.keyboard.press('Escape');
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await expect(page.locator('[data-step] button').first()).toBeEnabled();
    await holds(code);
  }
}

/** The page of a phone in each language, as its owner chooses it at the foot of the page. */
async function chosen({ page }: Phone, holds: (code: string) => Promise<void>): Promise<void> {
  for (const code of LANGUAGES) {
    await page.locator('footer select').first().selectOption(code);
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await holds(code);
  }
}

/** A phone speaks its language by itself, and joins. The form in the other languages: narrow.spec.ts. */
async function joinsInFrench(live: LiveGame): Promise<Phone> {
  const phone = await live.visitor({ size: SMALL_PHONE, locale: 'fr-FR' });
  await expect(phone.page.locator('html')).toHaveAttribute('lang', 'fr');
  await isAccessible(phone.page, 'phone, join, fr');
  await phone.page.getByLabel('Ton nom').fill('Maximiliane-Josephine');
  await phone.page.getByRole('button', { name: 'Rejoindre', exact: true }).click();
  await expect(phone.page.locator('main')).toHaveAttribute('data-scene', 'lobby');
  await chosen(phone, (code) => isAccessible(phone.page, `phone, lobby, ${code}`));
  return phone;
}

test('a phone speaks its language by itself, and so does the host’s page; both stand in each, and from right to left', async ({ live }) => {
  const host = await live.host({ locale: 'de-DE' });
  await expect(host.page.locator('html')).toHaveAttribute('lang', 'de');
  const inAll = (codes: readonly string[], state: string) => inEachLanguage(host, codes, (code) => isAccessible(host.page, `host, ${state}, ${code}`));
  await isAccessible(host.page, 'host, lobby, de');
  await inAll(['es', 'fr'], 'lobby');
  const phone = await joinsInFrench(live);
  await test.step('the language that is chosen on the page is remembered', async () => {
    await phone.page.locator('footer select').first().selectOption('es');
    await phone.page.reload();
    await expect(phone.page.locator('html')).toHaveAttribute('lang', 'es');
  });
  await host.start();
  await host.release(2);
  await phone.question(2).waitFor();
  await chosen(phone, async (code) => {
    await isAccessible(phone.page, `phone, questions, ${code}`);
    await zoomed(phone.page, `phone, questions, ${code}`);
  });
  await phone.choose(2, 'Jupiter');
  await phone.hasStored(2);
  await inEachLanguage(host, ['fr', 'es', 'de'], async (code) => {
    await isAccessible(host.page, `host, questions, ${code}`);
    await zoomed(host.page, `host, questions, ${code}`);
  });
  await test.step('from right to left', async () => {
    await host.page.goto(`${live.server.url}/host/games/${live.game.id}?dir=rtl`);
    await host.isConnected();
    await isAccessible(host.page, 'host, questions, right to left');
    await phone.page.goto(`${live.server.url}/?dir=rtl`);
    await phone.question(2).waitFor();
    await isAccessible(phone.page, 'phone, questions, right to left');
  });
  // With all questions asked the round ends by its button, in any language.
  await host.release();
  await host.endRound();
  await inAll(['es', 'fr', 'de'], 'marking');
  await host.releaseScores();
  await expect(phone.page.getByTestId('tally')).toBeVisible();
  await chosen(phone, (code) => isAccessible(phone.page, `phone, board, ${code}`));
  phone.watch.verify();
});
