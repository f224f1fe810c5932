// Teams on paper in the next game of the same room: no phone brings them along, so the start dialogue does.

import { HostApi } from '../../sdk/src/hostapi.ts';
import { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';

const QUIZ = {
  title: 'Sounds',
  rounds: [{ title: 'Brass', questions: [{ text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 }] }],
};

test.use({ quiz: QUIZ });

/** A game to its end, without a page: with two teams on paper, of which one is removed. */
async function played(live: LiveGame): Promise<void> {
  const runner = await live.runner();
  for (const name of ['Paper Tigers', 'Gone Home']) runner.link.addSeat(name);
  runner.link.removePlayer(await runner.player('Gone Home'));
  await runner.start();
  await runner.release(1);
  await runner.endRound();
  await runner.releaseScores();
  await runner.endGame();
}

async function again(host: Host): Promise<void> {
  await host.page.getByRole('button', { name: 'Play again' }).click();
  await host.openLobby();
}

/** The lobby has the team, without a phone, and no player who has left; the host goes on to the first question. */
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

test('come along from the results, also in another browser than the one that ran the game, and from its end; and are named as missing where no one knows them', async ({ live, browser }) => {
  await live.guest('Ann');
  await played(live);
  const { url } = live.server;
  await using host = await Host.open(browser, `${url}/host/games/${live.game.id}/results`, { session: live.session });
  await again(host);
  await isThere(host);
  await test.step('when the host plays again at the end of the game', async () => {
    await host.endRound();
    await host.releaseScores();
    await host.endGame();
    await again(host);
    await isThere(host);
  });
  await test.step('a game that still runs is not asked who they are', async () => {
    await host.page.goto(`${host.page.url()}/results`);
    await again(host);
    await expect(host.page.getByRole('region', { name: 'Message' })).toContainText('You’ll have to add any players on paper again.');
    expect(await new HostApi(url, live.token).games()).toHaveLength(4);
  });
  host.watch.verify();
});
