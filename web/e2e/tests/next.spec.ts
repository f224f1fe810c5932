// Evenings with more than one quiz: phones and screens continue in the next game, without typing another code.

import { HostApi } from '../../sdk/src/hostapi.ts';
import { isAccessible } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { PROFILE } from '../support/screen.ts';

const QUIZ = {
  title: 'The first half',
  rounds: [{ title: 'Only', questions: [{ text: 'How many legs has a spider?', type: 'text', correctAnswers: ['8'] }] }],
};

test.use({ quiz: QUIZ, options: { cleanNames: true, streaks: true } });

test('players and a screen come along into the next quiz, and into the same one once more', async ({ live, browser }) => {
  const api = new HostApi(live.server.url, live.token);
  await api.createQuiz({ ...QUIZ, title: 'The second half' });
  const runner = await live.runner();
  const ann = await live.guest('Ann');
  const { url } = await api.addScreen(live.game.id);
  await api.letWatch(live.game.id, true);
  const context = await browser.newContext(PROFILE);
  const spectator = await context.newPage();
  await spectator.goto(`${live.server.url}/watch/${live.game.gameCode}`);
  const wall = await context.newPage();
  await wall.goto(`${live.server.url}/screen${new URL(url).hash}`);
  await expect(wall.getByText('Ann', { exact: true })).toBeVisible();
  await runner.start();
  await runner.release(1);
  await runner.endRound();
  await runner.releaseScores();
  await runner.endGame();
  await expect(ann.page.getByText('your host can take you along into the next game')).toBeVisible();
  await isAccessible(ann.page, 'the end of a game, before the next one');

  await using host = await Host.open(browser, `${live.server.url}/host/games/${live.game.id}`, { session: live.session });
  await host.page.getByRole('button', { name: 'Next quiz' }).click();
  const dialog = host.page.getByRole('dialog', { name: 'Next quiz' });
  await expect(dialog.getByRole('button', { name: 'The second half' })).toBeVisible();
  await isAccessible(host.page, 'the choice of the next quiz');
  await dialog.getByRole('button', { name: 'The second half' }).click();
  await expect(host.page.getByRole('dialog', { name: 'Play “The second half”' })).toContainText('one phone per player · rude names blocked · streaks earn more');
  await host.openLobby();
  await expect(host.page.getByText('Ann', { exact: true }).first()).toBeVisible();
  await expect(ann.page.locator('main')).toHaveAttribute('data-scene', 'lobby');
  await expect(wall.getByText('The second half').first()).toBeVisible();
  await expect(wall.getByText('Ann', { exact: true }).first()).toBeVisible();
  await expect(host.page.getByRole('heading', { name: '1 screen' }), 'the host sees that it came along').toBeVisible();
  await wall.reload();
  await expect(wall.getByText('The second half').first()).toBeVisible();
  await ann.page.reload();
  await expect(ann.page.locator('main')).toHaveAttribute('data-scene', 'lobby');
  const [next] = await api.games();
  expect(await api.game(next?.id ?? ''), 'the options come along').toMatchObject({ options: { cleanNames: true, streaks: true } });
  await api.letWatch(next?.id ?? '', true);
  await spectator.bringToFront();
  await expect(spectator.getByText('The second half').first()).toBeVisible();
  await expect(spectator).toHaveURL(new RegExp(`/watch/${next?.gameCode ?? ''}`));

  await host.page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  await host.page.getByRole('tab', { name: 'League' }).click();
  const league = host.page.getByRole('table');
  await expect(league.getByRole('row', { name: /Ann/ })).toContainText('–');
  await expect(league.getByRole('columnheader')).toHaveText([/^Place/, /^Player/, /^The first half/, /^The second half/, /^Total/]);
  await isAccessible(host.page, 'the league of two games');
  expect((await host.downloads('League (CSV)')).suggestedFilename()).toMatch(/league\.csv$/);
  await context.close();
  for (const each of [host, ann]) each.watch.verify();
});
