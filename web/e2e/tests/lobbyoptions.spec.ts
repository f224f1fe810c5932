// The options of a game in its lobby: said, changed until the start, and what a change does that comes too late.

import type { Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { join, newGame } from '../support/api.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Runner } from '../support/runner.ts';

const QUIZ: QuizBody = {
  title: 'Capitals',
  rounds: [
    {
      title: 'South',
      halfPoints: true,
      questions: [
        { text: 'What is the capital of Peru?', type: 'text', correctAnswers: ['Lima'], points: 1 },
        { text: 'What is the capital of Ghana?', type: 'text', correctAnswers: ['Accra'], points: 1 },
      ],
    },
  ],
};

test.use({ quiz: QUIZ, options: { phonesAfterScreen: true, teams: { devices: 6 } } });

test('the options of a game are shown in its lobby, and changed until players join and the game starts', async ({ live }) => {
  const host = await live.host();
  host.watch.allow(/status of (409|503)/);
  await test.step('they are shown, and changed by keyboard; a failure is said in the dialogue, which keeps what was chosen', () => change(host, live));
  await test.step('what is changed elsewhere is there without a reload', async () => {
    const api = new HostApi(live.server.url, live.token);
    await api.setOptions(live.game.id, { pace: 'question', answerSeconds: 20, closeWhenAnswered: true, cleanNames: true, speedPoints: true, streaks: true });
    await expect(host.page.getByRole('region', { name: 'Speed' })).toContainText('faster earns more · streaks earn more');
  });
  await test.step('a change that comes after the first player says so, and the lobby shows what holds', () => changeAfterPlayer(host, live));
  await test.step('teams stay as they are once a player has joined', () => keepTeams(host.page));
  await test.step('a change that comes after the start says so, and the game goes on as it began', () => changeAfterStart(host, live));
  await test.step('a lobby that was opened by mistake is deleted from its own menu', () => deleteGame(host, live));
  host.watch.verify();
});

async function change({ page }: Host, live: LiveGame): Promise<void> {
  const chosen = page.getByRole('region', { name: 'Pub night' });
  await expect(chosen).toContainText('Round by round · teams with up to 6 phones · points appear on the screen first');
  await page.setViewportSize({ width: 390, height: 900 });
  await isNotTooWide(page, 'host, the lobby with its options at 390 px');
  await page.route('**/options', (route) => route.fulfill({ status: 503, json: { type: 'busy', title: 'Busy', status: 503 } }), { times: 1 });
  await page.getByRole('button', { name: 'Change the options' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Game options' });
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'has no effect' }).getByRole('button'), 'a game has a copy of the quiz').toHaveCount(0);
  await dialog.getByRole('radio', { name: 'Classroom' }).check();
  await isAccessible(page, 'host, the options in the lobby');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Classroom' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: 'Classroom' })).toContainText('Question by question');
  const game = await new HostApi(live.server.url, live.token).game(live.game.id);
  expect(game.options).toEqual({ pace: 'question', boardAfter: 'third', answerSeconds: 20, closeWhenAnswered: true, cleanNames: true });
  expect(game.teams).toBeUndefined();
}

/** Opens the options, chooses this preset, and saves. The request waits on its way until `meanwhile` has happened. */
async function savesAfter(page: Page, preset: string, meanwhile: () => Promise<void>): Promise<void> {
  await page.route(
    '**/options',
    async (route) => {
      await meanwhile();
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Change the options' }).click();
  const dialog = page.getByRole('dialog', { name: 'Game options' });
  await dialog.getByRole('radio', { name: preset }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
}

async function changeAfterPlayer({ page }: Host, { server, token, game }: LiveGame): Promise<void> {
  await savesAfter(page, 'Pub night', async () => {
    await join(server.url, game.gameCode, 'Ann');
  });
  await expect(page.getByText('Players have joined, so this can’t change any more.').last()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Speed' })).toContainText('one phone per player');
  const { options } = await new HostApi(server.url, token).game(game.id);
  expect(options).toMatchObject({ pace: 'question', speedPoints: true, streaks: true });
  expect(options).not.toHaveProperty('teams');
}

async function keepTeams(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Game options' });
  await page.getByRole('button', { name: 'Change the options' }).click();
  await dialog.getByText('Change…').click();
  await expect(dialog.getByText('Players have joined, so this can’t change any more.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Teams/ })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Pub night' }).check();
  await expect(dialog).toContainText('Round by round · one phone per player · points appear on the screen first');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: 'Custom' })).toContainText('Round by round · one phone per player');
}

async function changeAfterStart(host: Host, live: LiveGame): Promise<void> {
  const api = new HostApi(live.server.url, live.token);
  const { url } = await api.inviteCoHost(live.game.id, { label: 'Cleo', role: 'host' });
  await using cleo = await Runner.at(live.server.url, live.game.gameCode, new URL(url).hash.slice(1));
  await savesAfter(host.page, 'Classroom', () => cleo.start());
  await expect(host.page.getByText('The game has begun, so its options can’t change any more.').last()).toBeVisible();
  await expect(host.button('release_question')).toBeEnabled();
  await expect(host.page.getByRole('button', { name: 'Change the options' })).toHaveCount(0);
  const { options } = await api.game(live.game.id);
  expect(options).toEqual({ phonesAfterScreen: true });
}

async function deleteGame(host: Host, live: LiveGame): Promise<void> {
  const { page } = host;
  const opened = await newGame(live.server.url, live.token, QUIZ);
  await page.goto(`${live.server.url}/host/games/${opened.id}`);
  await host.isConnected();
  await host.choose('Delete game');
  const dialog = page.getByRole('dialog', { name: 'Delete this game?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await host.choose('Delete game');
  await isAccessible(page, 'host, deleting a game in its lobby');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/host\/?$/);
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('The game was deleted.');
}
