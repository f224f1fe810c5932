// A sealed quiz: chosen in the start dialogue, its number in the lobby, on the phone and on the screen; after the game the proof, and the
// player's own number in it.

import { readFileSync } from 'node:fs';

import type { Game, QuizBody } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { sealDigits } from '../../sdk/src/proof.ts';
import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

const QUIZ: QuizBody = {
  title: 'For a prize',
  rounds: [{ title: 'Only', questions: [{ text: 'How many legs has an ant?', type: 'text', correctAnswers: ['6'] }] }],
};

interface Proof {
  readonly seal: string;
  readonly players: readonly { readonly ref: string; readonly displayName?: string }[];
}

test.describe('sealed', () => {
  test.use({ quiz: QUIZ, options: { sealed: true } });

  test('its number is everywhere before the game, and the proof has it afterwards', async ({ live }) => {
    const { seal } = (await (await fetch(`${live.server.url}/api/v1/seals/${live.game.gameCode}`)).json()) as { seal: string };
    const words = `Seal ${sealDigits(seal)}`;
    const host = await live.host();
    const screen = await live.screen(host);
    const ann = await live.guest('Ann', { size: SMALL_PHONE });
    await expect(host.page.getByTestId('seal')).toContainText(words);
    await expect(ann.page.getByTestId('seal')).toContainText(words);
    await expect(ann.page.getByTestId('seal')).toContainText('After the game, this number proves it.');
    await expect(screen.page.getByText(words)).toBeVisible();
    await holdsAtEveryWidth(host.page, 'the lobby of a sealed game');
    await holdsAtEveryWidth(ann.page, 'the phone before a sealed game');
    await isAccessible(screen.page, 'the screen before a sealed game');
    await keepPicture(screen.page, 'the-screen');
    await host.start();
    await host.release(1);
    await ann.write(1, '6');
    await ann.hasStored(1);
    await host.endRound();
    await host.releaseScores();
    await host.endGame();

    await ann.page.getByText('My number in the proof').click();
    await expect(ann.page.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
    const own = await ann.page.getByText(/^[0-9a-f]{64}$/).textContent();
    await holdsAtEveryWidth(ann.page, 'the number of a player');

    await host.page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
    const saved = async (item: string): Promise<Proof> => {
      return JSON.parse(readFileSync(await (await host.downloads(item)).path(), 'utf8')) as Proof;
    };
    expect(await saved('Proof')).toMatchObject({ seal, players: [{ ref: own }] });
    expect((await saved('Proof with names')).players[0]?.displayName).toBe('Ann');
  });
});

test.describe('sealing', () => {
  test.use({ quiz: QUIZ });

  test('the start dialogue seals a quiz, and the next game in the room begins the same', async ({ live }) => {
    const host = await live.host();
    await host.page.goto(`${live.server.url}/host`);
    await host.page.getByRole('button', { name: `Play: ${QUIZ.title}` }).click();
    const dialog = host.page.getByRole('dialog', { name: 'Play “' });
    await dialog.getByText('Change…').click();
    await dialog.getByRole('checkbox', { name: 'Seal the quiz' }).check();
    await holdsAtEveryWidth(host.page, 'the start dialogue of a sealed quiz');
    await dialog.getByRole('button', { name: 'Open the lobby' }).click();
    await expect(host.page).toHaveURL(/\/host\/games\//);
    await expect(host.page.getByTestId('seal')).toContainText(/Seal [0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4}/);
    const api = new HostApi(live.server.url, live.token);
    const game: Game = await api.game(host.page.url().split('/').at(-1) ?? '');
    expect(game.sealed).toBe(true);
  });
});
