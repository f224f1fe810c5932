// A seat that moves to another phone: a phone breaks and the host gives its seat to another, a player shows a code, and the server is
// killed in between.

import type { Page } from '@playwright/test';

import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

/** The code of a seat in the dialog that is open. */
async function codeOn(page: Page): Promise<string> {
  return (await page.getByRole('dialog').getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');
}

/** Types the code on a phone that has none of the game. */
async function take({ page }: Phone, code: string): Promise<void> {
  await page.getByLabel('Code from the other phone').fill(code);
  await page.getByRole('button', { name: 'Play here' }).click();
}

test('a phone dies, and the host gives its seat to another, and to a third; that one shows a code, and its link is opened on the first', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  ann.watch.allow(/401/);
  await host.start();
  await host.release(1);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await ann.page.goto('about:blank');
  await host.open('players');
  const away = host.page.locator('.doing.offline');
  await expect(away).toHaveCount(1);

  const dialog = await host.ask('Ann', 'Move to another phone');
  await expect(dialog.getByRole('img', { name: 'Scan to keep playing there' })).toBeVisible();
  await isAccessible(host.page, 'host, a seat code');
  await keepPicture(host.page, 'host');
  await ann.page.goto(live.server.url);
  await ann.hasStored(1);
  await expect(away).toHaveCount(0);
  const code = await codeOn(host.page);
  await ann.context.setOffline(true);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await host.close();

  await live.server.kill();
  await live.server.start();
  const other = await live.visitor({ size: SMALL_PHONE });
  other.watch.allow(/404/);
  await other.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await isAccessible(other.page, 'phone, taking a seat');
  await keepPicture(other.page, 'taking');
  await take(other, 'ZZZZZZ');
  await other.sees('This code was used or is too old. Ask for a new one.');
  await take(other, code.toLowerCase());
  await other.hasStored(1);

  await ann.context.setOffline(false);
  await ann.sees('Another phone may be playing for you now.');
  await isAccessible(ann.page, 'phone, seat moved');
  await other.page.reload();
  await other.hasStored(1);
  await other.page.close();

  await host.ask('Ann', 'Move to another phone');
  await expect(dialog, 'what the other phone asks for').toContainText(`game code ${live.game.gameCode.slice(0, 3)} ${live.game.gameCode.slice(3)}, then this one`);
  const third = await live.visitor({ size: SMALL_PHONE });
  await third.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await take(third, await codeOn(host.page));
  await third.hasStored(1);
  await expect(dialog.getByTestId('seat-code').locator('.code'), 'a code that has been used').toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await host.close();
  await test.step('a player shows a code, and opens its link on another phone', async () => {
    await third.page.getByRole('button', { name: 'Move to another phone' }).click();
    await expect(third.page.getByRole('dialog').getByRole('img', { name: 'Scan to keep playing there' })).toBeVisible();
    await isAccessible(third.page, 'phone, own seat code');
    await keepPicture(third.page, 'own');
    const own = await codeOn(third.page);
    await host.release(1);
    await ann.page.setViewportSize(SMALL_PHONE);
    await ann.page.goto('about:blank');
    await ann.page.goto(`${live.server.url}/?code=${live.game.gameCode}#seat=${own}`);
    await ann.sees('Play on this phone');
    await ann.page.getByRole('button', { name: 'Play here' }).click();
    await expect(ann.page.getByRole('button', { name: /is here/ }), 'open, further down').toHaveText(/Question 2 is here/);
    await ann.write(1, 'Reykjavík');
    await ann.hasStored(1);
    await expect(ann.page).toHaveURL(`${live.server.url}/`);
    await third.sees('Another phone may be playing for you now.');
  });
  await host.endRound();
  await ann.sees('Round over');
});
