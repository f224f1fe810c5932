// A sealed quiz: chosen in the start dialogue, its number in the lobby, on the phone and on the screen; after the game the proof, and the
// player's own number in it.

import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import type { Game, QuizBody } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { sealDigits } from '../../sdk/src/proof.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Phone, SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'For a prize',
  rounds: [{ title: 'Only', questions: [{ text: 'How many legs has an ant?', type: 'text', correctAnswers: ['6'] }] }],
};

interface Proof {
  readonly seal: string;
  readonly players: readonly { readonly ref: string; readonly displayName?: string }[];
}

test.use({ quiz: QUIZ });

/** Sound on a wide window and on the smallest phone, there also with text of twice the size. */
async function holds(page: Page, state: string): Promise<void> {
  await isAccessible(page, state);
  const size = page.viewportSize();
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await isNotTooWide(page, `${state} at ${String(width)} px`);
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  await isNotTooWide(page, `${state} at 320 px, text of 200 %`);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  if (size) await page.setViewportSize(size);
}

/** The host seals the quiz in the start dialogue, and opens its lobby. */
async function seals(live: LiveGame, host: Host): Promise<Game> {
  const { page } = host;
  await page.getByRole('button', { name: `Play: ${QUIZ.title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Play “' });
  await dialog.getByText('Change…').click();
  await dialog.getByRole('checkbox', { name: 'Seal the quiz' }).check();
  await holds(page, 'the start dialogue of a sealed quiz');
  await host.openLobby();
  await expect(page).toHaveURL(/\/host\/games\//);
  const game = await new HostApi(live.server.url, live.token).game(page.url().split('/').at(-1) ?? '');
  expect(game.sealed).toBe(true);
  return game;
}

test('the start dialogue seals a quiz; its number is everywhere before the game, and the proof has it afterwards', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  const game = await seals(live, host);
  const { seal } = (await (await fetch(`${live.server.url}/api/v1/seals/${game.gameCode}`)).json()) as { seal: string };
  const words = `Seal ${sealDigits(seal)}`;
  const screen = await live.screen(host);
  await using ann = await Phone.open(browser, live.server.url, { code: game.gameCode, size: SMALL_PHONE });
  await ann.page.getByRole('radio', { name: 'Play on your own' }).check();
  await ann.sit('Ann');
  await expect(host.page.getByTestId('seal')).toContainText(words);
  await expect(ann.page.getByTestId('seal')).toContainText(words);
  await expect(ann.page.getByTestId('seal')).toContainText('After the game, this number proves it.');
  await expect(screen.page.getByText(words)).toBeVisible();
  await holds(host.page, 'the lobby of a sealed game');
  await holds(ann.page, 'the phone before a sealed game');
  await isAccessible(screen.page, 'the screen before a sealed game');
  const runner = await live.runner(game);
  await runner.start();
  await runner.release(1);
  await ann.write(1, '6');
  await ann.hasStored(1);
  await runner.endRound();
  await runner.releaseScores();
  await runner.endGame();

  await ann.page.getByText('My number in the proof').click();
  await expect(ann.page.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
  const own = await ann.page.getByText(/^[0-9a-f]{64}$/).textContent();
  await holds(ann.page, 'the number of a player');

  await host.page.goto(`${live.server.url}/host/games/${game.id}/results`);
  const saved = async (item: string): Promise<Proof> => {
    return JSON.parse(readFileSync(await (await host.downloads(item)).path(), 'utf8')) as Proof;
  };
  expect(await saved('Proof')).toMatchObject({ seal, players: [{ ref: own }] });
  expect((await saved('Proof with names')).players[0]?.displayName).toBe('Ann');
});
