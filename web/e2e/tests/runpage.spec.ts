// The page of a running game: few controls in each phase, and everything else in drawers and menus that a keyboard opens, leaves and
// finds its way back from.

import { join } from '../support/api.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { controlsOf, MOST_CONTROLS } from '../support/controls.ts';
import { type Host, LAPTOP } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Seat } from '../support/seat.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

/** The narrowest page with a head of one line, an ordinary phone, and the narrowest of all. */
const WIDTHS = [
  [1024, 768],
  [390, 844],
  [320, 640],
] as const;

async function isCalm(host: Host, state: string): Promise<void> {
  const controls = await controlsOf(host.page);
  expect(controls.length, `${state}: ${controls.join(' | ')}`).toBeLessThanOrEqual(MOST_CONTROLS);
}

/** The head is one line where there is room, and at most two short ones on a phone. The button of the step is where it was in earlier states. */
async function hasLowHead(host: Host, state: string, places: Map<number, unknown>): Promise<void> {
  for (const [width, height] of WIDTHS) {
    await host.page.setViewportSize({ width, height });
    const button = await host.page.locator('[data-step] button').or(host.page.getByRole('link', { name: 'See all results' })).boundingBox();
    expect(button, `the button in ${state}, ${String(width)} px`).toEqual(places.get(width) ?? button);
    places.set(width, button);
    const box = await host.page.locator('[data-part=head]').boundingBox();
    expect(box?.height, `${state}, ${String(width)} px`).toBeLessThanOrEqual(width >= 1024 ? 60 : 120);
    const check = width === 390 && state !== 'the last leaderboard' ? isAccessible : isNotTooWide;
    await check(host.page, `host, ${state}, ${String(width)} px`);
  }
  await host.page.setViewportSize(LAPTOP);
}

test('few controls in every phase, under a head of one line', async ({ live }) => {
  const host = await live.host();
  const [first] = live.game.rounds[0]?.questions ?? [];
  await live.guests({ Owls: { [first?.text ?? '']: 'Reykjavik' }, 'The Larks of the Long Name': {}, Ben: {} });
  await expect(host.page.getByRole('region', { name: '3 players' })).toContainText('Ben');
  const places = new Map<number, unknown>();
  const look = async (state: string): Promise<void> => {
    await isCalm(host, state);
    await hasLowHead(host, state, places);
  };
  await look('lobby');
  await holdsAtEveryWidth(host.page, 'host, the lobby', isNotTooWide);
  await host.start();
  await look('round');
  await host.release(1);
  await look('question');
  await host.release(1);
  const choices = host.openQuestions().first().getByRole('list', { name: 'Choices' });
  await expect(choices.getByRole('listitem'), 'as on phones, none marked').toHaveText([/^A\s*Mars$/, /^B\s*Jupiter$/, /^C\s*Venus$/, /^D\s*Saturn$/]);
  await host.endRound();
  await look('review');
  await host.releaseScores();
  await look('leaderboard');
  await host.showWinner();
  await host.nextRound();
  await host.release(1);
  await host.endRound();
  await host.releaseScores();
  await look('the last leaderboard');
  await host.endGame();
  await look('ended');
  await holdsAtEveryWidth(host.page, 'host, the end of a game', isNotTooWide);
  await host.page.reload();
  await expect(host.page.getByRole('link', { name: 'See all results' })).toBeVisible();
  await isCalm(host, 'ended, read again');
  host.watch.verify();
});

test.describe('a word cloud beside texts', () => {
  const [CITY, WORD, AUTHOR] = ['What is the capital of Iceland?', 'Autumn in a word?', 'Who wrote “Nineteen Eighty-Four”?'] as const;
  const text = (asked: string, answer: string) => ({ text: asked, type: 'text', correctAnswers: [answer] });
  const cloud = { text: WORD, type: 'word_cloud', correctAnswers: [] };
  const rounds = [
    { title: '', questions: [text(CITY, 'Reykjavik'), cloud, text('What else?', 'Nothing')] },
    { title: '', questions: [text('And now?', 'now'), text(AUTHOR, 'Orwell')] },
  ];
  test.use({ quiz: { title: 'Clouds', rounds } });

  test('few controls also while a timer runs and answers wait, on the desk with marks to take back, and with appeals', async ({ live }) => {
    const host = await live.host();
    const { page } = host;
    await test.step('the lobby is as it was after the server was killed and the page was opened again', () => survives(live, host));
    const teams = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`Team ${String(at)}`, {}]));
    await live.guests({ Owls: { [CITY]: 'Reykjavk', [WORD]: 'fog' }, Ben: { [CITY]: 'Oslo', [WORD]: 'gold' }, ...teams });
    await using ann = await Seat.take(live.server.url, live.game.gameCode, 'Ann', { [CITY]: 'Bergen', [WORD]: 'fog', [AUTHOR]: 'Orwelll' }, { version: 'v1' });
    await host.start();
    await host.release(2);
    await test.step('a timer runs and answers wait', () => timed(host));
    await test.step('who is missing is first in the list of players', async () => {
      const drawer = await host.open('players');
      await expect(drawer.getByRole('listitem').first()).toContainText('Team');
      await expect(drawer.getByRole('listitem').last()).not.toContainText('Team');
      await host.close();
    });
    await host.release();
    await host.endRound();
    await test.step('on the desk', () => onDesk(host));
    await host.releaseScores();
    await host.showWinner();
    ann.say('appeal', { questionId: live.game.rounds[0]?.questions[0]?.id ?? '' });
    await expect(page.getByText('1 appeal').first()).toBeVisible();
    await isCalm(host, 'standings, with an appeal');
    await host.nextRound();
    await host.release(2);
    await host.choose('Timers and autopilot');
    await setTimer(host);
    await expect(page.getByText('1 to check').first()).toBeVisible();
    await isCalm(host, 'a timer runs, an answer waits, and so does an appeal');
    await expect(page.locator('[aria-live]').filter({ hasText: 'One appeal to decide' }), 'it is said although its drawer is closed').toBeAttached();
    await host.endRound();
    await isCalm(host, 'marking, with an appeal');
    await host.releaseScores();
    await isCalm(host, 'the end of the last round, with an appeal');
    host.watch.verify();
  });
});

/** A player on a phone that is off, one on paper, a screen, and a locked lobby. */
async function survives(live: LiveGame, host: Host): Promise<void> {
  const { page } = host;
  host.watch.allow(/WebSocket|net::ERR|Failed to load/);
  await join(live.server.url, live.game.gameCode, 'Early Eve');
  const screen = await live.screen(host);
  await screen.sees('Early Eve');
  await host.seat('Paper Tigers');
  await expect(page.getByRole('region', { name: '2 players' })).toContainText('Paper Tigers');
  await host.lock(true);
  await live.server.kill();
  await live.server.start();
  await page.reload();
  await host.isConnected();
  const players = page.getByRole('region', { name: '2 players' });
  for (const name of ['Early Eve', 'Paper Tigers']) await expect(players).toContainText(name);
  await host.isLocked(true);
  await expect(page.getByRole('region', { name: /1 screen/ })).toBeVisible();
  await isAccessible(page, 'host, a lobby that was read again');
  for (const name of ['Early Eve', 'Paper Tigers']) await host.remove(name);
  await host.lock(false);
}

/** In the drawer of the timers: ten minutes for the question that is asked. */
async function setTimer(host: Host): Promise<void> {
  const timers = host.page.getByRole('region', { name: 'Timers' });
  await timers.getByRole('textbox', { name: 'Seconds' }).fill('600');
  await timers.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(timers.getByRole('timer')).toBeVisible();
  await host.close();
}

async function timed(host: Host): Promise<void> {
  const { page } = host;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Add a timer' }).click();
  await page.setViewportSize(LAPTOP);
  const of = page.getByRole('region', { name: 'Timers' }).getByRole('combobox', { name: 'For' });
  await expect(of.locator('option:checked'), 'the question that is asked').toHaveText('Question 2');
  await setTimer(host);
  await expect(page.getByText('8 answers are missing')).toBeVisible();
  await expect(page.getByText('1 to check').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await isCalm(host, 'a timer runs and answers wait');
  await test.step('the clock is in sight at every width', async () => {
    await holdsAtEveryWidth(page, 'host, a timer runs', isNotTooWide);
    for (const [width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await expect(page.getByRole('group', { name: 'Clock' }).getByRole('timer')).toBeInViewport({ ratio: 1 });
    }
    await page.setViewportSize(LAPTOP);
  });
  await host.ofQuestion('Counts');
  await page.getByRole('button', { name: 'Show the counts to everyone' }).click();
  await expect(page.getByRole('checkbox', { name: 'fog' })).toBeVisible();
  await host.close();
  await isCalm(host, 'a word cloud with a timer, and a text that waits');
}

async function onDesk(host: Host): Promise<void> {
  const { page } = host;
  await host.layOut(2);
  await isCalm(host, 'a word cloud on the desk');
  await host.layOut(1);
  await isCalm(host, 'a text on the desk');
  await holdsAtEveryWidth(page, 'host, marking with a near miss', isNotTooWide);
  await host.mark('Oslo', 'Right');
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeEnabled();
  await isCalm(host, 'marks can be taken back');
  await test.step('a question can be withdrawn there', async () => {
    await host.mark('Reykjavk', 'Right');
    await host.layOut(3);
    await host.ofQuestion('Withdraw question');
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw question' }).click();
    await expect(page.getByRole('tab')).toHaveCount(2);
    await expect(page.getByRole('heading', { name: 'The round is over' })).toBeVisible();
  });
}

test('each chip opens its drawer, which has the focus, is left in three ways, and gives the focus back', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await live.guests({ Ben: {} });
  await host.start();
  await host.release(1);
  await host.choose('Timers and autopilot');
  const timers = page.getByRole('region', { name: 'Timers' });
  await timers.getByRole('textbox', { name: 'Seconds' }).fill('300');
  await timers.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(timers.getByRole('timer')).toBeVisible();
  await host.close();
  await expect(page.getByRole('button', { name: 'More for this game' }), 'the menu has the focus again').toBeFocused();
  const tools = page.getByRole('group', { name: 'Game tools' });
  for (const [name, title] of [
    [/^1 player/, '1 player'],
    [/^No screen/, 'Screens'],
  ] as const) {
    const chip = tools.getByRole('button', { name });
    const drawer = page.getByRole('dialog', { name: title });
    await chip.focus();
    await page.keyboard.press('Enter');
    // Without a screen the drawer is opened to add one, and its code can be typed at once.
    await expect(title === 'Screens' ? drawer.getByLabel('Code on the screen') : drawer.getByRole('heading', { name: title }).first()).toBeFocused();
    for (const [width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      await isNotTooWide(page, `host, drawer ${title}, ${String(width)} px`);
      const box = await drawer.boundingBox();
      expect(Math.round((box?.x ?? 0) + (box?.width ?? 0)), 'it is at the edge').toBe(width);
    }
    await isAccessible(page, `host, drawer ${title}`);
    await page.setViewportSize(LAPTOP);
    await page.keyboard.press('Escape');
    await expect(chip).toBeFocused();
    await chip.click();
    await page.mouse.click(200, 500);
    await expect(drawer, 'a click beside it').toHaveCount(0);
    await expect(chip).toBeFocused();
    await chip.click();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(chip).toBeFocused();
  }
  await page.keyboard.press('p');
  const clock = page.getByRole('group', { name: 'Clock' });
  await expect(clock.getByRole('button', { name: 'Resume' })).toBeVisible();
  const secondsLeft = async (): Promise<number> => {
    const [minutes = 0, seconds = 0] = (/\d+:\d\d/.exec(await clock.getByRole('timer').innerText())?.[0] ?? '').split(':').map(Number);
    return minutes * 60 + seconds;
  };
  const before = await secondsLeft();
  expect(before, 'a time that is held').toBeGreaterThan(0);
  await page.keyboard.press('+');
  await expect.poll(secondsLeft).toBe(before + 10);
  await page.keyboard.press('l');
  await host.isLocked(true);
  await page.keyboard.press('f');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy link' })).toBeVisible();
  await host.close();
  const players = page.getByRole('dialog', { name: '1 player' });
  await tools.getByRole('button', { name: /^1 player/ }).click();
  await players.getByRole('button', { name: /^answered/ }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press(' ');
  await expect(page.locator('[data-released]'), 'Space is the next step also after a drawer').toHaveAttribute('data-released', '2');
  await expect(players).toHaveCount(0);
  await host.choose('Co-hosts');
  await host.close();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await host.space();
  await expect(page.locator('[data-released]'), 'and after an entry of a menu').toHaveAttribute('data-released', '3');
  await expect(page.locator('[data-menu]')).toHaveCount(0);
  host.watch.verify();
});
