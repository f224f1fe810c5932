// A nervous host opens a second window and closes one, and runs a round of a hundred long questions. Players who are away and not waited
// for: host/src/run/room.test.ts. Long names on the wall: hall.spec.ts.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { keepPicture } from '../support/pictures.ts';
import { HASTE_MS } from '../support/steps.ts';

const ELSEWHERE = 'You’re hosting this game in another window.';
const ANSWER = 'Reykjavk';

const asked = (number: number) => ({
  text: `Question ${String(number)} of very many, and each of them goes on for longer than its line in a narrow window is wide?`,
  type: 'text',
  correctAnswers: ['Reykjavík'],
});
const QUIZ: QuizBody = {
  title: 'Long',
  rounds: [
    { title: '', questions: Array.from({ length: 100 }, (_, place) => asked(place + 1)) },
    { title: '', questions: [asked(101)] },
  ],
};

/** Ten guests, whose names are as wide as 24 letters can be, answer the first question. */
const GUESTS = Object.fromEntries(Array.from({ length: 10 }, (_, place) => [`${'WM'.repeat(11)}${String(place + 10)}`, { [asked(1).text]: ANSWER }]));

test.use({ quiz: QUIZ });

test('of two windows of a host one runs the game, or both do, and one that is closed leaves it to the other', async ({ live }) => {
  const host = await live.host();
  // A screen without a page: what it shows is tested in screens.spec.ts.
  await new HostApi(live.server.url, live.token).addScreen(live.game.id);
  await live.guests(GUESTS);
  await isNotTooWide(host.page, 'host, lobby with long names');
  await host.start();
  const desk = await host.context.newPage();
  await desk.goto(`${live.server.url}/host/games/${live.game.id}`);
  await test.step('the newer one takes over; the older says so, does nothing, and takes the game back', async () => {
    await expect(host.page.getByText(ELSEWHERE)).toBeVisible();
    await isAccessible(host.page, 'host, in another window');
    await keepPicture(host.page, 'elsewhere');
    await step(desk, 'release_question');
    await host.page.bringToFront();
    await host.space();
    await host.page.getByRole('button', { name: 'Host here' }).click();
    await expect(desk.getByText(ELSEWHERE)).toBeVisible();
    await expect(host.page.locator('[data-released]')).toHaveAttribute('data-released', '1');
    await desk.getByRole('button', { name: 'Host here' }).click();
    await expect(host.page.getByText(ELSEWHERE)).toBeVisible();
  });
  await test.step('both run it, each with all that the host has, until one is removed', () => runBoth(host, desk));
  await host.releaseScores();
  await host.showNext();
  await desk.getByRole('button', { name: 'Host on both devices' }).click();
  const panel = desk.getByRole('region', { name: 'On the screen' });
  await expect(panel, 'where the other window has turned it to').toContainText('On the screen now: answer 2 of 8');
  await test.step('the one that is left goes on', async () => {
    await host.page.close();
    await step(desk, 'show');
    await expect(panel).toContainText('On the screen now: answer 3 of 8');
  });
  host.watch.verify();
});

/** Takes the next step on a second page of the host. */
async function step(page: Page, name: string): Promise<void> {
  const button = page.locator(`[data-step="${name}"] button`);
  await expect(button).toBeEnabled();
  await page.clock.fastForward(HASTE_MS);
  await button.click();
}

async function runBoth(host: Host, desk: Page): Promise<void> {
  await host.page.getByRole('button', { name: 'Host on both devices' }).click();
  await host.isConnected();
  await step(desk, 'release_question');
  await expect(host.page.locator('[data-released]')).toHaveAttribute('data-released', '2');
  await host.page.reload();
  await host.isConnected();
  await expect(desk.getByText(ELSEWHERE)).toBeHidden();
  await host.release(6);
  await host.endRound();
  await expect(host.group(ANSWER)).toContainText('10 answers');
  await test.step('eight long questions are marked in a window of 320 pixels', () => isNarrow(host.page));
  await host.mark(ANSWER, 'Right');
  await expect(desk.getByRole('button', { name: 'Undo (1)' })).toBeEnabled();
  await desk.getByRole('button', { name: 'More for this game' }).click();
  await desk.getByRole('button', { name: 'Co-hosts', exact: true }).click();
  await desk.getByRole('button', { name: /^Remove .?Second device/ }).click();
  await desk.getByRole('button', { name: /^Yes, remove .?Second device/ }).click();
  await expect(host.page.getByText(ELSEWHERE)).toBeVisible();
  await desk.keyboard.press('Escape');
  await host.page.getByRole('button', { name: 'Host here' }).click();
  await host.isConnected();
  await expect(desk.getByText(ELSEWHERE)).toBeVisible();
}

async function isNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const size of ['100%', '200%']) {
    await page.evaluate((each) => {
      document.documentElement.style.fontSize = each;
    }, size);
    await isNotTooWide(page, `host, marking eight questions, text of ${size}`);
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  await page.setViewportSize(LAPTOP);
}
