// A seat that moves to another phone: a phone breaks and the host gives its seat to another, a player shows a code, and the server is
// killed in between.

import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

test('a phone dies, and the host gives its seat to another', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann');
  await host.start();
  await host.release(1);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await ann.context.setOffline(true);

  const dialog = await host.ask('Ann', 'Move to another phone');
  await expect(dialog.getByRole('img', { name: 'Scan to keep playing there' })).toBeVisible();
  await isAccessible(host.page, 'host, a seat code');
  await keepPicture(host.page, 'host');
  const code = (await dialog.getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await host.close();

  await live.server.kill();
  await live.server.start();
  const other = await live.visitor({ size: SMALL_PHONE });
  other.watch.allow(/404/);
  await other.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await isAccessible(other.page, 'phone, taking a seat');
  await keepPicture(other.page, 'taking');
  await other.page.getByLabel('Code from the other phone').fill('ZZZZZZ');
  await other.page.getByRole('button', { name: 'Play here' }).click();
  await other.sees('This code was used or is too old. Ask for a new one.');
  await other.page.getByLabel('Code from the other phone').fill(code.toLowerCase());
  await other.page.getByRole('button', { name: 'Play here' }).click();
  await other.hasStored(1);

  await ann.context.setOffline(false);
  await ann.sees('Another phone may be playing for you now.');
  await isAccessible(ann.page, 'phone, seat moved');
  await other.page.reload();
  await other.hasStored(1);

  await other.page.close();
  await host.ask('Ann', 'Move to another phone');
  await expect(dialog, 'what the other phone asks for').toContainText(`game code ${live.game.gameCode.slice(0, 3)} ${live.game.gameCode.slice(3)}, then this one`);
  const symbols = dialog.getByTestId('seat-code').locator('.code');
  const second = (await symbols.innerText()).replaceAll(/\s/g, '');
  const third = await live.visitor();
  await third.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await third.page.getByLabel('Code from the other phone').fill(second);
  await third.page.getByRole('button', { name: 'Play here' }).click();
  await third.hasStored(1);
  await expect(symbols, 'a code that has been used').toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await host.close();
  await host.endRound();
  await third.sees('Round over');
});

test('a player shows a code, and opens its link on another phone', async ({ live }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  ann.watch.allow(/401/);
  await host.start();
  await host.release(1);
  await ann.page.getByRole('button', { name: 'Move to another phone' }).click();
  const dialog = ann.page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: 'Scan to keep playing there' })).toBeVisible();
  await isAccessible(ann.page, 'phone, own seat code');
  await keepPicture(ann.page, 'own');
  const code = (await dialog.getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');

  await host.release(1);
  const other = await live.visitor({ size: SMALL_PHONE });
  await other.page.goto('about:blank');
  await other.page.goto(`${live.server.url}/?code=${live.game.gameCode}#seat=${code}`);
  await other.sees('Play on this phone');
  await other.page.getByRole('button', { name: 'Play here' }).click();
  await expect(other.page.getByRole('button', { name: /is here/ }), 'open, further down').toHaveText(/Question 2 is here/);
  await other.write(1, 'Reykjavik');
  await other.hasStored(1);
  await expect(other.page).toHaveURL(`${live.server.url}/`);
  await ann.sees('Another phone may be playing for you now.');
  for (const each of [host, other]) each.watch.verify();
});
