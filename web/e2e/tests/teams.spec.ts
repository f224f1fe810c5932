// Teams: three phones on one sheet, one of them breaks and its seat is moved, one is removed, the others answer; a game in which only the
// first phone answers. A phone of the team is reloaded in each state.

import type { Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import { gate } from '../support/gate.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

test.use({ options: { teams: { devices: 3 } } });

/** A phone that opens the link of a team and joins it. */
async function byLink(live: LiveGame, name: string, team: string): Promise<Phone> {
  const phone = await live.visitor();
  await phone.page.goto('about:blank');
  await phone.page.goto(`${live.server.url}/?code=${live.game.gameCode}#team=${team}`);
  await expect(phone.page.getByLabel('Team code')).toHaveValue(team);
  await phone.sit(name);
  return phone;
}

const phonesOf = (phone: Phone) => phone.page.getByTestId('team').getByRole('listitem');
const isBy = (phone: Phone, number: number, name: string) => expect(phone.question(number)).toContainText(`Saved · ${name}`);
const hasAnswer = (phone: Phone, number: number, answer: string) => {
  return expect(phone.question(number).getByRole('textbox')).toHaveValue(answer);
};

async function reload(pages: readonly Phone[]): Promise<void> {
  for (const { page } of pages) await page.reload();
}

/** A phone on a slow line, at this address; returns the function that lets the answer about the game through. */
async function slow(live: LiveGame, phone: Phone, path: string): Promise<() => void> {
  const { opened, open } = gate();
  await phone.page.goto('about:blank');
  await phone.page.route(/api\/v1\/join\/[^/]+$/, async (route) => {
    await opened;
    await route.continue();
  });
  await phone.page.goto(live.server.url + path);
  return open;
}

/** The first phone starts the team; what is typed before the fields for teams arrive counts. */
async function startsTeam(live: LiveGame, larks: Phone): Promise<void> {
  const { page } = larks;
  const join = page.getByRole('button', { name: 'Join', exact: true });
  const arrives = await slow(live, larks, '/');
  await page.getByLabel('Game code').fill(live.game.gameCode);
  await page.getByLabel('Your name').pressSequentially('The ');
  arrives();
  await expect(page.getByRole('radio')).toHaveCount(3);
  await page.keyboard.type('Larks');
  await isAccessible(page, 'teams, ways');
  await join.click();
  await larks.sees('Choose how you want to play.');
  await page.getByRole('radio', { name: 'Start a team' }).check();
  await expect(page.getByLabel('Team name')).toHaveValue('The Larks');
  await page.getByLabel('Team name').fill('');
  await join.click();
  await larks.sees('Enter a team name.');
  await larks.startTeam('The Larks');
}

/** A phone that mistypes the code, and takes a name that is there; the next one finds no room. */
async function joinsByCode(live: LiveGame, code: string): Promise<{ cleo: Phone; other: Phone }> {
  const cleo = await live.visitor({ dark: true });
  cleo.watch.allow(/401|404|409/);
  const join = cleo.page.getByRole('button', { name: 'Join', exact: true });
  await cleo.page.getByRole('radio', { name: 'Join a team' }).check();
  await cleo.page.getByLabel('Team code').fill('ZZZZ');
  await cleo.page.getByLabel('Your name').fill('Ben');
  await join.click();
  await cleo.sees('No team found with that code.');
  await isAccessible(cleo.page, 'teams, wrong-code');
  await cleo.page.getByLabel('Team code').fill(code.toLowerCase());
  await join.click();
  await cleo.sees('Someone here has that name');
  await cleo.sit('Cleo');

  const other = await live.visitor();
  other.watch.allow(/403|409/);
  await other.page.getByRole('radio', { name: 'Join a team' }).check();
  await other.page.getByLabel('Team code').fill(code);
  await other.page.getByLabel('Your name').fill('Dan');
  await other.page.getByRole('button', { name: 'Join', exact: true }).click();
  await other.sees('This team has no room for another phone.');
  return { cleo, other };
}

/** The host removes the phone of Ben, after being asked. */
async function removesPhone(host: Host): Promise<void> {
  const dialog = await host.ask('The Larks', 'Phones in this team');
  const remove = dialog.getByRole('button', { name: /^Remove the phone .?Ben/ });
  await isAccessible(host.page, 'teams, host-phones');
  await remove.click();
  await expect(dialog).toContainText('The team keeps its answers.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(remove).toHaveCount(1);
  await remove.click();
  await host.page.setViewportSize({ width: 320, height: 800 });
  await isAccessible(host.page, 'teams, host-remove-phone-320');
  await host.page.setViewportSize(LAPTOP);
  await remove.last().click();
  await expect(dialog).toContainText(/Removed: .?Ben/);
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await host.close();
}

interface Team {
  host: Host;
  larks: Phone;
  ben: Phone;
  cleo: Phone;
  /** A phone that has no seat. */
  other: Phone;
}

/** All ways to join, with the lobby as host and phones see it. */
async function gathers(live: LiveGame, host: Host): Promise<Team> {
  const larks = await live.visitor({ size: SMALL_PHONE });
  await startsTeam(live, larks);
  const code = await larks.teamCode();
  const ben = await live.visitor();
  const arrives = await slow(live, ben, `/?code=${live.game.gameCode}#team=${code}`);
  await ben.page.getByLabel('Your name').fill('Ben');
  await ben.page.getByRole('button', { name: 'Join', exact: true }).click();
  arrives();
  await expect(phonesOf(larks), 'pressed before the answer about the game').toHaveText([/First phone\s*\(you\)/, 'Ben']);
  const { cleo, other } = await joinsByCode(live, code);
  await live.guests({ Dan: {} });
  await expect(phonesOf(larks)).toHaveText([/First phone\s*\(you\)/, 'Ben', 'Cleo']);
  await larks.sees('2 teams here');
  await isAccessible(larks.page, 'teams, lobby');
  await larks.page.getByRole('button', { name: 'Add a phone' }).click();
  await expect(larks.page.getByRole('img', { name: 'Scan to join the team' })).toBeVisible();
  await isAccessible(larks.page, 'teams, add-a-phone');
  await larks.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(host.page.getByText('3 phones', { exact: true })).toBeVisible();
  await isAccessible(host.page, 'teams, host-lobby');
  await reload([cleo]);
  await expect(phonesOf(cleo)).toHaveText(['First phone', 'Ben', /Cleo\s*\(you\)/]);
  return { host, larks, ben, cleo, other };
}

/** An answer stands on all phones, and a draft stays beside it. */
async function answersOnOneSheet({ larks, ben, cleo }: Team): Promise<void> {
  await cleo.question(1).getByRole('textbox').fill('Oslo');
  await ben.write(1, 'Reykjavik');
  await ben.hasStored(1);
  await isBy(larks, 1, 'Ben');
  await hasAnswer(larks, 1, 'Reykjavik');
  await expect(cleo.question(1)).toContainText('Ben has answered: Reykjavik');
  await cleo.question(1).getByRole('textbox').blur();
  await isAccessible(cleo.page, 'teams, both');
  await reload([larks, cleo, ben]);
  await expect(cleo.question(1)).toContainText('Ben has answered: Reykjavik');
  await hasAnswer(cleo, 1, 'Oslo');
  await isBy(larks, 1, 'Ben');
  await ben.hasStored(1);
  await expect(ben.question(1)).not.toContainText('Saved ·');
  await cleo.question(1).getByRole('button', { name: 'Send' }).click();
  await isBy(ben, 1, 'Cleo');
  await hasAnswer(ben, 1, 'Oslo');
  await ben.question(1).getByRole('textbox').fill('Bergen');
  await larks.write(1, 'Reykjavík');
  await expect(ben.question(1)).toContainText('First phone has answered: Reykjavík');
  await ben.question(1).getByRole('button', { name: 'Keep the saved answer' }).click();
  await isBy(ben, 1, 'First phone');
  await hasAnswer(ben, 1, 'Reykjavík');
}

/** A phone dies, and the host moves its seat to the other one. */
async function moves({ host, larks, ben, cleo, other }: Team): Promise<void> {
  await ben.context.setOffline(true);
  await cleo.choose(2, 'Jupiter');
  await isBy(larks, 2, 'Cleo');
  const dialog = await host.ask('The Larks', 'Phones in this team');
  await dialog.getByRole('button', { name: /^Move to another phone: .?Ben/ }).click();
  await expect(dialog).toContainText(/For .?Ben/);
  await isAccessible(host.page, 'teams, host-move');
  const seat = (await dialog.getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await other.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await other.page.getByLabel('Code from the other phone').fill(seat);
  await other.page.getByRole('button', { name: 'Play here' }).click();
  await isBy(other, 1, 'First phone');
  await isBy(other, 2, 'Cleo');
  await other.choose(2, 'Saturn');
  await isBy(cleo, 2, 'Ben');
  await cleo.choose(2, 'Jupiter');
  await isBy(other, 2, 'Cleo');
  await ben.context.setOffline(false);
  await ben.sees('Another phone may be playing for you now.');
  await expect(host.page.getByText('3 phones')).toBeVisible();
  await host.close();
  await other.page.getByRole('button', { name: 'Your team' }).click();
  await expect(other.page.getByRole('dialog').getByRole('listitem')).toHaveText(['First phone', /Ben\s*\(you\)/, 'Cleo']);
  await other.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await reload([other]);
  await isBy(other, 2, 'Cleo');
}

/** The host removes one phone, and the others go on with its answers. */
async function goesOnWithout({ host, larks, ben }: Team): Promise<void> {
  await host.release(1);
  await ben.write(3, '5');
  await isBy(larks, 3, 'Ben');
  ben.watch.allow(/401/);
  await removesPhone(host);
  await ben.sees('You’re no longer in this game');
  await isBy(larks, 3, 'Removed phone');
  await hasAnswer(larks, 3, '5');
  await larks.write(3, '4');
  await larks.hasStored(3);
}

/** The host reviews one entry, and the board has one line. */
async function isOneEntry(live: LiveGame, { host, larks, cleo }: Team): Promise<void> {
  await host.endRound();
  await reload([cleo]);
  await larks.sees('Round over');
  await cleo.sees('Saved · First phone');
  const { rounds } = (await results(live.server.url, live.token, live.game.id)) as Results;
  const answers = rounds.flatMap(({ questions }) => questions.map((question) => question.answers.map(({ answer }) => answer)));
  expect(answers).toEqual([['Reykjavík'], ['Jupiter'], ['4']]);
  await host.releaseScores();
  await reload([cleo]);
  for (const phone of [larks, cleo]) await phone.sees('1st of 2');
  await host.choose('Finish after this round');
  await host.endGame();
  await reload([cleo]);
  for (const phone of [larks, cleo]) await phone.sees('You won, The Larks');
}

test('a team joins by code and link, and answers on one sheet; a dead phone’s seat is moved, one phone is removed, and the host reviews one entry', async ({ live }) => {
  const host = await live.host();
  const team = await gathers(live, host);
  await host.start();
  await host.release(2);
  await test.step('one sheet', () => answersOnOneSheet(team));
  await test.step('a phone dies', () => moves(team));
  await test.step('a phone is removed', () => goesOnWithout({ ...team, ben: team.other }));
  await test.step('the review', () => isOneEntry(live, team));
  for (const each of [host, team.larks, team.other, team.cleo]) each.watch.verify();
});

test.describe('where the first phone answers alone', () => {
  test.use({ options: { teams: { captainOnly: true } } });

  test('the others suggest, and it takes one over; all are out when the host removes the team', async ({ live }) => {
    const runner = await live.runner();
    const larks = await live.visitor({ size: SMALL_PHONE });
    await larks.startTeam('The Larks');
    await larks.sees('This phone answers for the team.');
    const ben = await byLink(live, 'Ben', await larks.teamCode());
    await ben.sees('The captain answers.');
    await runner.start();
    await runner.release(2);
    const suggest = ben.question(1).getByRole('button', { name: 'Suggest' });
    await ben.question(1).getByRole('textbox').fill('Reykjavik');
    await ben.question(1).getByRole('textbox').blur();
    await expect(ben.question(1)).toContainText('Not sent yet');
    await reload([ben]);
    await hasAnswer(ben, 1, 'Reykjavik');
    await suggest.click();
    await expect(ben.question(1)).toContainText('Suggested to the captain');
    await ben.choose(2, 'Saturn');
    await expect(ben.question(2)).toContainText('Suggested to the captain');
    await reload([ben, larks]);
    await expect(ben.question(1)).toContainText('Suggested to the captain');
    await hasAnswer(ben, 1, 'Reykjavik');
    await isAccessible(ben.page, 'teams, suggested');
    await isAccessible(larks.page, 'teams, suggestions');
    await larks.question(1).getByRole('button', { name: 'Use this answer: Reykjavik' }).click();
    await larks.hasStored(1);
    await expect(ben.question(1)).toContainText('Saved · Captain: Reykjavik');
    await hasAnswer(ben, 1, '');
    await expect(larks.question(1).getByRole('button', { name: /^Use this answer/ })).toHaveCount(0);
    await runner.endRound();
    await ben.sees('Saved · Captain');
    const { rounds } = (await results(live.server.url, live.token, live.game.id)) as Results;
    const answers = rounds.flatMap(({ questions }) => questions.map((question) => question.answers.map(({ answer }) => answer)));
    expect(answers).toEqual([['Reykjavik'], []]);
    await test.step('a team that the host removes is out on all its phones', async () => {
      for (const each of [larks, ben]) each.watch.allow(/401/);
      runner.link.removePlayer(await runner.player('The Larks'));
      for (const phone of [larks, ben]) await phone.sees('Your host has removed you');
    });
    for (const each of [larks, ben]) each.watch.verify();
  });
});
