// Four languages, the smallest phone, right to left, and 200 % zoom: nothing is too wide, and no text is left in English.

import { expect, type Page } from '@playwright/test';

import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
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

/** The page of the host in each language, in which it then stays. */
async function inEachLanguage({ page }: Host, holds: (code: string) => Promise<void>): Promise<void> {
  for (const { code } of LANGUAGES) {
    await page.evaluate((each) => {
      localStorage.setItem('quizhall.language', each);
    }, code);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await expect(page.locator('[data-step] button').first()).toBeEnabled();
    await holds(code);
  }
}

test('phones speak their languages by themselves, also the smallest, and so does the host’s page', async ({ live }) => {
  const host = await live.host({ locale: 'de-DE' });
  await expect(host.page.locator('html')).toHaveAttribute('lang', 'de');
  await inEachLanguage(host, (code) => isAccessible(host.page, `host, lobby, ${code}`));
  const phones = [];
  for (const { locale, code, name, join } of LANGUAGES) {
    const phone = await live.visitor({ size: SMALL_PHONE, locale });
    await expect(phone.page.locator('html')).toHaveAttribute('lang', code);
    await isAccessible(phone.page, `phone, join, ${code}`);
    await phone.page.getByLabel(name).fill(`Maximiliane-Josephine ${code}`);
    await phone.page.getByRole('button', { name: join, exact: true }).click();
    await isAccessible(phone.page, `phone, lobby, ${code}`);
    phones.push({ phone, code });
  }
  await host.start();
  await host.release(2);
  for (const { phone, code } of phones) {
    await phone.question(2).waitFor();
    await isAccessible(phone.page, `phone, questions, ${code}`);
    await zoomed(phone.page, `phone, questions, ${code}`);
    await phone.choose(2, 'Jupiter');
    await phone.hasStored(2);
  }
  await inEachLanguage(host, async (code) => {
    await isAccessible(host.page, `host, questions, ${code}`);
    await zoomed(host.page, `host, questions, ${code}`);
  });
  // With all questions asked the round ends by its button, in any language.
  await host.release();
  await host.endRound();
  await inEachLanguage(host, (code) => isAccessible(host.page, `host, marking, ${code}`));
  await host.releaseScores();
  for (const { phone, code } of phones) {
    await expect(phone.page.getByTestId('tally')).toBeVisible();
    await isAccessible(phone.page, `phone, board, ${code}`);
    phone.watch.verify();
  }
});

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
