// The one next step: a button and a key that never skip anything, however often it is pressed. Two hosts who press at once are in
// cohosts.spec.ts.

import type { Locator } from '@playwright/test';

import { bodyOf, PRESETS } from '../../host/src/start/options.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { CONNECTION_LOST, isAccessible, isNotTooWide } from '../support/checks.ts';
import type { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import type { Phone } from '../support/phone.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

/** Clicks twice at one moment of the page's clock, however long the machine takes between the two. */
async function twice(host: Host, target: Locator): Promise<void> {
  const now = await host.page.evaluate(() => Date.now());
  await host.page.clock.pauseAt(now + 1_000);
  await target.dblclick();
  await host.page.clock.resume();
}

test('no press is taken for two, no stray Space leaves an empty lobby, and the focus is never lost', async ({ live }) => {
  const host = await live.host();
  await test.step('an empty lobby says what is missing, and a click still starts the game', () => staysInLobby(host));
  await test.step('a double click is one click', async () => {
    await twice(host, host.button('start_game'));
    await expect(host.button('release_question')).toBeEnabled();
    await twice(host, host.button('release_question'));
    await expect(host.openQuestions()).toHaveCount(1);
    await expect(host.button('release_question')).toHaveText(/Ask question 2/);
  });
  await test.step('a question that is asked gives the focus to the next one', async () => {
    await host.unfold();
    await host.page.getByRole('radio').first().focus();
    await host.space();
    await expect(host.openQuestions()).toHaveCount(2);
    await expect(host.page.getByRole('radio').first()).toBeFocused();
  });
  await test.step('a key that is leant on is one press, and the button of the step keeps the focus', async () => {
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
  });
  await test.step('a screen that appears makes its pictures the next step, and takes them along when it goes', () => comesAndGoes(live, host));
  await test.step('a double click opens one screen', async () => {
    await host.open('screens');
    const opened = host.context.waitForEvent('page');
    await twice(host, host.page.getByRole('link', { name: 'Open on this machine' }));
    await expect((await opened).getByText('How many strings has a violin?').or((await opened).getByText('Reykjavík')).first()).toBeVisible();
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

test('the keys are the page’s, except in a dialog and on a control; a question that is picked, marking and board hold after a reload', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const strings = 'How many strings has a violin?';
  await live.guests({ Ann: { [strings]: '4' } });
  await host.start();
  await test.step('the keys are listed under ?, and do nothing behind a dialog', () => keepsKeys(host));
  await test.step('a control that was clicked keeps no key, and another question is picked with the arrows', () => pickByKeys(host));
  await expect(host.openQuestions().first()).toContainText('1 of 1');
  await again(host);
  await host.unfold();
  await expect(host.openQuestions().filter({ hasText: strings })).toHaveCount(1);
  await expect(host.button('release_question'), 'the one whose turn it was').toHaveText(/Ask question 2/);
  await screen.sees(strings);
  await host.endRound();
  await again(host);
  await expect(host.page.getByRole('tab')).toHaveCount(2);
  await expect(host.page.getByRole('tab').nth(1)).toContainText('1 of 1 right');
  await host.releaseScores();
  await again(host);
  await expect(host.button('show')).toBeEnabled();
  await host.showNext();
  await screen.sees('1 of 1 right');
  await host.showNext();
  await screen.sees('1,000');
  await host.nextRound();
  await screen.sees('By the lamp');
  host.watch.verify();
});

async function again(host: Host): Promise<void> {
  await host.page.reload();
  await host.isConnected();
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
  await page.getByRole('button', { name: 'More for this game' }).click();
  await page.keyboard.press('Escape');
  await host.space();
  await expect(host.openQuestions()).toHaveCount(1);
  await expect(page.locator('[data-menu]')).toHaveCount(0);
  await expect(page.getByRole('radio').first(), 'still listed').toBeVisible();
  // Tab gives the key back.
  const hide = page.getByRole('button', { name: 'Hide the list' });
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('Shift+Tab');
  await expect(hide).toBeFocused();
  await host.space();
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(page.locator('[data-released]')).toHaveAttribute('data-released', '1');

  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Next, your pick')).toBeVisible();
  await expect(page.getByText('You picked this question. Players will see it as question 2.')).toBeVisible();
  await expect(host.button('release_question')).toHaveText(/Ask question 3/);
  await isAccessible(page, 'host, another question is picked');
  await host.space();
  await expect(host.openQuestions().filter({ hasText: 'How many strings has a violin?' })).toHaveCount(1);
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

/** Answers the question whether the game ends, with Space. */
async function end(host: Host): Promise<void> {
  await expect(host.page.getByRole('dialog', { name: 'End the game?' }).getByRole('button', { name: 'End the game' })).toBeFocused();
  await host.space();
  await expect(host.page.getByRole('heading', { name: 'The game is over' })).toBeVisible();
}

test('a whole evening with nothing but Space, through reloads and kills of the server: every picture is shown, and the end is asked about', async ({ live }) => {
  const host = await live.host();
  host.watch.allow(CONNECTION_LOST);
  const screen = await live.screen(host);
  await live.guests({ Ann: {} });
  await expect(host.page.getByRole('region', { name: '1 player' })).toContainText('Ann');
  // Each kind of step once.
  const lost = new Map<string, 'page' | 'server'>([
    ...([['start_game', 'page'], ['release_question', 'server'], ['end_round', 'page']] as const),
    ...([['release_scores', 'server'], ['show', 'page'], ['start_next_round', 'server']] as const),
  ]);
  const taken = await evening(host, async (name, label) => {
    const what = lost.get(name);
    lost.delete(name);
    if (what === undefined) return;
    if (what === 'page') await host.page.reload();
    else {
      await live.server.kill();
      await live.server.start();
    }
    const step = host.page.locator('[data-step]');
    await expect(step.getByRole('button')).toBeEnabled({ timeout: 30_000 });
    await expect(step, `${name}, after the ${what} was lost`).toHaveText(label, { useInnerText: true });
  });
  const round = (questions: number) => [...Array.from({ length: questions }, () => 'release_question'), 'end_round', 'release_scores'];
  const shows = (count: number) => Array.from({ length: count }, () => 'show');
  expect(taken.slice(0, 10), 'two more answers, the standings').toEqual(['start_game', ...round(3), ...shows(3), 'start_next_round']);
  expect(taken.slice(10, 14)).toEqual(round(2));
  expect(new Set(taken.slice(14, -1)), 'the other answer, the end, the standings').toEqual(new Set(['show']));
  expect(taken.at(-1)).toBe('end_game');
  await isAccessible(host.page, 'host, the end is asked about');
  await end(host);
  await screen.sees('Thanks for playing');
  host.watch.verify();
});

test.describe('question by question', () => {
  const of = (text: string) => ({ text, type: 'text', correctAnswers: ['yes'] });
  const two = { text: 'Two?', type: 'multiple_choice', choices: ['yes', 'no', 'neither of the two, or both'], correctAnswers: ['yes'] };
  const rounds = [{ title: 'Science', questions: [of('One?'), two] }, { title: '', questions: [of('Three?')] }];
  const numbers = [1, 2, 1];
  const titles = ['Science · question 1 of 2', 'Science · question 2 of 2', 'Round 2 · question 1 of 1'];
  test.use({ quiz: { title: 'Class', rounds }, options: bodyOf(PRESETS.speed) });

  test('a whole evening is played with nothing but Space; the page says which question of which section it is, as phones number it', async ({ live }) => {
    const host = await live.host();
    const ann = await live.guest('Ann');
    await expect(host.page.locator('[data-part=head]')).toContainText('Lobby · 3 questions');
    let asked = 0;
    const taken = await evening(host, async (name) => {
      if (name === 'release_question') {
        await expect(host.page.getByRole('heading', { level: 1 })).toContainText(titles[asked] ?? '');
        if (asked === 2) await isAccessible(host.page, 'host, the section of a question');
        asked += 1;
      }
      if (name === 'close_question') await isNumbered(host, ann, numbers[asked - 1] ?? 0);
      if (name === 'release_scores' && asked === 2) await holdsAtEveryWidth(host.page, 'host, the shares of the choices', isNotTooWide);
    });
    const course = titles.flatMap((_, at) => [
      ...['release_question', 'close_question', 'reveal_answer', 'release_scores', 'show_standings'],
      at + 1 < titles.length ? 'start_next_round' : 'end_game',
    ]);
    expect(taken).toEqual(['start_game', ...course]);
    await end(host);
    await expect(ann.page.locator('main')).toHaveAttribute('data-scene', 'ended');
    for (const each of [host, ann]) each.watch.verify();
  });

  async function isNumbered(host: Host, ann: Phone, number: number): Promise<void> {
    await expect(ann.page.getByRole('article', { name: `Question ${String(number)}` })).toBeVisible();
    await expect(host.page.getByText(`Phones show question ${String(number)} and take answers.`)).toBeVisible();
  }
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

  test.describe('question by question', () => {
    // Here the host closes each question.
    test.use({ options: bodyOf({ ...PRESETS.speed, closeWhenAnswered: false }) });

    test('it asks before the answer is shown, not a second time before the points, and does nothing while a question closes', async ({ live }) => {
      const host = await live.host();
      const held: (() => void)[] = [];
      let isHeld = false;
      await host.page.routeWebSocket(/\/ws\//, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((text) => {
          const say = (): void => {
            socket.send(text);
          };
          if (isHeld && String(text).includes('"step_update"')) held.push(say);
          else say();
        });
      });
      await host.page.reload();
      await live.guests({ Owls: { [ASKED]: 'Reykjavk' } });
      await expect(host.page.getByRole('region', { name: '1 player' })).toContainText('Owls');
      await host.start();
      await host.release();
      await expect(host.page.getByText('1 to check')).toBeVisible();
      await test.step('while the question closes the button says so, and does nothing', async () => {
        isHeld = true;
        await host.step('close_question');
        await expect(host.button('close_question')).toHaveAccessibleName(/Closing…/);
        await host.space();
        await host.button('close_question').click({ force: true });
        await expect(host.page.getByText('Closed', { exact: true })).toBeVisible();
        await expect(host.button('close_question')).toHaveAccessibleName(/Closing…/);
        isHeld = false;
        for (const say of held) say();
        await expect(host.button('reveal_answer')).toHaveText(/Show the answer/);
      });
      await host.space();
      await expect(host.button('reveal_answer')).toHaveText(/Continue: 1 unchecked counts as wrong/);
      await host.page.keyboard.press('m');
      await host.close();
      await expect(host.button('reveal_answer')).toHaveText(/Show the answer/);
      for (let presses = 0; presses < 2; presses += 1) await host.space();
      await expect(host.page.getByRole('heading', { name: 'The answer is out' })).toBeVisible();
      await host.step('release_scores');
      await expect(host.button('show_standings')).toBeVisible();
      host.watch.verify();
    });
  });
});
