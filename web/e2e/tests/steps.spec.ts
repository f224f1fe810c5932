// The one next step: a button and a key that never skip anything, however often it is pressed. Two hosts who press at once are in
// cohosts.spec.ts, the steps of a game that goes question by question in questionwords.spec.ts.

import type { Locator } from '@playwright/test';

import { HostApi } from '../../sdk/src/hostapi.ts';
import { CONNECTION_LOST, isAccessible } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';

const STRINGS = 'How many strings has a violin?';

/** Clicks twice at one moment of the page's clock, however long the machine takes between the two. */
async function twice(host: Host, target: Locator): Promise<void> {
  const now = await host.page.evaluate(() => Date.now());
  await host.page.clock.pauseAt(now + 1_000);
  await target.dblclick();
  await host.page.clock.resume();
}

test('no press is taken for two, no stray Space leaves an empty lobby, the focus is never lost, and the keys are the page’s, except in a dialog and on a control', async ({ live }) => {
  const host = await live.host();
  await test.step('an empty lobby says what is missing, and a click still starts the game', () => staysInLobby(host));
  await test.step('a double click is one click', async () => {
    await twice(host, host.button('start_game'));
    await expect(host.button('release_question')).toBeEnabled();
    await expect(host.openQuestions()).toHaveCount(0);
  });
  await test.step('the keys are listed under ?, and do nothing behind a dialog', () => keepsKeys(host));
  await test.step('a question is asked from the list, and another one is picked with the arrows', () => pickByKeys(host));
  await test.step('the question that was picked holds after a reload', async () => {
    await host.page.reload();
    await host.isConnected();
    await host.unfold();
    await expect(host.openQuestions().filter({ hasText: STRINGS })).toHaveCount(1);
    await expect(host.button('release_question'), 'the one whose turn it was').toHaveText(/Ask question 2/);
  });
  await test.step('a key that is leant on is one press, and the button of the step keeps the focus', () => leansOnKey(host));
  await test.step('a screen that appears makes its pictures the next step, and takes them along when it goes', () => comesAndGoes(live, host));
  await test.step('a double click opens one screen', async () => {
    await host.open('screens');
    const opened = host.context.waitForEvent('page');
    await twice(host, host.page.getByRole('link', { name: 'Open on this machine' }));
    await expect((await opened).getByText(STRINGS).or((await opened).getByText('Reykjavík')).first()).toBeVisible();
    expect(host.context.pages(), 'the host page and one screen').toHaveLength(2);
  });
  host.watch.verify();
});

async function staysInLobby(host: Host): Promise<void> {
  const said = host.page.getByText('No players and no teams on paper yet. A click starts the game anyway.');
  await expect(said).toBeHidden();
  for (let presses = 0; presses < 3; presses += 1) {
    await host.space();
    await expect(host.button('start_game')).toHaveText(/Start without players/);
    await expect(said).toBeVisible();
  }
  await isAccessible(host.page, 'host, an empty lobby that was to start');
  await host.seat('Paper Tigers');
  await expect(host.button('start_game'), 'a team on paper can play').toHaveText(/Start the game/);
  await expect(said).toBeHidden();
  await host.remove('Paper Tigers');
  await host.space();
  await expect(said).toBeVisible();
}

async function keepsKeys(host: Host): Promise<void> {
  const { page } = host;
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('?');
  await expect(dialog).toContainText('The next step: always the yellow button');
  await isAccessible(page, 'host, shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Show code/ }).click();
  await dialog.getByRole('img').click();
  for (const key of ['Space', 'l', 'n']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await host.isLocked(false);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('l');
  await host.isLocked(true);
  await expect(host.openQuestions()).toHaveCount(0);
}

async function pickByKeys(host: Host): Promise<void> {
  const { page } = host;
  await host.unfold();
  await page.getByRole('radio').first().focus();
  await host.space();
  await expect(host.openQuestions()).toHaveCount(1);
  await expect(page.getByRole('radio').first(), 'a question that is asked gives the focus to the next one').toBeFocused();
  // Tab gives the key back.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Hide the list' })).toBeFocused();
  await host.space();
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(page.locator('[data-released]')).toHaveAttribute('data-released', '1');

  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Next, your pick')).toBeVisible();
  await expect(page.getByText('You picked this question. Players will see it as question 2.')).toBeVisible();
  await expect(host.button('release_question')).toHaveText(/Ask question 3/);
  await isAccessible(page, 'host, another question is picked');
  await page.getByRole('button', { name: 'More for this game' }).click();
  await page.keyboard.press('Escape');
  await host.space();
  await expect(host.openQuestions().filter({ hasText: STRINGS })).toHaveCount(1);
  await expect(page.locator('[data-menu]'), 'a control that was clicked keeps no key').toHaveCount(0);
}

/** The last question of the round. */
async function leansOnKey(host: Host): Promise<void> {
  await host.button('release_question').focus();
  await host.page.clock.fastForward(1_000);
  await host.page.keyboard.down('Enter');
  await expect(host.button('end_round')).toBeFocused();
  // The browser repeats the key while it stays down.
  await host.page.clock.fastForward(1_000);
  for (let again = 0; again < 5; again += 1) await host.page.keyboard.down('Enter');
  await host.page.keyboard.up('Enter');
  await expect(host.page.getByRole('heading', { name: '3 questions are open' })).toBeVisible();
  await expect(host.button('end_round')).toBeEnabled();
}

async function comesAndGoes(live: LiveGame, host: Host): Promise<void> {
  const api = new HostApi(live.server.url, live.token);
  await host.endRound();
  await host.releaseScores();
  await expect(host.button('start_next_round')).toBeVisible();
  const { screenId } = await api.addScreen(live.game.id);
  await expect(host.button('show')).toBeVisible();
  const panel = host.page.getByRole('region', { name: 'On the screen' });
  await expect(panel).toContainText('answer 1 of 3');
  await api.removeScreen(live.game.id, screenId);
  await expect(host.button('start_next_round')).toBeVisible();
  await expect(panel).toHaveCount(0);
}

/** Goes through the whole evening with nothing but Space, up to the end, which is asked about; the steps that were taken. `before` runs
 * before each press. */
async function evening(host: Host, before: (step: string, label: string) => Promise<void>): Promise<string[]> {
  const taken: string[] = [];
  const step = host.page.locator('[data-step]');
  for (let presses = 0; presses < 40; presses += 1) {
    await expect(step.getByRole('button')).toBeEnabled();
    const name = (await step.getAttribute('data-step')) ?? '';
    const label = await step.innerText();
    await before(name, label);
    taken.push(name);
    await host.space();
    if (name === 'end_game') break;
    await expect(async () => {
      const isSame = (await step.getAttribute('data-step')) === name && (await step.innerText()) === label;
      expect(isSame, `after ${name}`).toBe(false);
    }).toPass();
  }
  return taken;
}

test('a whole evening with nothing but Space, through reloads and a kill of the server: every picture is shown, and the end is asked about', async ({ live }) => {
  const host = await live.host();
  host.watch.allow(CONNECTION_LOST);
  const screen = await live.screen(host);
  await live.guests({ Ann: {} });
  await expect(host.page.getByRole('region', { name: '1 player' })).toContainText('Ann');
  // Before each kind of step the page is reloaded once, or the server killed. Where questions are open faults.spec.ts kills it.
  const lost = new Set(['start_game', 'release_question', 'end_round', 'release_scores', 'show', 'start_next_round']);
  const taken = await evening(host, async (name, label) => {
    if (!lost.delete(name)) return;
    if (name === 'release_scores') {
      await live.server.kill();
      await live.server.start();
    } else await host.page.reload();
    const step = host.page.locator('[data-step]');
    await expect(step.getByRole('button')).toBeEnabled({ timeout: 30_000 });
    await expect(step, `${name}, after page or server were lost`).toHaveText(label, { useInnerText: true });
  });
  const round = (questions: number) => [...Array.from({ length: questions }, () => 'release_question'), 'end_round', 'release_scores'];
  const shows = (count: number) => Array.from({ length: count }, () => 'show');
  expect(taken.slice(0, 10), 'two more answers, the standings').toEqual(['start_game', ...round(3), ...shows(3), 'start_next_round']);
  expect(taken.slice(10, 14)).toEqual(round(2));
  expect(new Set(taken.slice(14, -1)), 'the other answer, the end, the standings').toEqual(new Set(['show']));
  expect(taken.at(-1)).toBe('end_game');
  await isAccessible(host.page, 'host, the end is asked about');
  await expect(host.page.getByRole('dialog', { name: 'End the game?' }).getByRole('button', { name: 'End the game' })).toBeFocused();
  await host.space();
  await expect(host.page.getByRole('heading', { name: 'The game is over' })).toBeVisible();
  await screen.sees('Thanks for playing');
  host.watch.verify();
});

test.describe('answers that no one has checked', () => {
  const ASKED = 'What is the capital of Iceland?';
  const question = { text: ASKED, type: 'text', correctAnswers: ['Reykjavik'], points: 10 };
  test.use({ quiz: { title: 'Near', rounds: [{ title: '', questions: [question] }] } });

  test('the button asks once before they count as wrong: a held key does not confirm, and M leads to them', async ({ live }) => {
    const host = await live.host();
    const { keyboard } = host.page;
    await live.guests({ Owls: { [ASKED]: 'Reykjavk' }, Ben: { [ASKED]: 'Reykjavvik' } });
    await host.start();
    await host.release();
    await expect(host.page.getByText('2 to check')).toBeVisible();
    await host.step('end_round');
    await expect(host.page.getByRole('heading', { name: 'Round over: time to mark' })).toBeVisible();
    await host.isUndecided('Reykjavk');
    await host.page.clock.fastForward(1_000);
    for (let again = 0; again < 5; again += 1) {
      await keyboard.down('Space');
      await host.page.clock.fastForward(1_000);
    }
    await keyboard.up('Space');
    await expect(host.button('release_scores')).toHaveText(/Continue: 2 unchecked count as wrong/);
    await expect(host.page.getByRole('status').filter({ hasText: '2 answers aren’t checked yet. M: check first' })).toBeVisible();
    await isAccessible(host.page, 'host, the button asks');
    await keyboard.press('m');
    await expect(host.page.locator('[data-row]:focus')).toContainText('Reyk');
    await expect(host.button('release_scores'), 'nothing is confirmed').toHaveText(/Show the points/);
    await keyboard.press('x');
    await expect(host.page.getByText('1 to check').first()).toBeVisible();
    await host.space();
    await expect(host.button('release_scores')).toHaveText(/Continue: 1 unchecked counts as wrong/);
    await host.space();
    await expect(host.button('end_game')).toBeEnabled();
    host.watch.verify();
  });
});
