// Rare states of phone, host and screen: menus, dialogs, pages that do not exist, a screen without a host. Each is accessible, one of each
// kind also in dark, and can be left by keyboard. The colours of both themes are tested in contrast.test.ts.

import type { Page } from '@playwright/test';

import { isAccessible } from '../support/checks.ts';
import { gate } from '../support/gate.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import type { Screen } from '../support/screen.ts';

/** In light and in dark. */
async function holds(page: Page, state: string): Promise<void> {
  await isAccessible(page, state);
  await page.emulateMedia({ colorScheme: 'dark' });
  await isAccessible(page, `${state}, dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('phone, host and screen: joining by hand, menus, dialogs, places where nothing is, and leaving', async ({ live }) => {
  const phone = await live.visitor();
  await test.step('the phone: joining by hand', () => joinByHand(live, phone));
  const host = await live.host();
  const { page } = host;
  host.watch.allow(/status of 404/);
  const screen = await live.screen(host);
  await screen.sees('An evening in the hall');
  await test.step('the host: the code, and what can be done about a player', () => lookAfterPlayers(host));
  await test.step('the phone: leaving', () => leave(phone));
  await page.goto(`${live.server.url}/host`);
  await test.step('the screen behind its host page, and before one, when it waits and says how', () => waits(live, host, screen));
  await page.goto(`${live.server.url}/host`);
  await test.step('the host: a quiz is deleted and brought back', () => deleteQuiz(host));
  for (const path of ['/host/nothing/here', '/host/games/00000000-0000-7000-8000-000000000000']) {
    await page.goto(live.server.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/Page not found|Game not found/);
    await isAccessible(page, `host, ${path}`);
  }
  for (const each of [host, phone]) each.watch.verify();
});

async function lookAfterPlayers(host: Host): Promise<void> {
  const { page } = host;
  await page.getByRole('button', { name: /^Show code/ }).click();
  await expect(page.getByRole('dialog')).toContainText('127.0.0.1');
  await isAccessible(page, 'host, code for all to see');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await host.open('players');
  await holds(page, 'host, the players');
  await page.getByRole('button', { name: 'More options for Ann' }).click();
  await isAccessible(page, 'host, what can be done about a player');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More options for Ann' })).toBeFocused();
  // In dark a dialog with a field, and one with a button that warns.
  for (const [item, title, check] of [
    ['Rename', /Rename .?Ann/, holds],
    ['Extra time', /Extra time for .?Ann/, isAccessible],
    ['Move to another phone', /Move .?Ann/, isAccessible],
    ['Remove', /Remove .?Ann.?\?/, holds],
    ['Remove and ban', /Remove and ban .?Ann.?\?/, isAccessible],
  ] as const) {
    await expect(await host.ask('Ann', item)).toContainText(title);
    await check(page, `host, a player: ${item}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'More options for Ann' })).toBeFocused();
  }
  await host.close();

  await page.getByRole('button', { name: /^Account:/ }).click();
  await isAccessible(page, 'host, account menu');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeFocused();
}

async function deleteQuiz({ page }: Host): Promise<void> {
  await page.getByRole('button', { name: 'More options for Quizhall sample' }).click();
  await isAccessible(page, 'host, what can be done with a quiz');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Delete this quiz?');
  await isAccessible(page, 'host, delete a quiz');
  // The server delays the deletion.
  const { opened, open } = gate();
  await page.route('**/api/v1/quizzes/*', async (route) => {
    await opened;
    await route.continue();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Working…' })).toBeVisible();
  await isAccessible(page, 'host, a quiz is being deleted');
  open();
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
  await isAccessible(page, 'host, a quiz was deleted');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('link', { name: /^Quizhall sample/ })).toBeVisible();
}

async function joinByHand(live: LiveGame, phone: Phone): Promise<void> {
  const { page } = phone;
  phone.watch.allow(/status of 4(04|22)/);
  await page.goto(live.server.url);
  await isAccessible(page, 'phone, join without a link');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await phone.sees('Enter the code from the screen or your host.');
  await holds(page, 'phone, no code typed');
  const code = live.game.gameCode.toLowerCase();
  await page.getByLabel('Game code').fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await phone.sit('Ann');
  await phone.sees('You’re in, Ann');
}

async function leave(phone: Phone): Promise<void> {
  const { page } = phone;
  await page.getByRole('button', { name: 'Leave game' }).click();
  await expect(page.getByRole('dialog')).toContainText('Leave this game?');
  await isAccessible(page, 'phone, leave?');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await phone.sees('You’re in, Ann');
  await page.getByRole('button', { name: 'Leave game' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page.getByLabel('Your name')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Your name'), 'a seat that was left is forgotten').toBeVisible();
}

async function waits(live: LiveGame, host: Host, screen: Screen): Promise<void> {
  await isAccessible(screen.page, 'screen, the host page is closed');
  await screen.sees('An evening in the hall');
  await screen.page.goto(`${live.server.url}/screen#unknown`);
  await screen.page.reload();
  await expect(screen.page.getByRole('heading')).toBeVisible();
  await expect(screen.page.getByText(live.game.title)).toHaveCount(0);
  await holds(screen.page, 'screen, no host page yet');
  await host.page.goto(`${live.server.url}/host/games/${live.game.id}`);
  await host.isConnected();
  await screen.page.evaluate((id) => {
    location.hash = id;
  }, live.game.id);
  await screen.sees(live.game.title);
}
