// The one next step: a button and a key that never skip anything, however often and on however many devices it is pressed.

import type { Locator } from '@playwright/test';

import { bodyOf, PRESETS } from '../../host/src/start/options.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { CONNECTION_LOST, isAccessible } from '../support/checks.ts';
import { heldLine } from '../support/heldline.ts';
import type { Host } from '../support/host.ts';
import { expect, test } from '../support/livegame.ts';

/** Clicks twice at one moment of the page's clock, however long the machine takes between the two. */
async function twice(host: Host, target: Locator): Promise<void> {
  const now = await host.page.evaluate(() => Date.now());
  await host.page.clock.pauseAt(now + 1_000);
  await target.dblclick();
  await host.page.clock.resume();
}

/** Gives a seat to a player on paper, and waits until the server has it. */
async function seat(host: Host, name: string): Promise<void> {
  await host.seat(name);
  await expect(host.page.getByRole('region', { name: '1 player' })).toContainText(name);
}

test('a double click is one click, and a key that is leant on is one press', async ({ live }) => {
  const host = await live.host();
  const guest = await live.guest('Ann');
  const opened = host.context.waitForEvent('page');
  await twice(host, host.page.getByRole('link', { name: 'Open on this machine' }));
  await expect((await opened).getByText('Ann', { exact: true })).toBeVisible();
  expect(host.context.pages(), 'the host page and one screen').toHaveLength(2);
  await host.page.bringToFront();
  await twice(host, host.button('start_game'));
  await expect(host.button('release_question')).toBeEnabled();
  await twice(host, host.button('release_question'));
  await expect(host.openQuestions()).toHaveCount(1);
  await expect(host.button('release_question')).toHaveText(/Ask question 2/);

  await host.button('release_question').focus();
  await host.page.clock.fastForward(1_000);
  await host.page.keyboard.down('Enter');
  await expect(host.button('release_question')).toHaveText(/Ask question 3/);
  // The browser repeats the key while it stays down.
  await host.page.clock.fastForward(1_000);
  for (let again = 0; again < 5; again += 1) await host.page.keyboard.down('Enter');
  await host.page.keyboard.up('Enter');
  await expect(guest.question(2)).toBeVisible();
  await expect(host.button('release_question')).toHaveText(/Ask question 3/);
  host.watch.verify();
});

test('the focus is never lost: the button of the step keeps it, and a question that is asked gives it to the next', async ({ live }) => {
  const host = await live.host();
  await host.start();
  await host.unfold();
  await host.page.getByRole('radio').first().focus();
  await host.space();
  await expect(host.openQuestions()).toHaveCount(1);
  await expect(host.page.getByRole('radio').first()).toBeFocused();
  await host.release();
  await host.button('release_question').focus();
  await host.page.clock.fastForward(1_000);
  await host.page.keyboard.press('Enter');
  await expect(host.button('end_round')).toBeFocused();
  await expect(host.page.getByRole('heading', { name: '3 questions are open' })).toBeVisible();
  host.watch.verify();
});

test('a control that was clicked keeps no key, and another question is picked with the arrows', async ({ live }) => {
  const host = await live.host();
  await host.start();
  await host.unfold();
  await host.page.getByRole('button', { name: 'More for this game' }).click();
  await host.page.keyboard.press('Escape');
  await host.space();
  await expect(host.openQuestions()).toHaveCount(1);
  await expect(host.page.locator('[data-menu]')).toHaveCount(0);
  await expect(host.page.getByRole('radio').first(), 'still listed').toBeVisible();
  // Tab gives the key back.
  const hide = host.page.getByRole('button', { name: 'Hide the list' });
  await host.page.getByRole('radio').first().focus();
  await host.page.keyboard.press('Shift+Tab');
  await expect(hide).toBeFocused();
  await host.space();
  await expect(host.page.getByRole('radio')).toHaveCount(0);
  await expect(host.page.locator('[data-released]')).toHaveAttribute('data-released', '1');

  await host.page.keyboard.press('ArrowDown');
  await expect(host.page.getByText('Next, your pick')).toBeVisible();
  await expect(host.page.getByText('You picked this question. Players will see it as question 2.')).toBeVisible();
  await expect(host.button('release_question')).toHaveText(/Ask question 3/);
  await isAccessible(host.page, 'host, another question is picked');
  await host.space();
  await expect(host.openQuestions().filter({ hasText: 'How many strings has a violin?' })).toHaveCount(1);
  await expect(host.button('release_question'), 'the one whose turn it was').toHaveText(/Ask question 2/);
  host.watch.verify();
});

test('a screen that appears in the middle makes its pictures the next step, and takes them along when it goes', async ({ live }) => {
  const host = await live.host();
  const api = new HostApi(live.server.url, live.token);
  await host.start();
  await host.release(2);
  await host.endRound();
  await host.releaseScores();
  await expect(host.button('start_next_round')).toBeVisible();
  const { screenId } = await api.addScreen(live.game.id);
  await expect(host.button('show')).toBeVisible();
  await expect(host.page.getByRole('region', { name: 'On the screen' })).toContainText('answer 1 of 2');
  await api.removeScreen(live.game.id, screenId);
  await expect(host.button('start_next_round')).toBeVisible();
  await expect(host.page.getByRole('region', { name: 'On the screen' })).toHaveCount(0);
  host.watch.verify();
});

/** Goes through the whole evening with nothing but Space, up to the end, which is asked about; the steps that were taken. */
async function evening(host: Host): Promise<string[]> {
  const taken: string[] = [];
  const step = host.page.locator('[data-step]');
  for (let presses = 0; presses < 40; presses += 1) {
    await expect(step.getByRole('button')).toBeEnabled();
    const name = (await step.getAttribute('data-step')) ?? '';
    const label = await step.innerText();
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

test('a whole evening with nothing but Space: every picture is shown, and the end is asked about', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  await live.guest('Ann');
  const taken = await evening(host);
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

test('each step is the same after a reload and after the server was killed', async ({ live }) => {
  const host = await live.host();
  host.watch.allow(CONNECTION_LOST);
  await live.screen(host);
  await seat(host, 'Paper Tigers');
  for (let presses = 0; presses < 9; presses += 1) {
    const step = host.page.locator('[data-step]');
    await expect(step.getByRole('button')).toBeEnabled();
    const label = await step.innerText();
    if (presses % 2 === 0) {
      await host.page.reload();
    } else {
      await live.server.kill();
      await live.server.start();
    }
    await expect(step.getByRole('button')).toBeEnabled({ timeout: 30_000 });
    await expect(step, `step ${String(presses)}`).toHaveText(label, { useInnerText: true });
    await host.space();
    await expect(step).not.toHaveText(label, { useInnerText: true });
  }
  host.watch.verify();
});

test.describe('question by question', () => {
  test.use({ options: bodyOf(PRESETS.speed) });

  test('a whole evening is played with nothing but Space', async ({ live }) => {
    const host = await live.host();
    const ann = await live.guest('Ann');
    const taken = await evening(host);
    const questions = live.game.rounds.flatMap((round) => round.questions);
    const course = questions.flatMap((_, at) => [
      ...['release_question', 'close_question', 'reveal_answer', 'release_scores', 'show_standings'],
      at + 1 < questions.length ? 'start_next_round' : 'end_game',
    ]);
    expect(taken).toEqual(['start_game', ...course]);
    await end(host);
    await expect(ann.page.locator('main')).toHaveAttribute('data-scene', 'ended');
    for (const each of [host, ann]) each.watch.verify();
  });
});

test('two hosts who press Space at once take one step', async ({ live }) => {
  const host = await live.host();
  const sam = await live.coHost(await host.invite('Sam', 'Host'));
  const line = await heldLine(sam.page);
  await sam.page.reload();
  await sam.isConnected();
  await seat(host, 'Paper Tigers');
  await expect(sam.page.getByRole('region', { name: '1 player' })).toContainText('Paper Tigers');
  for (const step of ['start_game', 'release_question', 'release_question', 'release_question', 'end_round', 'release_scores'] as const) {
    const label = await host.button(step).innerText();
    for (const each of [host, sam]) await expect(each.button(step)).toHaveText(label, { useInnerText: true });
    // Whatever the machine does meanwhile, the second page has not been sent the step of the first when its own key is pressed.
    line.hold();
    await host.space();
    await expect(host.page.locator('[data-step]')).not.toHaveText(label, { useInnerText: true });
    await sam.space();
    line.pass();
    await expect(sam.page.locator('[data-step]')).not.toHaveText(label, { useInnerText: true });
  }
  for (const each of [host, sam]) {
    await expect(each.button('start_next_round'), 'each step was taken once').toBeEnabled();
    each.watch.verify();
  }
});

test('an empty lobby is not left by a stray Space: it says what is missing, and a click still starts the game', async ({ live }) => {
  const host = await live.host();
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
  await host.step('start_game');
  await expect(host.button('release_question')).toBeEnabled();
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
    const other = await host.context.newPage();
    await other.goto(`${live.server.url}/host/games/${live.game.id}`);
    await expect(other.getByRole('button', { name: 'Undo (1)' }), 'the server has the decision').toBeEnabled();
    await other.close();
    await host.page.bringToFront();
    await host.page.getByRole('button', { name: 'Host on both devices' }).click();
    await host.isConnected();
    await host.space();
    await expect(host.button('release_scores')).toHaveText(/Continue: 1 unchecked counts as wrong/);
    await host.space();
    await expect(host.button('end_game')).toBeEnabled();
    host.watch.verify();
  });

  test.describe('question by question', () => {
    // Here the host closes each question.
    test.use({ options: bodyOf({ ...PRESETS.speed, closeWhenAnswered: false }) });

    test('it asks before the answer is shown, and not a second time before the points', async ({ live }) => {
      const host = await live.host();
      await live.guests({ Owls: { [ASKED]: 'Reykjavk' } });
      await host.start();
      await host.release();
      await expect(host.page.getByText('1 to check')).toBeVisible();
      await host.step('close_question');
      await expect(host.button('reveal_answer')).toBeEnabled();
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

    test('while the question closes the button says so, and does nothing', async ({ live }) => {
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
      await live.guests({ Owls: {} });
      await expect(host.page.getByRole('region', { name: '1 player' })).toContainText('Owls');
      await host.start();
      await host.release();
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
      host.watch.verify();
    });
  });
});
