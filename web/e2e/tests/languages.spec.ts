// Four languages, the smallest phone, right to left, and 200 % zoom: nothing is too wide, and no text is left in English.

import { expect, type Page } from '@playwright/test';

import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

const LANGUAGES = [
  { locale: 'de-DE', code: 'de', name: 'Dein Name', join: 'Mitspielen' },
  { locale: 'es-ES', code: 'es', name: 'Tu nombre', join: 'Entrar' },
  { locale: 'fr-FR', code: 'fr', name: 'Ton nom', join: 'Rejoindre' },
] as const;

/** Twice the size on the same screen, so half the space. */
async function zoomed(page: Page, state: string): Promise<void> {
  const size = page.viewportSize();
  if (!size) throw new Error('no viewport');
  await page.setViewportSize({ width: Math.round(size.width / 2), height: Math.round(size.height / 2) });
  await isNotTooWide(page, `${state}, zoomed to 200 %`);
  await page.setViewportSize(size);
}

for (const language of LANGUAGES) {
  test(`the phone speaks ${language.code} by itself, on the smallest phone`, async ({ live }) => {
    const host = await live.host({ locale: language.locale });
    const phone = await live.visitor({ size: SMALL_PHONE, locale: language.locale });
    await expect(phone.page.locator('html')).toHaveAttribute('lang', language.code);
    await isAccessible(phone.page, `phone, join, ${language.code}`);
    await phone.page.getByLabel(language.name).fill('Maximiliane-Josephine');
    await phone.page.getByRole('button', { name: language.join, exact: true }).click();
    await isAccessible(phone.page, `phone, lobby, ${language.code}`);
    await isAccessible(host.page, `host, lobby, ${language.code}`);
    await host.start();
    await host.release(2);
    await phone.question(2).waitFor();
    await isAccessible(phone.page, `phone, questions, ${language.code}`);
    await isAccessible(host.page, `host, questions, ${language.code}`);
    await zoomed(phone.page, `phone, questions, ${language.code}`);
    await zoomed(host.page, `host, questions, ${language.code}`);
    await phone.choose(2, 'Jupiter');
    await phone.hasStored(2);
    // With all questions asked the round ends by its button, in any language.
    await host.release();
    await host.endRound();
    await isAccessible(host.page, `host, marking, ${language.code}`);
    await host.releaseScores();
    await isAccessible(phone.page, `phone, board, ${language.code}`);
    phone.watch.verify();
  });
}

test('the language can be changed on the page, and is remembered', async ({ live }) => {
  const phone = await live.visitor();
  await phone.page.getByLabel('Language').selectOption('fr');
  await expect(phone.page.getByLabel('Ton nom')).toBeVisible();
  await expect(phone.page.locator('html')).toHaveAttribute('lang', 'fr');
  await phone.page.reload();
  await expect(phone.page.getByLabel('Ton nom')).toBeVisible();
  phone.watch.verify();
});

test('every page stands as well from right to left', async ({ live }) => {
  const host = await live.host();
  const phone = await live.guest('Ann');
  const url = live.server.url;
  await phone.page.goto(`${url}/?dir=rtl`);
  await phone.sees('Welcome back, Ann');
  await isAccessible(phone.page, 'phone, lobby, right to left');
  await host.page.goto(`${url}/host/games/${live.game.id}?dir=rtl`);
  await host.isConnected();
  await host.start();
  await host.release(2);
  await isAccessible(host.page, 'host, questions, right to left');
  await phone.question(2).waitFor();
  await isAccessible(phone.page, 'phone, questions, right to left');
  for (const each of [host, phone]) each.watch.verify();
});
