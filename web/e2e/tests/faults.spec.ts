// The faults that guests fear: a killed server, a restart, lost Wi-Fi, a radio that sends nothing. No seat and no answer is lost, and
// the page explains calmly what is happening.

import type { Locator, Page } from '@playwright/test';

import { results } from '../support/api.ts';
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

test('the server is killed, restarted and stands still: what is stored is stored, the rest arrives, and every page comes back by itself', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
  for (const each of [host, ann]) each.watch.allow(CONNECTION_LOST);
  await host.start();
  await host.release(3);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await isKilled(live, { host, ann });
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
  await standsStill(live, { host, screen, ann });
  await host.endRound();
  await host.releaseScores();
  expect(await results(live.server.url, live.token, live.game.id)).toMatchObject({ leaderboard: [{ displayName: 'Ann', score: 3500 }] });
  for (const each of [host, ann]) each.watch.verify();
});

/** Without a server an answer is kept until it is back, and a draft as well. */
async function isKilled(live: LiveGame, { host, ann }: Omit<Pages, 'screen'>): Promise<void> {
  await live.server.kill();
  await ann.sees('Your answers are safe on this phone');
  await isAccessible(ann.page, 'phone, server gone');
  await isAccessible(host.page, 'host, server gone');
  await ann.choose(2, 'Jupiter');
  await ann.page.getByText('Will be sent once you’re connected').waitFor();
  const draft = ann.question(3).getByRole('textbox');
  await draft.fill('5');
  await live.server.start();
  await ann.hasStored(1, 2);
  await expect(draft).toHaveValue('5');
}

/** Phone, host and screen say within 3 s that the server does not answer, and go on by themselves. */
async function standsStill(live: LiveGame, { host, screen, ann }: Pages): Promise<void> {
  live.server.freeze();
  await ann.choose(1, 'False');
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

test('one phone loses its line: it says so, keeps what is typed, and comes back alone; a radio that carries nothing is found out', async ({ live }) => {
  const cable = await live.cable();
  const runner = await live.runner();
  const ann = await live.guest('Ann', { cable });
  ann.watch.allow(CONNECTION_LOST);
  await runner.start();
  await runner.release(2);
  await expect(ann.question(2)).toBeVisible();

  cable.cut();
  await ann.sees('Your answers are safe on this phone');
  await ann.write(1, 'Reykjavik');
  await expect(ann.question(1)).toHaveAttribute('data-state', 'sending');
  await ann.seesNoMore('Your host has stepped away');

  await test.step('a reload without a line loses nothing either', async () => {
    cable.mend();
    await ann.hasStored(1);
    cable.cut();
    await ann.choose(2, 'Jupiter');
    await expect(ann.question(2)).toHaveAttribute('data-state', 'sending');
    cable.mend();
    await ann.page.reload();
    await ann.hasStored(1, 2);
  });
  await test.step('an answer that is not acknowledged finds another way', async () => {
    cable.choke();
    await ann.write(1, 'Reykjavík');
    await expect(ann.question(1)).toHaveAttribute('data-state', 'changing');
    cable.mend();
    await ann.hasStored(1);
  });
  await test.step('a phone that only listens finds out by itself', async () => {
    await expect(bar(ann.page)).toHaveCount(0);
    await ann.page.clock.install();
    cable.choke();
    await runner.release(1);
    // The page pings after 6.25 s at most, and waits 1.75 s for the pong.
    await ann.page.clock.runFor(8_000);
    await expect(bar(ann.page)).toContainText('The game isn’t responding.');
    await ann.sees('Your answers are safe on this phone');
    // 8 s after the ping another connection is tried, which is not established within 2 s.
    await ann.page.clock.runFor(10_000);
    await expect(bar(ann.page)).toContainText('Reconnecting…');
    await expect(ann.question(3)).toHaveCount(0);
    cable.mend();
    await expect(ann.question(3)).toBeVisible();
    await ann.seesNoMore('Your answers are safe on this phone');
  });
  await test.step('a device that calls itself offline and is not: the line that answers is believed', async () => {
    // The same as on a laptop that hosts its own game, with its Wi-Fi off.
    await ann.page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
      window.dispatchEvent(new Event('offline'));
    });
    await ann.write(3, '4');
    await ann.hasStored(3);
    await expect(bar(ann.page)).toHaveCount(0);
  });
  ann.watch.verify();
});

test('a device without a network says so at once, on every page; the screen goes on without a host page that stands still or crashes', async ({ live }) => {
  const cable = await live.cable();
  const host = await live.host({ cable });
  const screen = await live.screen(host);
  const ann = await live.guest('Ann', { cable });
  for (const each of [host, ann]) each.watch.allow(CONNECTION_LOST);
  await host.start();
  await expect(ann.page.getByRole('heading', { level: 1 })).toContainText('Warming up');

  // Playwright's switch informs the page, but does not cut open sockets; a real radio does both.
  cable.choke();
  const pages = { phone: ann.page, host: host.page, screen: screen.page };
  await Promise.all([ann, host].map(({ context }) => context.setOffline(true)));
  await Promise.all(
    Object.values(pages).map((page) => expect(bar(page)).toContainText('This device is offline.', within(500))),
  );
  for (const [name, page] of Object.entries(pages)) await isAccessible(page, `${name}, offline`);
  await expect(host.button('release_question'), 'nothing can be done meanwhile').toBeDisabled();

  cable.mend();
  await Promise.all([ann, host].map(({ context }) => context.setOffline(false)));
  for (const page of Object.values(pages)) await expect(bar(page)).toHaveCount(0);
  await host.release(1);
  await expect(ann.question(1)).toBeVisible();
  await screen.sees('0 of 1 answered');
  await crashes({ host, screen, ann });
  for (const each of [host, ann]) each.watch.verify();
});

/** The host's page stands still, then crashes, and is opened again. */
async function crashes({ host, screen, ann }: Pages): Promise<void> {
  const address = host.page.url();
  const debug = await host.context.newCDPSession(host.page);
  await debug.send('Debugger.enable');
  await debug.send('Debugger.pause');
  await ann.write(1, 'Reykjavik');
  await screen.sees('1 of 1 answered');
  await debug.send('Debugger.disable');
  const crashed = host.page.waitForEvent('crash');
  // The page has crashed, so this call gets no answer.
  debug.send('Page.crash').catch(() => undefined);
  await crashed;
  await screen.page.reload();
  await screen.sees('Which city is the capital of Iceland?');
  await isAccessible(screen.page, 'screen, without its host page');
  const next = await host.context.newPage();
  await next.goto(address);
  await next.locator('[data-step="release_question"] button').click();
  await screen.sees('Which planet is the largest?');
}
