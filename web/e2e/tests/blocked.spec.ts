// A network that blocks live connections: each page shows that within seconds, with advice, and continues when it gets through.

import { isAccessible, within } from '../support/checks.ts';
import { Blocked, type Treatment } from '../support/blocked.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

const ADVICE = 'Nothing gets through to the game.';
const LATEST = within(12_000);
/** The longest pause before another attempt is over. */
const AWHILE_MS = 20_000;

for (const treatment of ['refused', 'unanswered', 'silent', 'closed'] as const satisfies Treatment[]) {
  test(`a phone whose socket is ${treatment} says so, and joins when it gets through`, async ({ live, browser }) => {
    await using network = await Blocked.before(live.server.port, treatment);
    await using ann = await Phone.open(browser, network.url, { code: live.game.gameCode, size: SMALL_PHONE });
    ann.watch.allow(/WebSocket connection to/);
    await ann.page.clock.install();
    await ann.sit('Ann');
    await expect(ann.page.getByRole('heading', { name: 'Not connected yet' })).toBeVisible(LATEST);
    await expect(ann.page.locator('main').getByText(ADVICE)).toBeVisible();
    await isAccessible(ann.page, 'phone, blocked');
    await keepPicture(ann.page, 'blocked');
    network.open();
    await ann.page.clock.fastForward(AWHILE_MS);
    await expect(ann.page.getByRole('heading', { name: 'You’re in, Ann' })).toBeVisible({ timeout: 25_000 });
    await ann.seesNoMore(ADVICE);
    ann.watch.verify();
  });
}

test('the host’s page and the screen say so, too', async ({ live, browser }) => {
  await using network = await Blocked.before(live.server.port, 'refused');
  await using host = await Host.open(browser, `${network.url}/host/games/${live.game.id}`, { session: live.session });
  host.watch.allow(/WebSocket connection to/);
  const headers = { Authorization: `Bearer ${live.token}`, 'Content-Type': 'application/json' };
  const made = await fetch(`${live.server.url}/api/v1/games/${live.game.id}/screens`, { method: 'POST', headers, body: JSON.stringify({ name: 'Wall' }) });
  expect(made.ok).toBe(true);
  const { url } = (await made.json()) as { url: string };
  const screen = await host.context.newPage();
  await screen.goto(`${network.url}/screen${new URL(url).hash}`);
  for (const page of [host.page, screen]) await expect(page.getByTestId('connection')).toContainText(ADVICE, LATEST);
  await isAccessible(host.page, 'host, blocked');
  network.open();
  await host.page.clock.fastForward(AWHILE_MS);
  for (const page of [host.page, screen]) await expect(page.getByTestId('connection')).toBeHidden();
  await expect(host.button('start_game')).toBeEnabled();
});
