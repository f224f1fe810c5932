// The faults that guests fear: a killed server, a restart, a server that stands still, lost Wi-Fi. No seat and no answer is lost, and the
// page explains calmly what is happening. What a phone finds out by itself: sdk/test/silence.test.ts, dead-line.test.ts and lossy.test.ts.

import type { Locator, Page } from '@playwright/test';

import { results } from '../support/api.ts';
import type { Cable } from '../support/cable.ts';
import { CONNECTION_LOST, isAccessible, within } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import type { Screen } from '../support/screen.ts';

/** The bar that shows the state of the connection, the same on every page. */
const bar = (page: Page): Locator => page.getByTestId('connection');

/** The pages of a game, whose connections may be lost. */
interface Pages {
  host: Host;
  screen: Screen;
  ann: Phone;
}

test('the server is killed, restarted and stands still, and the network is lost: what is stored is stored, the rest arrives, and every page comes back by itself', async ({ live }) => {
  const cable = await live.cable();
  const host = await live.host({ cable });
  const screen = await live.screen(host);
  const ann = await live.guest('Ann', { cable });
  for (const each of [host, ann]) each.watch.allow(CONNECTION_LOST);
  await host.start();
  await host.release(3);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await test.step('the server is killed', () => isKilled(live, ann));
  await test.step('the operator restarts it', async () => {
    await live.server.restart();
    await ann.write(3, '4');
    await ann.hasStored(1, 2, 3);
    await host.endRound();
    await host.releaseScores();
    await host.nextRound();
    await host.release(1);
    await screen.sees('A lobster is a fish.');
  });
  await test.step('it stands still', () => standsStill(live, { host, screen, ann }));
  await test.step('the network is lost, and a page is reloaded', () => isOffline(cable, { host, screen, ann }));
  await host.endRound();
  await host.releaseScores();
  expect(await results(live.server.url, live.token, live.game.id)).toMatchObject({ leaderboard: [{ displayName: 'Ann', score: 3500 }] });
  for (const each of [host, ann]) each.watch.verify();
});

/** Without a server an answer is kept until it is back, and a draft as well. */
async function isKilled(live: LiveGame, ann: Phone): Promise<void> {
  await live.server.kill();
  await ann.sees('Your answers are safe on this phone');
  await isAccessible(ann.page, 'phone, server gone');
  await ann.choose(2, 'Jupiter');
  await ann.page.getByText('Will be sent once you’re connected').waitFor();
  await ann.seesNoMore('Your host has stepped away');
  const draft = ann.question(3).getByRole('textbox');
  await draft.fill('5');
  await live.server.start();
  await ann.hasStored(1, 2);
  await expect(draft).toHaveValue('5');
}

/** Phone, host and screen say within 3 s that the server does not answer, and go on by themselves. */
async function standsStill(live: LiveGame, { host, screen, ann }: Pages): Promise<void> {
  live.server.freeze();
  await ann.choose(1, 'True');
  const pages = { phone: ann.page, host: host.page, screen: screen.page };
  await Promise.all(
    Object.values(pages).map((page) => expect(bar(page)).toContainText('The game isn’t responding.', within(3_000))),
  );
  await expect(bar(ann.page)).toContainText('Your answers are safe on this phone.');
  await ann.sees('Will be sent once you’re connected');
  for (const [name, page] of Object.entries(pages)) await isAccessible(page, `${name}, the game does not respond`);
  await test.step('by hand it is tried at once, also from the screen', async () => {
    for (const page of [ann.page, screen.page]) await bar(page).getByRole('button', { name: 'Try now' }).click();
    for (const page of Object.values(pages)) await expect(bar(page)).toContainText('Reconnecting…');
  });
  live.server.thaw();
  await ann.hasStored(1);
  for (const page of Object.values(pages)) await expect(bar(page)).toHaveCount(0);
}

/** Every page says at once that the device has no network; an answer that is given meanwhile survives a reload. */
async function isOffline(cable: Cable, { host, screen, ann }: Pages): Promise<void> {
  const pages = [ann.page, host.page, screen.page];
  // Playwright's switch informs the page, but does not cut open sockets; a real radio does both.
  cable.choke();
  await Promise.all([ann, host].map(({ context }) => context.setOffline(true)));
  await Promise.all(pages.map((page) => expect(bar(page)).toContainText('This device is offline.', within(500))));
  await expect(host.button('release_question'), 'nothing can be done meanwhile').toBeDisabled();
  await ann.choose(1, 'False');
  await expect(ann.question(1)).not.toHaveAttribute('data-state', 'stored');

  cable.mend();
  await Promise.all([ann, host].map(({ context }) => context.setOffline(false)));
  await ann.page.reload();
  await ann.hasStored(1);
  for (const page of pages) await expect(bar(page)).toHaveCount(0);
}
