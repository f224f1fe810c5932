// The host's home page: a running game, quizzes with one button each, things to finish; and the one menu for language, theme and account,
// which is on every page of the host. Past games: results.spec.ts.

import type { Page } from '@playwright/test';

import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { WHOLE_QUIZ } from '../support/quizzes.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

/** Leaves a quiz on this device with an unfinished question, and comes back to the home page. */
async function leaveUnfinished(page: Page, host: Host): Promise<void> {
  await host.openQuiz(WHOLE_QUIZ.title);
  await page.getByTestId('question').first().getByRole('button').first().click();
  await page.getByLabel('Accepted answer 1').fill('');
  await page.getByRole('link', { name: 'Quizzes' }).click();
}

test('quizzes have one button, what is to finish leads to the fault, and every page has one menu', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  const { url } = live.server;
  await page.goto(`${url}/host`);
  await test.step('a quiz has one button, and what is to finish is said in its row', () => finishQuiz(host));
  await test.step('a quiz that only this device has can be finished or discarded', () => discardQuiz(page));
  await test.step('language, theme and account are in one menu on every page', () => openMenus(page, live));
  await page.goto(`${url}/host`);
  await test.step('it is operated by keyboard, in another language', () => changeLanguage(page));
  await test.step('without an account, it is under the name of the language', async () => {
    await page.locator('[data-menu]').getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('button', { name: 'Sprache und Design: Deutsch' }).click();
    await holdsAtEveryWidth(page, 'host, signed out, with the menu');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('fr');
    await expect(page.getByRole('button', { name: /^Langue et thème/ })).toBeVisible();
  });
  host.watch.verify();
});

async function finishQuiz(host: Host): Promise<void> {
  const { page } = host;
  const row = page.getByTestId('quiz').filter({ hasText: WHOLE_QUIZ.title });
  await expect(row.getByRole('button')).toHaveCount(2);
  await expect(row.getByRole('button', { name: 'Play: ' })).toBeVisible();
  await leaveUnfinished(page, host);
  const finish = row.getByRole('link', { name: '1 thing to finish · Round 1, question 1: Add an accepted answer.' });
  await expect(finish).toBeVisible();
  await holdsAtEveryWidth(page, 'host, home with a quiz to finish');
  await finish.click();
  await expect(page.getByLabel('Accepted answer 1')).toBeFocused();
  await page.getByLabel('Accepted answer 1').fill('Reykjavík');
  await host.isSaved();
  await page.getByRole('link', { name: 'Quizzes' }).click();
  await expect(row).toBeVisible();
  await expect(finish).toHaveCount(0);
}

async function discardQuiz(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New quiz' }).click();
  await page.getByLabel('Quiz title').fill('Half a thought');
  await page.getByRole('link', { name: 'Quizzes' }).click();
  const row = page.getByTestId('quiz').filter({ hasText: 'Half a thought' });
  await expect(row.getByRole('link', { name: '1 thing to finish · Add at least one question.' })).toBeVisible();
  await row.getByRole('button', { name: 'More options for Half a thought' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(row).toBeVisible();
}

async function openMenus(page: Page, live: LiveGame): Promise<void> {
  // One bar is above all pages, also one that is printed, and one with a head of its own. The first page: `changeLanguage`.
  const [quiz] = await new HostApi(live.server.url, live.token).quizzes();
  const paths = [`/quizzes/${quiz?.id ?? ''}/print`, `/games/${live.game.id}`];
  for (const path of paths) {
    await page.goto(`${live.server.url}/host${path}`);
    const bar = page.getByRole('banner');
    await expect(bar.getByRole('combobox'), path).toHaveCount(0);
    await bar.getByRole('button', { name: /^Account:/ }).click();
    await expect(bar.getByRole('combobox', { name: 'Language' })).toBeVisible();
    await expect(bar.getByRole('combobox', { name: 'Theme' })).toBeVisible();
    await expect(bar.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await expect(page.locator('[data-menu]')).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(bar.getByRole('button', { name: /^Account:/ })).toBeFocused();
  }
}

async function changeLanguage(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).focus();
  await page.keyboard.press('Enter');
  await isAccessible(page, 'host, the account menu');
  await page.setViewportSize({ width: 320, height: 900 });
  await isNotTooWide(page, 'host, the account menu at 320 px');
  await page.setViewportSize(LAPTOP);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeFocused();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect(page.getByRole('button', { name: /^Konto:/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Läuft gerade' })).toBeVisible();
}
