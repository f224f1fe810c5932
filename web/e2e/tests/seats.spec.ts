// A seat survives: a reload in every phase on every page, a closed tab, a second tab, the back button, the next game.

import { join } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { gate } from '../support/gate.ts';
import { expect, test } from '../support/livegame.ts';
import { SMALL_PHONE } from '../support/phone.ts';

test('a reload in any phase, on any page, comes back to the same place', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Ann');
  const reloadAll = async (seen: { phone: string | RegExp; screen: string | RegExp }) => {
    await ann.page.reload();
    await ann.sees(seen.phone);
    await screen.page.reload();
    await screen.sees(seen.screen);
  };
  const reloadHost = async () => {
    await host.page.reload();
    await host.isConnected();
  };
  await test.step('lobby', () => reloadAll({ phone: 'Welcome back, Ann', screen: 'Ann' }));
  await reloadHost();
  await host.start();
  await host.release(2);
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await ann.question(2).scrollIntoViewIfNeeded();
  await test.step('open questions', async () => {
    await reloadAll({ phone: 'Which planet is the largest?', screen: 'Which planet is the largest?' });
    await reloadHost();
    await screen.sees('Which planet is the largest?');
  });
  await ann.hasStored(1);
  await expect(ann.question(1).getByRole('textbox')).toHaveValue('Reykjavik');
  await host.endRound();
  await test.step('marking', () => reloadAll({ phone: 'Round over', screen: /Marking/ }));
  await host.releaseScores();
  await test.step('board', () => reloadAll({ phone: 'This round', screen: 'Reykjavík' }));
  await host.nextRound();
  await test.step('before the first question of a round', () => reloadAll({ phone: 'By the lamp', screen: 'By the lamp' }));
  await host.release(1);
  await host.endRound();
  await reloadHost();
  await host.releaseScores();
  await test.step('standings held', async () => {
    await ann.page.reload();
    await ann.sees('Your points are in');
  });
  await host.showWinner();
  await test.step('standings shown', () => reloadAll({ phone: '1st of 1', screen: 'The winner is' }));
  await reloadHost();
  await host.endGame();
  await test.step('the end', async () => {
    await reloadAll({ phone: 'You won, Ann', screen: 'Ann' });
    await host.page.reload();
    await expect(host.page.getByText('Final standings')).toBeVisible();
  });
  for (const each of [host, ann]) each.watch.verify();
});

test('a phone that was removed joins again after the answer that it may; one that was banned is not offered it, and cannot', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.guest('Ann');
  ann.watch.allow(/Failed to load resource|ERR_FAILED|status of 403/);
  const again = ann.page.getByRole('button', { name: 'Join again' });
  const another = ann.page.getByRole('button', { name: 'Join another game' });
  const joinAs = async (name: string) => {
    await ann.page.getByLabel('Your name').fill(name);
    await ann.page.getByRole('button', { name: 'Join', exact: true }).click();
  };
  await test.step('without an answer it is offered another game, never the same one', async () => {
    const { opened, open } = gate();
    await ann.page.route('**/api/v1/join/*', async (route) => {
      await opened;
      await route.abort();
    });
    runner.link.removePlayer(await runner.player('Ann'));
    await ann.sees('Your host has removed you');
    await ann.sees('If that was a mistake, talk to your host.');
    await expect(ann.page.locator('main').getByRole('button'), 'nothing is offered before the answer').toHaveCount(0);
    open();
    await expect(another).toBeVisible();
    await expect(again).toHaveCount(0);
    await ann.page.unroute('**/api/v1/join/*');
  });
  await another.click();
  await ann.page.getByLabel('Game code').fill(live.game.gameCode);
  await joinAs('Anna');
  await ann.sees('You’re in, Anna');
  runner.link.removePlayer(await runner.player('Anna'));
  await again.click();
  await joinAs('Anne');
  await ann.sees('You’re in, Anne');
  runner.link.removePlayer(await runner.player('Anne'), true);
  await ann.sees('Your host has removed you');
  await ann.sees('Your host doesn’t let this phone join again.');
  await expect(again).toHaveCount(0);
  await isAccessible(ann.page, 'phone, banned');
  await another.click();
  await ann.page.getByLabel('Game code').fill(live.game.gameCode);
  await joinAs('Another');
  await ann.sees('Your host doesn’t let this phone join again.');
  await expect.poll(() => runner.view.room, 'the others do not see it').toEqual([]);
});

test('a draft survives a reload; of two tabs the newer has the seat, and the older can take it back; closed tabs lose nothing', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.guest('Ann');
  await runner.start();
  await runner.release(1);
  await ann.question(1).getByRole('textbox').pressSequentially('Reyk');
  await ann.page.reload();
  await expect(ann.question(1).getByRole('textbox')).toHaveValue('Reyk');

  const second = await ann.context.newPage();
  await second.goto(`${live.server.url}/`);
  await expect(second.getByText('Which city is the capital of Iceland?')).toBeVisible();
  await ann.sees('You’re playing in another tab');
  await isAccessible(ann.page, 'phone, seat elsewhere');
  await ann.page.getByRole('button', { name: 'Play here' }).click();
  await ann.write(1, 'Reykjavik');
  await ann.hasStored(1);
  await expect(second.getByText('You’re playing in another tab')).toBeVisible();

  // Opening the page again is enough, without code or name.
  for (const tab of [second, ann.page]) await tab.close();
  const again = await ann.context.newPage();
  await again.goto(`${live.server.url}/`);
  await expect(again.locator('article[data-question="1"]')).toHaveAttribute('data-state', 'stored');
  ann.watch.verify();
});

test('the code stays in the address until there is a seat, and a token never comes into it', async ({ live }) => {
  const { url } = live.server;
  const code = live.game.gameCode;
  const visitor = await live.visitor();
  const { page } = visitor;
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await expect(page).toHaveURL(`${url}/?code=${code}`);
  await page.reload();
  await visitor.sees(`Game code ${[...code].join(' ')}`);
  await visitor.sit('Ann');
  await expect(page).toHaveURL(`${url}/`);
  await page.reload();
  await visitor.sees('Welcome back, Ann');
  expect(addresses).toContain(`${url}/`);
  expect(addresses.join()).not.toContain('qp_');

  await test.step('a code that is typed is in the address as well', async () => {
    await page.getByRole('button', { name: 'Leave game' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByLabel('Game code').fill(code.toLowerCase());
    await page.getByLabel('Your name').focus();
    await expect(page).toHaveURL(`${url}/?code=${code}`);
    await page.reload();
    await visitor.sees(`Game code ${[...code].join(' ')}`);
    await page.getByRole('button', { name: 'Change code' }).click();
    await expect(page).toHaveURL(`${url}/`);
  });
  visitor.watch.verify();
});

/** Names that only the server can refuse. */
const REFUSED_NAMES = [
  ['аdmin', 'That name is reserved for the host.'],
  ['An\u200bn', 'That name has a character that can’t be shown.'],
  ['Ann\u3164', 'That name has a character that can’t be shown.'],
  ['Q\u0301\u0302\u0303', 'That name has too many accents on one letter. Use fewer of them.'],
  ['...', 'A name needs at least one letter or digit.'],
] as const;

/** Names that the phone refuses by itself. */
const KNOWN_NAMES = [
  [' ', 'Enter your name.'],
  ['Host', 'That name is reserved for the host.'],
  ['👨\u200D👩\u200D👧\u200D👦'.repeat(11), 'That name has too many emoji or accents.'],
] as const;
const LONG = 'The Seven & a Half Dwarfs of Table 42 Ω!';

test('a wrong code, a name that is too long, and one that is refused are said beside the field, with the true reason', async ({ live }) => {
  await join(live.server.url, live.game.gameCode, 'Paul');
  const other = await live.visitor({ size: SMALL_PHONE, code: 'ZZZZZZ' });
  other.watch.allow(/status of 4(04|09|22)/);
  const name = other.page.getByLabel('Your name');
  const go = other.page.getByRole('button', { name: 'Join', exact: true });
  await name.fill('Ann');
  await go.click();
  await other.sees('No game found with that code.');
  await isAccessible(other.page, 'phone, unknown code');
  await other.page.goto(`${live.server.url}/?code=${live.game.gameCode}`);
  await other.sees(`Game code ${[...live.game.gameCode].join(' ')}`);
  await expect(other.page.getByRole('radio'), 'a game without teams asks for none').toHaveCount(0);

  await test.step('the phone knows some reasons by itself', async () => {
    const asked: string[] = [];
    const listen = (request: { url(): string }) => {
      // The page loads its files for the game ahead.
      if (!request.url().includes('/assets/')) asked.push(request.url());
    };
    other.page.on('request', listen);
    for (const [typed, reason] of KNOWN_NAMES) {
      await name.fill(typed);
      await go.click();
      await other.sees(reason);
    }
    await name.fill(`  ${LONG}`);
    await other.sees('40/40');
    await name.fill(`${LONG}?`);
    await other.sees('41/40');
    await other.sees('That name is too long. Use at most 40 characters.');
    await isAccessible(other.page, 'phone, name too long');
    await go.click();
    await expect(name).toBeFocused();
    expect(asked, 'nothing was sent').toEqual([]);
    other.page.off('request', listen);
  });
  for (const [typed, reason] of REFUSED_NAMES) {
    await name.fill(typed);
    await go.click();
    await other.sees(reason);
    await expect(name).toBeFocused();
  }
  await isAccessible(other.page, 'phone, name refused');
  await name.fill('PauI');
  await go.click();
  await other.sees('Choose another one. If that’s you, press “I was playing on another phone”.');
  await isAccessible(other.page, 'phone, name taken');
  await test.step('a name of 40 characters is taken and shown whole', async () => {
    await other.sit(LONG);
    await other.sees(`You’re in, ${LONG}`);
    await expect(other.page.getByTestId('team')).toHaveCount(0);
    await isAccessible(other.page, 'phone, lobby with a long name');
  });
  other.watch.verify();
});
