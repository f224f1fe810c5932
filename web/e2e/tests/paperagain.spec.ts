// Teams on paper in the next game of the same room: no phone brings them along, so the start dialogue does.

import { HostApi } from '../../sdk/src/hostapi.ts';
import { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';

const QUIZ = {
  title: 'Sounds',
  rounds: [{ title: 'Brass', questions: [{ text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 }] }],
};

test.use({ quiz: QUIZ });

/** A game to its end, with one player on a phone and two teams on paper, of which one is removed. */
async function played(live: LiveGame): Promise<Host> {
  const host = await live.host();
  await live.guest('Ann');
  for (const name of ['Paper Tigers', 'Gone Home']) {
    await host.seat(name);
    await expect(host.page.getByRole('dialog')).toHaveCount(0);
  }
  await host.remove('Gone Home');
  await host.start();
  await host.release(1);
  await host.endRound();
  await host.releaseScores();
  await host.endGame();
  return host;
}

async function again(host: Host): Promise<void> {
  await host.page.getByRole('button', { name: 'Play again' }).click();
  await host.openLobby();
}

/** The lobby has the team, without a phone, and no player who has left. */
async function isThere(host: Host): Promise<void> {
  const { page } = host;
  await expect(page.getByRole('region', { name: '2 players' })).toContainText('Paper Tigers');
  await expect(page.getByText('Gone Home')).toHaveCount(0);
  await expect(page.getByText('You’ll have to add any players on paper again.')).toHaveCount(0);
  await host.start();
  await host.release(1);
  const sheet = await host.paper();
  await expect(sheet.getByRole('heading', { name: /Paper Tigers/ })).toBeVisible();
  await host.close();
}

test('come along when the host plays again at the end of the game', async ({ live }) => {
  const host = await played(live);
  await again(host);
  await isThere(host);
  host.watch.verify();
});

test('come along from the results, and in another browser than the one that ran the game', async ({ live, browser }) => {
  await played(live);
  await using other = await Host.open(browser, `${live.server.url}/host/games/${live.game.id}/results`, { session: live.session });
  await again(other);
  await isThere(other);
  other.watch.verify();
});

test('are named as missing where no one can say who they were', async ({ live }) => {
  const host = await live.host();
  await host.seat('Paper Tigers');
  await host.page.goto(`${live.server.url}/host/games/${live.game.id}/results`);
  await again(host);
  await expect(host.page.getByRole('region', { name: 'Message' })).toContainText('You’ll have to add any players on paper again.');
  const games = await new HostApi(live.server.url, live.token).games();
  expect(games).toHaveLength(2);
  host.watch.verify();
});
