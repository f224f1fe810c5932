// Teams: three phones on one sheet, one of them breaks and its seat is moved, the others answer; a game in which only the first phone
// answers; the options of the host. The pages are reloaded in each state.

import type { Page } from '@playwright/test';

import type { Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import { isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import { keepPicture } from '../support/pictures.ts';

test.use({ options: { teams: { devices: 3 } } });

/** The visible page has no fault, and a picture of it is kept. */
async function look(page: Page, name: string): Promise<void> {
  await isAccessible(page, `teams, ${name}`);
  await keepPicture(page, name);
}

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

async function reload(pages: readonly (Phone | Host)[]): Promise<void> {
  for (const { page } of pages) await page.reload();
}

test('a phone joins as a team, with its code, with its link, or alone', async ({ live }) => {
  const host = await live.host();
  const larks = await live.visitor({ size: SMALL_PHONE });
  await expect(larks.page.getByRole('radio', { name: 'Start a team' })).toBeVisible();
  await look(larks.page, 'ways');
  await larks.page.getByRole('button', { name: 'Join', exact: true }).click();
  await larks.sees('Choose how you want to play.');
  await larks.page.getByRole('radio', { name: 'Start a team' }).check();
  await larks.page.getByRole('button', { name: 'Join', exact: true }).click();
  await larks.sees('Enter a team name.');
  await larks.startTeam('The Larks');
  const code = await larks.teamCode();
  await byLink(live, 'Ben', code);

  const cleo = await live.visitor({ dark: true });
  cleo.watch.allow(/404|409/);
  const join = cleo.page.getByRole('button', { name: 'Join', exact: true });
  await cleo.page.getByRole('radio', { name: 'Join a team' }).check();
  await cleo.page.getByLabel('Team code').fill('ZZZZ');
  await cleo.page.getByLabel('Your name').fill('Ben');
  await join.click();
  await cleo.sees('No team found with that code.');
  await look(cleo.page, 'wrong-code');
  await cleo.page.getByLabel('Team code').fill(code.toLowerCase());
  await join.click();
  await cleo.sees('Someone here has that name');
  await cleo.sit('Cleo');
  await expect(phonesOf(larks)).toHaveText([/First phone\s*\(you\)/, 'Ben', 'Cleo']);

  const dan = await live.visitor();
  dan.watch.allow(/409/);
  await dan.page.getByRole('radio', { name: 'Join a team' }).check();
  await dan.page.getByLabel('Team code').fill(code);
  await dan.page.getByLabel('Your name').fill('Dan');
  await dan.page.getByRole('button', { name: 'Join', exact: true }).click();
  await dan.sees('This team has no room for another phone.');
  await dan.page.getByRole('radio', { name: 'Play on your own' }).check();
  await dan.sit('Dan');
  await expect(dan.page.getByTestId('team')).toHaveCount(0);

  await larks.sees('2 teams here');
  const screen = await live.screen(host);
  await expect(screen.page.getByText('2 teams', { exact: true })).toBeVisible();
  await look(larks.page, 'lobby');
  await larks.page.getByRole('button', { name: 'Add a phone' }).click();
  await expect(larks.page.getByRole('img', { name: 'Scan to join the team' })).toBeVisible();
  await look(larks.page, 'add-a-phone');
  await larks.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(host.page.getByText('3 phones', { exact: true })).toBeVisible();
  await look(host.page, 'host-lobby');
  for (const each of [host, larks, cleo, dan]) each.watch.verify();
});

test('what is typed and pressed before the fields for teams arrive counts', async ({ live }) => {
  const larks = await live.visitor();
  await larks.startTeam('The Larks');
  const code = await larks.teamCode();

  /** A phone on a slow line, at this address; returns the function that lets the answer about the game through. */
  async function slow(phone: Phone, path: string): Promise<() => void> {
    let arrives: () => void = () => undefined;
    const arrived = new Promise<void>((done) => {
      arrives = done;
    });
    await phone.page.goto('about:blank');
    await phone.page.route(/api\/v1\/join\/[^/]+$/, async (route) => {
      await arrived;
      await route.continue();
    });
    await phone.page.goto(live.server.url + path);
    return arrives;
  }

  const ben = await live.visitor();
  const benArrives = await slow(ben, `/?code=${live.game.gameCode}#team=${code}`);
  await ben.page.getByLabel('Your name').fill('Ben');
  await ben.page.getByRole('button', { name: 'Join', exact: true }).click();
  benArrives();
  await expect(phonesOf(larks)).toHaveText([/First phone\s*\(you\)/, 'Ben']);

  const owls = await live.visitor({ size: SMALL_PHONE });
  const owlsArrive = await slow(owls, '/');
  await owls.page.getByLabel('Game code').fill(live.game.gameCode);
  await owls.page.getByLabel('Your name').pressSequentially('The ');
  owlsArrive();
  await expect(owls.page.getByRole('radio')).toHaveCount(3);
  await owls.page.keyboard.type('Owls');
  await owls.page.getByRole('radio', { name: 'Start a team' }).check();
  await expect(owls.page.getByLabel('Team name')).toHaveValue('The Owls');
  await look(owls.page, 'typed-before');
  await owls.page.getByRole('button', { name: 'Join', exact: true }).click();
  await owls.sees('You’re in, The Owls');
  for (const each of [larks, ben, owls]) each.watch.verify();
});

test('the host removes one phone of a team, and the other goes on with its answers', async ({ live }) => {
  const host = await live.host();
  const larks = await live.visitor({ size: SMALL_PHONE });
  await larks.startTeam('The Larks');
  const ben = await byLink(live, 'Ben', await larks.teamCode());
  await host.start();
  await host.release(1);
  await ben.write(1, 'Oslo');
  await isBy(larks, 1, 'Ben');
  const dialog = await host.ask('The Larks', 'Phones in this team');
  const remove = dialog.getByRole('button', { name: /^Remove the phone .?Ben/ });
  await look(host.page, 'host-phones');
  await remove.click();
  await expect(dialog).toContainText('The team keeps its answers.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(remove).toHaveCount(1);
  await remove.click();
  for (const width of [1440, 1024, 768, 390, 320]) {
    await host.page.setViewportSize({ width, height: 800 });
    await look(host.page, `host-remove-phone-${width}`);
  }
  ben.watch.allow(/401/);
  await remove.last().click();
  await expect(dialog).toContainText(/Removed: .?Ben/);
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  await look(host.page, 'host-removed-phone');
  await ben.sees('You’re no longer in this game');
  await isBy(larks, 1, 'Removed phone');
  await hasAnswer(larks, 1, 'Oslo');
  await look(larks.page, 'answer-of-a-removed-phone');
  await larks.write(1, 'Bergen');
  await larks.hasStored(1);
  for (const each of [host, larks]) each.watch.verify();
});

test('three phones answer on one sheet, one dies and its seat is moved, and the host reviews one entry', async ({ live }) => {
  const host = await live.host();
  const larks = await live.visitor({ size: SMALL_PHONE });
  await larks.startTeam('The Larks');
  const code = await larks.teamCode();
  const ben = await byLink(live, 'Ben', code);
  const cleo = await byLink(live, 'Cleo', code);
  await reload([larks, ben, cleo]);
  await expect(phonesOf(cleo)).toHaveText(['First phone', 'Ben', /Cleo\s*\(you\)/]);
  await host.start();
  await host.release(2);

  await test.step('an answer stands on all phones, and a draft stays beside it', async () => {
    await cleo.question(1).getByRole('textbox').fill('Oslo');
    await ben.write(1, 'Reykjavik');
    await ben.hasStored(1);
    await isBy(larks, 1, 'Ben');
    await hasAnswer(larks, 1, 'Reykjavik');
    await expect(cleo.question(1)).toContainText('Ben has answered: Reykjavik');
    await cleo.question(1).getByRole('textbox').blur();
    await look(cleo.page, 'both');
    await reload([larks, cleo, ben, host]);
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
    await look(larks.page, 'sheet');
  });

  await test.step('a phone dies, and the host moves its seat', async () => {
    await ben.context.setOffline(true);
    await cleo.choose(2, 'Jupiter');
    await isBy(larks, 2, 'Cleo');
    const dialog = await host.ask('The Larks', 'Phones in this team');
    await dialog.getByRole('button', { name: /^Move to another phone: .?Ben/ }).click();
    await expect(dialog).toContainText(/For .?Ben/);
    await look(host.page, 'host-move');
    const seat = (await dialog.getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');
    await dialog.getByRole('button', { name: 'Close' }).click();
    const other = await live.visitor();
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
    await look(host.page, 'host-questions');
    await other.page.getByRole('button', { name: 'Your team' }).click();
    await expect(other.page.getByRole('dialog').getByRole('listitem')).toHaveText(['First phone', /Ben\s*\(you\)/, 'Cleo']);
    await other.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await reload([other]);
    await isBy(other, 2, 'Cleo');
    other.watch.verify();
  });

  await test.step('the host reviews one entry, and the board has one line', async () => {
    await host.endRound();
    await reload([larks, cleo, host]);
    await larks.sees('Round over');
    await cleo.sees('Saved · First phone');
    await look(cleo.page, 'review');
    const { rounds } = (await results(live.server.url, live.token, live.game.id)) as Results;
    const answers = rounds.flatMap(({ questions }) => questions.map((question) => question.answers.map(({ answer }) => answer)));
    expect(answers).toEqual([['Reykjavík'], ['Jupiter']]);
    await host.releaseScores();
    await reload([larks, cleo]);
    for (const phone of [larks, cleo]) await phone.sees('1st of 1');
    await look(larks.page, 'scores');
    await host.choose('Finish after this round');
    await host.endGame();
    for (const phone of [larks, cleo]) await phone.sees('You won, The Larks');
    await reload([larks, cleo]);
    for (const phone of [larks, cleo]) await phone.sees('You won, The Larks');
    await look(cleo.page, 'end');
  });
  for (const each of [host, larks, cleo]) each.watch.verify();
});

test('a team that the host removes is out on all its phones', async ({ live }) => {
  const host = await live.host();
  const larks = await live.visitor();
  await larks.startTeam('The Larks');
  const ben = await byLink(live, 'Ben', await larks.teamCode());
  await host.remove('The Larks');
  for (const phone of [larks, ben]) await phone.sees(/removed/i);
});

test.describe('where the first phone answers alone', () => {
  test.use({ options: { teams: { captainOnly: true } } });

  test('the others suggest, and it takes one over', async ({ live }) => {
    const host = await live.host();
    const larks = await live.visitor({ size: SMALL_PHONE });
    await larks.startTeam('The Larks');
    await larks.sees('This phone answers for the team.');
    const ben = await byLink(live, 'Ben', await larks.teamCode());
    await ben.sees('The captain answers.');
    await host.start();
    await host.release(2);
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
    await look(ben.page, 'suggested');
    await look(larks.page, 'suggestions');
    await larks.question(1).getByRole('button', { name: 'Use this answer: Reykjavik' }).click();
    await larks.hasStored(1);
    await expect(ben.question(1)).toContainText('Saved · Captain: Reykjavik');
    await hasAnswer(ben, 1, '');
    await expect(larks.question(1).getByRole('button', { name: /^Use this answer/ })).toHaveCount(0);
    await look(ben.page, 'answered');
    await host.endRound();
    await ben.sees('Saved · Captain');
    const { rounds } = (await results(live.server.url, live.token, live.game.id)) as Results;
    const answers = rounds.flatMap(({ questions }) => questions.map((question) => question.answers.map(({ answer }) => answer)));
    expect(answers).toEqual([['Reykjavik'], []]);
    for (const each of [host, larks, ben]) each.watch.verify();
  });
});

test.describe('a game without teams', () => {
  test.use({ options: {} });

  test('asks for no team', async ({ live }) => {
    const host = await live.host();
    const sol = await live.visitor();
    await expect(sol.page.getByLabel('Your name')).toBeVisible();
    await sol.sit('Sol');
    await expect(sol.page.getByTestId('team')).toHaveCount(0);
    for (const each of [host, sol]) each.watch.verify();
  });
});
