// The size of the pages and how soon they can be used: the budget of the phone page, and figures of the other two. Prints
// the figures. Runs after the other tests, so that no other test uses the cores.

import { type Browser, type CDPSession, expect, type Page, test } from '@playwright/test';

import { Watch, within } from '../support/checks.ts';
import { Server } from '../support/server.ts';

/** The phone page's first view: script and style together, as sent over plain http (gzip). Every size here is that of a build for tests;
 * a shipped build is packed with more effort, and is about 1 % smaller. */
const FIRST_VIEW_BUDGET = 35 * 1024;
/** Includes the game's part, which the page loads once the form is drawn. Breaks and revealed answers, in four languages, took 700 bytes;
 * jokers and the effects of a new question 1,500; tie-breaks 1,000; appeals 1,000; edited and withdrawn questions 600; moving to another
 * phone 1,500; the next game 700; teams 3,500; full-screen pictures, announcements for screen readers, and explanations with their
 * questions 3,500; knowing a late answer to a given-up attempt from another tab, and leaving players without points off the podium, 500;
 * a form to join that keeps what was typed, and teams that are called teams, 400; points by hand and the number of a sealed quiz 400;
 * sentences that are true in every state, and who wins a nearest number, 500; the link to the page of the host 100.
 * Two parts are loaded later and are not included: the drawing of a code for another phone, when a player asks for it, and the rest of
 * teams, when the game has teams. */
const PHONE_BUDGET = 72_300;
/** Usable on a throttled phone: one load of up to twenty is fast enough, because other work of the machine can only add to the time. */
const USABLE_WITHIN = within(1_000).timeout;
const LOADS = 20;
/** The most processor time of the page's main thread until the form is there, in milliseconds, which other work of the machine does not
 * change: of the second above, slow 4G takes 620 ms, and a processor of a quarter of the speed has the rest. */
const WORK_MS = 95;
/** The encodings that a browser accepts over plain http. On loopback it would accept brotli, too, and the page would seem smaller. */
const PLAIN_HTTP = { extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } };

/** A mid-range phone on slow 4G, as in Lighthouse. */
async function throttled(client: CDPSession): Promise<void> {
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

interface Loaded {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly blocking: boolean }[];
  readonly html: string;
}

/** The game's part, which the page loads after its form. */
const GAME = /\/assets\/game-/;

async function load(page: Page, url: string, later?: RegExp): Promise<Loaded> {
  const part = later && page.waitForResponse(later).then((response) => response.finished());
  const response = await page.goto(url, { waitUntil: 'load' });
  const html = (await response?.text()) ?? '';
  await part;
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map((entry) => ({
        name: new URL(entry.name).pathname,
        bytes: entry.encodedBodySize,
        blocking: /\.(js|css)$/.test(new URL(entry.name).pathname),
      })),
  );
  return { files, html };
}

test('the phone page keeps its budget: bytes, requests, one round trip, usable within a second', async ({ browser }) => {
  await using server = await Server.start();
  const weighed = await browser.newContext(PLAIN_HTTP);
  const watch = new Watch(weighed);
  // There is no game, and the page asks whether it has teams.
  watch.allow(/status of 404/);
  const { files, html } = await load(await weighed.newPage(), `${server.url}/?code=ABC234`, GAME);
  const code = files.filter((file) => file.blocking);
  const bytesOf = (some: typeof code) => some.reduce((sum, file) => sum + file.bytes, 0);
  const firstView = code.filter((file) => !GAME.test(file.name));
  const first = bytesOf(firstView);
  const bytes = bytesOf(code);
  expect(first).toBeGreaterThan(10_000);
  expect(first).toBeLessThanOrEqual(FIRST_VIEW_BUDGET);
  expect(bytes, 'the game comes along').toBeGreaterThan(first);
  expect(bytes).toBeLessThanOrEqual(PHONE_BUDGET);
  for (const file of firstView) expect(html, 'asked for by the HTML itself, not by a script later').toContain(file.name);
  expect(html, 'on a slow line the form does not wait for it').not.toMatch(GAME);
  expect(files.some((file) => /woff/.test(file.name))).toBe(false);
  watch.verify();
  await weighed.close();

  const times: number[] = [];
  const best = () => Math.min(...times);
  while (times.length < LOADS && best() > USABLE_WITHIN) {
    const context = await browser.newContext({ ...PLAIN_HTTP, viewport: { width: 390, height: 844 }, isMobile: true });
    const page = await context.newPage();
    await throttled(await context.newCDPSession(page));
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('form input')) return;
        observer.disconnect();
        // After the frame that shows it: from then on a tap has an effect.
        requestAnimationFrame(() => setTimeout(() => performance.mark('usable')));
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${server.url}/?code=ABC234`);
    await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0);
    times.push(await page.evaluate(() => performance.getEntriesByName('usable')[0]?.startTime ?? Infinity));
    await context.close();
  }
  const work = await leastWork(browser, `${server.url}/?code=ABC234`);
  test.info().annotations.push({
    type: 'figures',
    description: `phone page: ${String(first)} bytes of script and style for the first view, ${String(bytes)} in all, in ${String(code.length)} files, ${String(files.length)} requests; usable after ${best().toFixed(0)} ms (best of ${String(times.length)}, 4× CPU, slow 4G), with ${work.toFixed(0)} ms of processor time`,
  });
  expect(work, 'processor time until the form is there').toBeLessThanOrEqual(WORK_MS);
  expect(best()).toBeLessThanOrEqual(USABLE_WITHIN);
});

/** The processor time that the page's main thread takes until its form is there, in milliseconds: of the first of three loads that keeps
 * to its limit, or the least of them. */
async function leastWork(browser: Browser, url: string): Promise<number> {
  const taken: number[] = [];
  while (taken.length < 3 && Math.min(...taken) > WORK_MS) {
    const context = await browser.newContext({ ...PLAIN_HTTP, viewport: { width: 390, height: 844 }, isMobile: true });
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(url);
    await page.locator('form input').first().waitFor();
    const { metrics } = await client.send('Performance.getMetrics');
    taken.push(1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity));
    await context.close();
  }
  return Math.min(...taken);
}

/** All that the page loads, its font as well, as sent over plain http; in requests of which each costs a round trip of its own.
 * Points by hand, what corrections would do, and sealing took 3,700 bytes of the host's page; what it shares with the replay is in
 * files of its own, which compress 650 bytes worse. The review of large rounds in groups brought 1.5 kB, erasing a player and plainer words 350 bytes. */
for (const { name, path, budget, requests } of [
  { name: 'host', path: '/host', budget: 215_700, requests: 12 },
  { name: 'screen', path: '/screen#none', budget: 95_600, requests: 4 },
]) {
  test(`the ${name} page keeps its budget, asks no other origin and says nothing on the console`, async ({ browser }) => {
    await using server = await Server.start();
    const context = await browser.newContext(PLAIN_HTTP);
    const watch = new Watch(context);
    const page = await context.newPage();
    const { files, html } = await load(page, `${server.url}${path}`);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.filter((each) => each.blocking)) expect(html).toContain(file.name);
    expect(bytes).toBeGreaterThan(40_000);
    expect(bytes).toBeLessThanOrEqual(budget);
    expect(files.length).toBeLessThanOrEqual(requests);
    test.info().annotations.push({
      type: 'figures',
      description: `${name} page: ${String(bytes)} bytes in ${String(files.length)} requests`,
    });
    watch.verify();
    await context.close();
  });
}
