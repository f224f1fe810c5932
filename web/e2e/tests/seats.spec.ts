// A seat survives: a reload in every phase, a closed tab, a second tab. And what a phone says that is removed, banned or refused. Reloads of
// the host's page are in steps.spec.ts, those of a screen in screens.spec.ts.

import type { Page } from '@playwright/test';

import { join } from '../support/api.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { gate } from '../support/gate.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import type { Runner } from '../support/runner.ts';

test('a phone comes back to the same place after a reload in any phase; its address has the code until there is a seat, and never a token', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.visitor();
  await test.step('the code stays in the address until there is a seat', () => takesSeat(live, ann));
  await runner.start();
  await runner.release(2);
  const page = await test.step('a draft survives, and so does a seat in other tabs', () => changesTabs(live, ann));
  const card = page.locator('article[data-question="1"]');
  await page.locator('article[data-question="2"]').scrollIntoViewIfNeeded();
  await page.reload();
  await expect(card).toHaveAttribute('data-state', 'stored');
  await expect(card.getByRole('textbox')).toHaveValue('Reykjavik');
  const holds = (state: string, text: string) =>
    test.step(state, async () => {
      await page.reload();
      await expect(page.getByText(text).first()).toBeVisible();
    });
  await runner.endRound();
  await holds('marking', 'Round over');
  await runner.releaseScores();
  await holds('board', 'This round');
  await runner.nextRound();
  await holds('before the first question of a round', 'By the lamp');
  await runner.release(1);
  await runner.endRound();
  runner.link.releaseOwnScores();
  await holds('standings held', 'Your points are in');
  runner.link.showStandings();
  await holds('standings shown', '1st of 1');
  await runner.endGame();
  await holds('the end', 'You won, Ann');
  ann.watch.verify();
});

async function takesSeat(live: LiveGame, ann: Phone): Promise<void> {
  const { page } = ann;
  const { url } = live.server;
  const code = live.game.gameCode;
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await page.goto(url);
  await page.getByLabel('Game code').fill(code.toLowerCase());
  await page.getByLabel('Your name').focus();
  await expect(page, 'a code that is typed').toHaveURL(`${url}/?code=${code}`);
  await page.reload();
  await ann.sees(`Game code ${[...code].join(' ')}`);
  await page.getByRole('button', { name: 'Change code' }).click();
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/?code=${code}`);
  await ann.sit('Ann');
  await expect(page).toHaveURL(`${url}/`);
  await page.reload();
  await ann.sees('Welcome back, Ann');
  expect(addresses.join()).not.toContain('qp_');
}

/** Of two tabs the newer has the seat, and the older can take it back. Resolves to a third, opened after both were closed. */
async function changesTabs(live: LiveGame, ann: Phone): Promise<Page> {
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
  for (const tab of [second, ann.page]) await tab.close();
  const again = await ann.context.newPage();
  await again.goto(`${live.server.url}/`);
  await expect(again.locator('article[data-question="1"]'), 'without code or name').toHaveAttribute('data-state', 'stored');
  return again;
}

/** Names that only the server can refuse. Which they are is tested there. */
const REFUSED_NAMES = [
  ['аdmin', 'That name is reserved for the host.'],
  ['An\u200bn', 'That name has a character that can’t be shown.'],
  ['Q\u0301\u0302\u0303', 'That name has too many accents on one letter. Use fewer of them.'],
  ['...', 'A name needs at least one letter or digit.'],
] as const;
const LONG = 'The Seven & a Half Dwarfs of Table 42 Ω!';

test('a wrong code and a refused name are said beside the field, with the true reason; who was removed joins again, and who was banned cannot', async ({ live }) => {
  await join(live.server.url, live.game.gameCode, 'Paul');
  const runner = await live.runner();
  const ann = await live.visitor({ size: SMALL_PHONE, code: 'ZZZZZZ' });
  ann.watch.allow(/Failed to load resource|ERR_FAILED|status of 4(03|04|09|22)/);
  await test.step('a wrong code', async () => {
    await joinAs(ann, 'Ann');
    await ann.sees('No game found with that code.');
  });
  await ann.page.goto(`${live.server.url}/?code=${live.game.gameCode}`);
  await ann.sees(`Game code ${[...live.game.gameCode].join(' ')}`);
  await expect(ann.page.getByRole('radio'), 'a game without teams asks for none').toHaveCount(0);
  await test.step('the phone knows some reasons by itself', () => knowsNames(ann));
  await test.step('the server has others', () => refusesNames(ann));
  await test.step('a name of 40 characters is taken and shown whole', async () => {
    await ann.sit(LONG);
    await ann.sees(`You’re in, ${LONG}`);
    await expect(ann.page.getByTestId('team')).toHaveCount(0);
    await isNotTooWide(ann.page, 'phone, lobby with a long name');
  });
  await test.step('who was removed may join again, and who was banned may not', () => isRemoved(live, runner, ann));
  ann.watch.verify();
});

async function joinAs({ page }: Phone, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
}

/** All names that it knows are in name.test.ts. */
async function knowsNames(ann: Phone): Promise<void> {
  const name = ann.page.getByLabel('Your name');
  const asked: string[] = [];
  const listen = (request: { url(): string }) => {
    // The page loads its files for the game ahead.
    if (!request.url().includes('/assets/')) asked.push(request.url());
  };
  ann.page.on('request', listen);
  await joinAs(ann, 'Host');
  await ann.sees('That name is reserved for the host.');
  await name.fill(`  ${LONG}`);
  await ann.sees('40/40');
  await name.fill(`${LONG}?`);
  await ann.sees('41/40');
  await ann.sees('That name is too long. Use at most 40 characters.');
  await isAccessible(ann.page, 'phone, name too long');
  await joinAs(ann, `${LONG}?`);
  await expect(name).toBeFocused();
  expect(asked, 'nothing was sent').toEqual([]);
  ann.page.off('request', listen);
}

async function refusesNames(ann: Phone): Promise<void> {
  for (const [typed, reason] of REFUSED_NAMES) {
    await joinAs(ann, typed);
    await ann.sees(reason);
    await expect(ann.page.getByLabel('Your name')).toBeFocused();
  }
  await joinAs(ann, 'PauI');
  await ann.sees('Choose another one. If that’s you, press “I was playing on another phone”.');
  await isAccessible(ann.page, 'phone, name taken');
}

async function isRemoved(live: LiveGame, runner: Runner, ann: Phone): Promise<void> {
  const again = ann.page.getByRole('button', { name: 'Join again' });
  const another = ann.page.getByRole('button', { name: 'Join another game' });
  await test.step('without an answer it is offered another game, never the same one', async () => {
    const { opened, open } = gate();
    await ann.page.route('**/api/v1/join/*', async (route) => {
      await opened;
      await route.abort();
    });
    runner.link.removePlayer(await runner.player(LONG));
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
  await joinAs(ann, 'Anna');
  await ann.sees('You’re in, Anna');
  runner.link.removePlayer(await runner.player('Anna'));
  await again.click();
  await joinAs(ann, 'Anne');
  await ann.sees('You’re in, Anne');
  runner.link.removePlayer(await runner.player('Anne'), true);
  await ann.sees('Your host has removed you');
  await ann.sees('Your host doesn’t let this phone join again.');
  await expect(again).toHaveCount(0);
  await isAccessible(ann.page, 'phone, banned');
  await another.click();
  await ann.page.getByLabel('Game code').fill(live.game.gameCode);
  await joinAs(ann, 'Another');
  await ann.sees('Your host doesn’t let this phone join again.');
  await expect.poll(() => runner.view.room.map(({ displayName }) => displayName), 'the others do not see it').toEqual(['Paul']);
}
