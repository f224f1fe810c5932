// A network that refuses live connections: each page shows that within seconds, with advice, and continues when it gets through. Sockets
// that hang, or open and say nothing, are those of sdk/test/socket.test.ts and promises.test.ts.

import type { Locator } from '@playwright/test';

import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible, within } from '../support/checks.ts';
import { Blocked } from '../support/blocked.ts';
import { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const ADVICE = 'Nothing gets through to the game.';
/** How long a page may take to say so, by its own clock, which the test hurries on. */
const LATEST_S = 12;
/** The longest pause before another attempt is over. */
const AWHILE_MS = 20_000;

/** Waits until this is there, which is not later than promised. */
async function isSoon(what: Locator): Promise<void> {
  for (let seconds = 0; seconds < LATEST_S && !(await what.isVisible()); seconds += 1) await what.page().clock.runFor(1_000);
  await expect(what).toBeVisible(within(0));
}

/** The phone says so, and joins when it gets through. */
async function isBlocked(ann: Phone, network: Blocked): Promise<void> {
  await isSoon(ann.page.getByRole('heading', { name: 'Not connected yet' }));
  await expect(ann.page.locator('main').getByText(ADVICE)).toBeVisible();
  await isAccessible(ann.page, 'phone, blocked');
  await keepPicture(ann.page, 'blocked');
  network.open();
  await ann.page.clock.fastForward(AWHILE_MS);
  await expect(ann.page.getByRole('heading', { name: /^(You’re in|Welcome back), Ann$/ })).toBeVisible({ timeout: 25_000 });
  await ann.seesNoMore(ADVICE);
}

/** The host's page and a screen, which are opened while their sockets are refused. */
async function opens(live: LiveGame, host: Host, network: Blocked) {
  const { url } = await new HostApi(live.server.url, live.token).addScreen(live.game.id);
  const screen = await host.context.newPage();
  await screen.goto(`${network.url}/screen${new URL(url).hash}`);
  return [host.page, screen];
}

test('phone, host’s page and screen say that their socket is blocked, and go on when it gets through', async ({ live, browser }) => {
  await using network = await Blocked.before(live.server.port);
  await using ann = await Phone.open(browser, network.url, { code: live.game.gameCode, size: SMALL_PHONE });
  ann.watch.allow(/WebSocket connection to/);
  await ann.page.clock.install();
  await ann.sit('Ann');
  await using host = await Host.open(browser, `${network.url}/host/games/${live.game.id}`, { session: live.session });
  host.watch.allow(/WebSocket connection to/);
  const pages = await opens(live, host, network);
  for (const page of pages) await isSoon(page.getByTestId('connection').filter({ hasText: ADVICE }));
  await isAccessible(host.page, 'host, blocked');
  await isBlocked(ann, network);
  await host.page.clock.fastForward(AWHILE_MS);
  for (const page of pages) await expect(page.getByTestId('connection')).toBeHidden();
  await expect(host.button('start_game')).toBeEnabled();
  ann.watch.verify();
});
