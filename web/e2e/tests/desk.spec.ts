// The mistakes of a nervous host: clicking beside a button, changing the laptop, closing a window. And what a hall sees meanwhile.

import type { Locator } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { join } from '../support/api.ts';
import { CONNECTION_LOST, isNotTooWide } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { Host } from '../support/host.ts';
import { keepPicture } from '../support/pictures.ts';
import { HASTE_MS } from '../support/steps.ts';

test('behind a dialog no key does anything, wherever one has clicked', async ({ live }) => {
  const host = await live.host();
  await host.start();
  await host.page.getByRole('button', { name: /^Show code/ }).click();
  const dialog = host.page.getByRole('dialog');
  await dialog.getByRole('img').click();
  for (const key of ['Space', 'l', 'n']) await host.page.keyboard.press(key);
  await host.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await host.isLocked(false);
  await host.page.getByRole('heading', { level: 1 }).click();
  await host.page.keyboard.press('l');
  await host.isLocked(true);
  await expect(host.openQuestions()).toHaveCount(0);
  host.watch.verify();
});

test('a second laptop takes over; the first says so, does nothing, and takes the game back', async ({
  live,
  browser,
}) => {
  const first = await live.host();
  const screen = await live.screen(first);
  await first.start();
  await first.release();
  await screen.sees('Which city is the capital of Iceland?');
  await using second = await Host.at(browser, live.server.url, live.game.id);
  await expect(first.page.getByText('You’re hosting this game in another window.')).toBeVisible();
  await second.release();
  await first.page.keyboard.press('Space');
  await first.page.getByRole('button', { name: 'Host here' }).click();
  await expect(second.page.getByText('You’re hosting this game in another window.')).toBeVisible();
  await expect(first.page.locator('[data-released]')).toHaveAttribute('data-released', '2');
  await screen.sees('Which planet is the largest?');
  for (const each of [first, second]) each.watch.verify();
});

test('two windows of one browser: the screen follows the one that runs the game', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  await host.start();
  await screen.sees('Warming up');
  const other = await host.context.newPage();
  await other.goto(`${live.server.url}/host/games/${live.game.id}`);
  await expect(other.locator('[data-step="release_question"] button')).toBeEnabled();
  await other.locator('[data-step="release_question"] button').click();
  await screen.sees('Which city is the capital of Iceland?');
  await screen.page.reload();
  await screen.sees('Which city is the capital of Iceland?');
  await host.page.close();
  await other.clock.fastForward(HASTE_MS);
  await other.locator('[data-step="release_question"] button').click();
  await screen.sees('Which planet is the largest?');
  await test.step('and stays when that one is closed', async () => {
    await other.close({ runBeforeUnload: true });
    await screen.page.reload();
    await screen.sees('Which planet is the largest?');
  });
  host.watch.verify();
});

test('a screen of no game waits, and says how', async ({ live }) => {
  const host = await live.host();
  const page = await host.context.newPage();
  await page.goto(`${live.server.url}/screen#nothing`);
  await expect(page.getByRole('heading')).toBeVisible();
  await expect(page.getByText(live.game.title)).toHaveCount(0);
  await page.evaluate((id) => {
    location.hash = id;
  }, live.game.id);
  await expect(page.getByText(live.game.title)).toBeVisible();
  host.watch.verify();
});

async function again(host: Host): Promise<void> {
  await host.page.reload();
  await host.isConnected();
}

test('a question out of order, marking and board are the same after a reload, on the desk and on the wall', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const strings = 'How many strings has a violin?';
  await live.guests({ Ann: { [strings]: '4' } });
  await host.start();
  // Out of order: the third question first.
  await host.pick(strings);
  await host.release();
  await expect(host.openQuestions().first()).toContainText('1 of 1');
  await again(host);
  await expect(host.openQuestions()).toContainText(strings);
  await expect(host.button('release_question')).toHaveText(/Ask question 1/);
  await screen.sees(strings);
  await host.endRound();
  await again(host);
  await expect(host.page.getByRole('tab')).toHaveCount(1);
  await expect(host.page.getByRole('tab')).toContainText('1 of 1 right');
  await host.releaseScores();
  await again(host);
  await expect(host.button('show')).toBeEnabled();
  await screen.sees('1 of 1 right');
  await host.showNext();
  await screen.sees('1,000');
  await host.nextRound();
  await screen.sees('By the lamp');
  host.watch.verify();
});

test('the end: a tied third stands on the podium, and the code is not shown any more', async ({ live }) => {
  const host = await live.host();
  const [city, planet, strings] = live.game.rounds[0]?.questions.map(({ text }) => text) ?? [];
  const right = { [city ?? '']: 'Reykjavík' };
  await live.guests({
    Ann: { ...right, [planet ?? '']: 'Jupiter', [strings ?? '']: '4' },
    Ben: { ...right, [planet ?? '']: 'Jupiter' },
    Cleo: right,
    Dora: right,
  });
  await host.start();
  await host.release(3);
  await host.unfold();
  for (const [question, answers] of [[city, 4], [planet, 2], [strings, 1]] as const) {
    await expect(host.openQuestions().filter({ hasText: question ?? '' })).toContainText(`${String(answers)} of 4`);
  }
  await host.choose('Finish after this round');
  await host.endRound();
  await host.releaseScores();
  const code = host.page.getByRole('button', { name: /^Show code/ });
  await expect(code).toBeVisible();
  await host.endGame();
  const podium = host.page.getByRole('list', { name: 'Top three' });
  for (const name of ['Ann', 'Ben', 'Cleo', 'Dora']) await expect(podium).toContainText(name);
  await expect(podium.getByRole('listitem')).toHaveCount(3);
  await keepPicture(host.page, 'podium');
  await expect(code).toHaveCount(0);
  await host.page.keyboard.press('f');
  await expect(host.page.getByRole('dialog')).toHaveCount(0);
  host.watch.verify();
});

test('who is away is not waited for, and whose answer is in stays counted', async ({ live }) => {
  const host = await live.host();
  const screen = await live.screen(host);
  const [ann, ben, cleo] = [await live.guest('Ann'), await live.guest('Ben'), await live.guest('Cleo')];
  await host.start();
  await host.release();
  await ann.write(1, 'Oslo');
  await ann.hasStored(1);
  await expect(host.openQuestions().first()).toContainText('1 of 3');
  await screen.sees('1 of 3 answered');
  await cleo.page.goto('about:blank');
  await expect(host.openQuestions().first()).toContainText('1 of 2');
  await screen.sees('1 of 2 answered');
  await ann.page.goto('about:blank');
  const players = await host.open('players');
  await expect(players.getByRole('button', { name: /^offline 2$/ })).toBeVisible();
  await host.close();
  await expect(host.openQuestions().first()).toContainText('1 of 2');
  await screen.sees('1 of 2 answered');
  await ben.write(1, 'Oslo');
  await ben.hasStored(1);
  await expect(host.page.getByText('Everyone has answered question 1.')).toBeVisible();
  await screen.sees('2 of 2 answered');
  for (const each of [host, ann, ben, cleo]) each.watch.verify();
});

test('a wrong number of people never shows: an empty room, questions left, one removed while marked', async ({
  live,
}) => {
  const host = await live.host();
  await host.start();
  await host.release();
  await expect(host.page.getByText('Everyone has answered')).toHaveCount(0);
  const ann = await live.guest('Ann');
  const rude = await live.guest('Rude Name');
  rude.watch.allow(/Failed to load resource/);
  for (const guest of [ann, rude]) {
    await guest.write(1, 'Oslo');
    await guest.hasStored(1);
  }
  await host.endRound();
  await expect(host.group('Oslo')).toContainText('2 answers');
  await host.remove('Rude Name');
  await expect(host.group('Oslo')).toContainText('1 answer');
  await host.mark('Oslo', 'Right');
  await expect(host.group('Oslo')).not.toContainText('mixed');
  for (const guest of [host, ann, rude]) guest.watch.verify();
});

test('the last mark given holds, also when the line was away', async ({ live }) => {
  const cable = await live.cable();
  const host = await live.host({ cable });
  host.watch.allow(CONNECTION_LOST);
  const ann = await live.guest('Ann');
  await join(live.server.url, live.game.gameCode, 'Gus');
  await host.start();
  await host.release();
  await ann.write(1, 'Oslo');
  await ann.hasStored(1);
  await host.endRound();
  const marks = host.group('Oslo');
  // The review comes after the end of the round.
  await expect(marks).toBeVisible();
  cable.cut();
  await expect(host.page.getByText('Connection lost').first()).toBeVisible();
  await marks.getByRole('button', { name: 'Right', exact: true }).click();
  await marks.getByRole('button', { name: 'Wrong', exact: true }).click();
  await marks.getByRole('button', { name: 'Right', exact: true }).click();
  await marks.getByRole('button', { name: 'Wrong', exact: true }).click();
  await expect(host.button('release_scores')).toBeDisabled();
  cable.mend();
  await expect(host.button('release_scores')).toBeEnabled();
  // Marks are applied in order: once this one is stored, so are those given before the connection returned.
  await host.page.getByText('1 without an answer').click();
  await host.page.getByRole('button', { name: 'Mark as right for Gus' }).click();
  await expect(host.page.getByText('no answer, marked right by you')).toBeVisible();
  await host.isMarked('Oslo', 'Wrong');
  await host.releaseScores();
  await ann.sees('Right answer: Reykjavík');
  for (const each of [host, ann]) each.watch.verify();
});

test('a mark on one answer of an opened group is about that one, and a credit leaves the focus', async ({ live }) => {
  const host = await live.host();
  await live.guests({
    Ann: { 'Which city is the capital of Iceland?': 'Oslo' },
    Ben: { 'Which city is the capital of Iceland?': 'Oslo' },
  });
  await join(live.server.url, live.game.gameCode, 'Gus');
  await host.start();
  await host.release();
  await expect(host.openQuestions().first()).toContainText('2 of ');
  await host.endRound();
  await host.group('Oslo').getByRole('button', { expanded: false }).click();
  await host.page.getByRole('group', { name: 'Mark “Ann”' }).getByRole('button', { name: 'Wrong' }).focus();
  await host.page.keyboard.press('a');
  await expect(host.group('Oslo')).toContainText('mixed');
  await host.page.getByText('1 without an answer').click();
  await host.page.getByRole('button', { name: 'Mark as right for Gus' }).focus();
  await host.page.keyboard.press('Enter');
  await expect(host.page.getByText('no answer, marked right by you')).toBeVisible();
  host.watch.verify();
});

test('on a phone the marking begins right below the head, with the first mark at hand', async ({ live }) => {
  const host = await live.host();
  const { page } = host;
  await live.guests({ Ann: { 'Which city is the capital of Iceland?': 'Oslo' } });
  await host.start();
  await host.release();
  await expect(host.openQuestions().first()).toContainText('1 of 1');
  await page.setViewportSize({ width: 390, height: 844 });
  await host.endRound();
  await expect(host.group('Oslo')).toBeVisible();
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  const topOf = async (part: Locator): Promise<number> => Math.round((await part.boundingBox())?.y ?? Infinity);
  const tabs = page.getByRole('tablist');
  const touch = await host.context.newCDPSession(page);
  for (const pointer of ['mouse', 'finger']) {
    if (pointer === 'finger') await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
    await expect.poll(() => page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(pointer === 'finger');
    expect(await topOf(tabs), `the marking, ${pointer}`).toBeLessThan(140);
    expect(await topOf(page.getByRole('button', { name: /^Undo/ })), 'Undo is beside the tabs').toBeLessThan((await topOf(tabs)) + 40);
    expect(await topOf(host.group('Oslo').getByRole('button', { name: 'Right', exact: true })), `the first mark, ${pointer}`).toBeLessThan(400);
    await keepPicture(page, `marking-390-${pointer}`);
  }
  await host.ofQuestion('Reveal the answer');
  await expect(page.getByRole('tabpanel').getByRole('status')).toBeVisible();
  await isNotTooWide(page, 'host, marking on a phone');
  await keepPicture(page, 'marking-390');
  host.watch.verify();
});

test.describe('a round of eight questions', () => {
  const questions = Array.from({ length: 8 }, (_, at) => ({ text: `Which number comes after ${String(at)}?`, type: 'text', correctAnswers: [String(at + 1)] }));
  test.use({ quiz: { title: 'Numbers', rounds: [{ title: '', questions }] } });

  test('is marked within a window of 320 pixels, also with text of twice the size', async ({ live }) => {
    const host = await live.host();
    await live.guests({ Ann: Object.fromEntries(questions.map(({ text }) => [text, 'seven'])) });
    await host.start();
    await host.release(8);
    await host.endRound();
    await expect(host.group('seven')).toBeVisible();
    await host.page.setViewportSize({ width: 320, height: 700 });
    for (const size of ['100%', '200%']) {
      await host.page.evaluate((each) => {
        document.documentElement.style.fontSize = each;
      }, size);
      await isNotTooWide(host.page, `host, marking eight questions, text of ${size}`);
    }
    host.watch.verify();
  });
});

const ONE_ROUND: QuizBody = {
  title: 'One',
  rounds: [
    {
      title: '',
      questions: Array.from({ length: 100 }, (_, place) => ({
        text: `Question ${String(place + 1)} of very many, and each of them goes on for longer than its line on the wall is wide?`,
        type: 'text',
        correctAnswers: ['yes'],
      })),
    },
  ],
};

test.describe('one round without a title, of a hundred questions', () => {
  test.use({ quiz: ONE_ROUND });

  test('is run, shown and ended; long names stay within the wall', async ({ live }) => {
    const host = await live.host();
    const screen = await live.screen(host);
    // Names as wide as 24 letters can be.
    const names = Array.from({ length: 10 }, (_, place) => `${'WM'.repeat(11)}${String(place + 10)}`);
    await live.guests(Object.fromEntries(names.map((name) => [name, { [ONE_ROUND.rounds[0]?.questions[0]?.text ?? '']: 'yes' }])));
    await isNotTooWide(host.page, 'host, lobby with long names');
    await isNotTooWide(screen.page, 'screen, lobby with long names');
    await host.start();
    await host.release(3);
    await host.unfold();
    await expect(host.openQuestions().filter({ hasText: 'Question 1 of' })).toContainText('10 of 10');
    await screen.sees('Question 3 of very many');
    await host.endRound();
    await host.releaseScores();
    await expect(host.button('start_next_round')).toHaveCount(0);
    await host.skipQuestions();
    await host.showWinner();
    await screen.sees(names[0] ?? '');
    await isNotTooWide(screen.page, 'screen, ten winners');
    await host.step('show_standings');
    await host.showNext();
    await screen.sees(names[9] ?? '');
    const last = screen.page.getByRole('listitem').last();
    await expect(last).toBeInViewport({ ratio: 1 });
    await host.endGame();
    await expect(screen.page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    host.watch.verify();
  });
});
