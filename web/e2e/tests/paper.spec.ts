// A team on paper: the host adds it, enters its answers while questions are open and in the review, and it wins; a phone takes over. In the
// next game of the room no phone brings it along, so the start dialogue does.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';

const QUIZ: QuizBody = {
  title: 'Sounds',
  rounds: [
    {
      title: 'Brass',
      questions: [
        { text: 'The largest brass?', type: 'text', correctAnswers: ['Tuba'], points: 100 },
        { text: 'Which has a slide?', type: 'multiple_choice', choices: ['Trombone', 'Horn'], correctAnswers: ['Trombone'], points: 50 },
      ],
    },
    { title: 'Strings', questions: [{ text: 'The largest strings?', type: 'text', correctAnswers: ['Octobass'], points: 100 }] },
  ],
};

test.use({ quiz: QUIZ });

/** Late Paper gets a phone, which goes on with the answer on paper. */
async function takesOver(host: Host, phone: Phone): Promise<void> {
  const dialog = await host.ask('Late Paper', 'Switch to a phone');
  await isAccessible(host.page, 'host, handing a team on paper over');
  const code = (await dialog.getByTestId('seat-code').locator('.code').innerText()).replaceAll(/\s/g, '');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await phone.page.getByRole('button', { name: 'I was playing on another phone' }).click();
  await phone.page.getByLabel('Code from the other phone').fill(code);
  await phone.page.getByRole('button', { name: 'Play here' }).click();
  await phone.hasStored(1);
  await host.close();
  const sheet = await host.paper();
  await expect(sheet.getByText('Late Paper'), 'it is not on paper any more').toHaveCount(0);
  await host.close();
  await phone.write(1, 'Octobass');
  await phone.hasStored(1);
}

test('a team on paper wins an evening, a phone takes over another one, and it comes along into the next game', async ({ live, browser }) => {
  const host = await live.host();
  const ann = await live.guest('Ann', { size: SMALL_PHONE });
  await test.step('lobby', () => adds(host));
  await host.start();
  await host.release(2);
  await test.step('open questions', () => enters(host, ann));
  await host.endRound();
  await test.step('review', () => entersLate(host));
  await host.releaseScores();
  await ann.sees('100 points');
  await host.nextRound();
  await host.seat('Late Paper');
  await host.close();
  await host.release(1);
  await test.step('two teams, one after the other', () => entersBoth(host));
  const phone = await live.visitor({ size: SMALL_PHONE });
  await test.step('a phone takes over from paper', () => takesOver(host, phone));
  await host.endRound();
  await host.releaseScores();
  for (const each of [ann, phone]) await each.sees('2nd of 3');
  await isNotTooWide(ann.page, 'phone, beside a team on paper');
  await host.endGame();
  await expect(host.page.getByText('Paper Tigers').first()).toBeVisible();
  for (const each of [ann, phone]) {
    each.watch.verify();
    await each.page.close();
  }
  await test.step('from the end of the game', async () => {
    await again(host);
    await isThere(host);
    await host.start();
  });
  await test.step('a game that still runs is not asked who they are', () => isNotAsked(host));
  await test.step('from the results, in another browser than the one that ran the game', async () => {
    await using other = await Host.open(browser, `${live.server.url}/host/games/${live.game.id}/results`, { session: live.session });
    await again(other);
    await isThere(other);
    await goesOn(other);
  });
  host.watch.verify();
});

async function adds(host: Host): Promise<void> {
  const dialog = host.page.getByRole('dialog');
  await host.seat('Gone Home');
  await host.remove('Gone Home');
  await host.seat('Ann');
  await expect(dialog.getByText('Another player has this name.')).toBeVisible();
  await isAccessible(host.page, 'host, a team on paper');
  await dialog.getByLabel('Name').fill('Paper Tigers');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(host.page.getByRole('region', { name: '2 players' })).toContainText('Paper Tigers');
  await host.lock(true);
}

async function enters(host: Host, ann: Phone): Promise<void> {
  await ann.write(1, 'Tuba');
  await ann.hasStored(1);
  await expect(host.page.getByRole('button', { name: '2 players, 2 answers on paper to enter' })).toBeVisible();
  const sheet = await host.paper();
  const first = sheet.getByRole('textbox', { name: /largest brass/ });
  const second = sheet.getByRole('combobox', { name: /has a slide/ });
  await first.fill('Horn');
  await isAccessible(host.page, 'host, an answer on paper');
  await first.press('Enter');
  await expect(second, 'Enter goes on').toBeFocused();
  await expect(sheet.getByRole('listitem').first()).toContainText('Saved');
  await first.fill('Tuba');
  await first.press('Tab');
  await second.selectOption('Horn');
  await expect(sheet.getByRole('listitem').nth(1)).toContainText('Saved');
  await expect(sheet.getByText('2 of 2')).toBeVisible();
  await host.page.reload();
  await host.isConnected();
  await host.paper();
  await expect(first).toHaveValue('Tuba');
  await expect(second).toHaveValue('Horn');
  await host.close();
}

/** An answer of a question that is closed. */
async function entersLate(host: Host): Promise<void> {
  await host.layOut(2);
  const sheet = await host.paper();
  await sheet.getByRole('combobox', { name: /has a slide/ }).selectOption('Trombone');
  await expect(sheet.getByRole('listitem').nth(1)).toContainText('Saved');
  await host.close();
  await host.isMarked('Trombone', 'Right');
  await host.page.reload();
  await host.layOut(2);
  await host.isMarked('Trombone', 'Right');
}

async function entersBoth(host: Host): Promise<void> {
  const sheet = await host.paper();
  const teams = sheet.getByRole('group', { name: 'Players on paper' });
  await expect(teams.getByRole('button', { name: /Paper Tigers/ })).toHaveAttribute('aria-pressed', 'true');
  const field = sheet.getByRole('textbox', { name: /largest strings/ });
  await field.fill('Octobass');
  await field.press('Enter');
  await expect(teams.getByRole('button', { name: /Late Paper/ }), 'the last line leads to the next team').toHaveAttribute('aria-pressed', 'true');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await expect(teams.getByRole('button', { name: /Paper Tigers/ })).toContainText('1/1');
  await isAccessible(host.page, 'host, the sheets of two teams');
  await field.fill('Viola');
  await field.press('Enter');
  await expect(sheet.getByRole('listitem')).toContainText('Saved');
  await host.close();
}

async function again(host: Host): Promise<void> {
  await host.page.getByRole('button', { name: 'Play again' }).click();
  await host.openLobby();
}

/** The lobby has the team, without a phone, and no player who has left. */
async function isThere(host: Host): Promise<void> {
  const { page } = host;
  await expect(page.getByText('Paper Tigers').first()).toBeVisible();
  await expect(page.getByText('Gone Home')).toHaveCount(0);
  await expect(page.getByText('You’ll have to add any players on paper again.')).toHaveCount(0);
}

/** To the first question, which has a sheet for the team. */
async function goesOn(host: Host): Promise<void> {
  await host.start();
  await host.release(1);
  const sheet = await host.paper();
  await expect(sheet.getByRole('heading', { name: /Paper Tigers/ })).toBeVisible();
  await host.close();
}

async function isNotAsked(host: Host): Promise<void> {
  await host.page.goto(`${host.page.url()}/results`);
  await again(host);
  await expect(host.page.getByRole('region', { name: 'Message' })).toContainText('You’ll have to add any players on paper again.');
}
