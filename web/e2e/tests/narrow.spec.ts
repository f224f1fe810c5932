// A small phone in every state: above a keyboard, with text of twice the size, with wide formulas, long questions and other directions
// of writing. Nothing is wider than the screen, nothing covers another element, and nothing moves under a finger.

import type { Locator, Page } from '@playwright/test';

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';
import { newGame } from '../support/api.ts';
import { isAccessible, isNotTooWide } from '../support/checks.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { type Phone, SMALL_PHONE } from '../support/phone.ts';
import type { Runner } from '../support/runner.ts';

/** The space that a keyboard leaves on the smallest phone. */
const OVER_KEYBOARD = { width: 320, height: 268 };
const WIDE = '$x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 + x_{10} = \\frac{a + b + c + d + e + f}{2} - \\sqrt{y_1 + y_2}$';
const LONG = `Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch${'h'.repeat(40)}`;
const HEBREW = 'מהי בירת צרפת?';

const QUIZ: QuizBody = {
  title: 'Narrow',
  rounds: [
    {
      title: 'Wide things',
      questions: [
        { text: `Solve this:\n${WIDE}`, type: 'multiple_choice', choices: [WIDE, '$\\frac{1}{2}$', LONG], correctAnswers: [WIDE], points: 10, explanation: `Because:\n${WIDE}` },
        { text: HEBREW, type: 'multiple_choice', choices: ['פריז', 'לונדון'], correctAnswers: ['פריז'], points: 10 },
        { text: `${'A long story. '.repeat(60)}What came of it?`, type: 'numeric', correctAnswers: ['88'], points: 10, timeLimit: 600 },
        { text: `Order ${LONG}`, type: 'order', choices: ['$\\frac{1}{2}$', LONG], correctAnswers: ['$\\frac{1}{2}$', LONG], points: 10 },
      ],
    },
  ],
};

test.use({ quiz: QUIZ });

async function boxOf(what: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await what.boundingBox();
  if (!box) throw new Error('it is not drawn');
  return box;
}

/** Text of twice the size, as people set it in the browser or on the phone. */
async function enlarge(page: Page, size: 'ordinary' | 'double' = 'double'): Promise<void> {
  await page.evaluate((each) => {
    document.documentElement.style.fontSize = each;
  }, size === 'double' ? '200%' : '');
}

/** A list shows the chosen entry completely, with its arrow. */
async function isNotCut(list: Locator, state: string): Promise<void> {
  const [has, wants] = await list.evaluate((select: HTMLElement) => {
    const now = select.getBoundingClientRect().width;
    select.style.cssText = 'flex: none; inline-size: max-content; max-inline-size: none';
    const whole = select.getBoundingClientRect().width;
    select.style.cssText = '';
    return [now, whole] as const;
  });
  expect(has, `the width of a list: ${state}`).toBeGreaterThanOrEqual(wants - 0.5);
}

/** Codes are random, and their letters have different widths. */
async function widenCode(page: Page): Promise<void> {
  await page.locator('header').evaluate((header) => {
    for (const group of header.querySelectorAll('.group')) group.textContent = 'WWW';
  });
}

/** Where the first line of a text begins and ends, and where its element does. */
async function endsOf(what: Locator): Promise<{ left: number; right: number }> {
  return what.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [line] = range.getClientRects();
    const box = element.getBoundingClientRect();
    return { left: (line?.left ?? NaN) - box.left, right: box.right - (line?.right ?? NaN) };
  });
}

/** The name and the button to join, over a keyboard: neither lies on the other. */
async function isFree({ page }: Phone, areBothInSight: boolean): Promise<void> {
  await page.getByLabel('Your name').click();
  await page.setViewportSize(OVER_KEYBOARD);
  const join = page.getByRole('button', { name: 'Join', exact: true });
  await page.getByLabel('Your name').scrollIntoViewIfNeeded();
  const [name, button] = [await boxOf(page.getByLabel('Your name')), await boxOf(join)];
  expect(name.y + name.height, 'the button comes after the name').toBeLessThanOrEqual(button.y);
  expect(name.y).toBeGreaterThanOrEqual(0);
  if (areBothInSight) expect(button.y + button.height, 'both are in sight').toBeLessThanOrEqual(OVER_KEYBOARD.height);
  await isNotTooWide(page, 'join over a keyboard');
  await page.setViewportSize(SMALL_PHONE);
}

/** The whole button to join is in sight, with and without a keyboard. */
async function isWhole(page: Page, state: string): Promise<void> {
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  const button = page.locator('button[type=submit]');
  for (const height of [SMALL_PHONE.height, 330]) {
    await page.setViewportSize({ ...SMALL_PHONE, height });
    await expect(button).toBeInViewport({ ratio: 1 });
    const covered = await button.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const points = [left + 8, right - 8].flatMap((x) => [top + 8, bottom - 8].map((y) => [x, y] as const));
      return points.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y)));
    });
    expect(covered, 'nothing lies over it').toEqual([]);
  }
  await isNotTooWide(page, state);
  await page.setViewportSize(SMALL_PHONE);
}

/** The join page: nothing lies over the button, in any language and over a keyboard, and text of twice the size cuts no list. */
async function joins(live: LiveGame, ann: Phone): Promise<void> {
  const { url } = live.server;
  const teams = await newGame(url, live.token, QUIZ, { teams: { devices: 3, captainOnly: false } });
  await isFree(ann, true);
  const lists = ann.page.locator('footer select');
  await isWhole(ann.page, 'join with a code');
  await ann.page.goto(`${url}/`);
  for (const language of ['en', 'de', 'es', 'fr']) {
    await lists.first().selectOption(language);
    await expect(ann.page.locator('html')).toHaveAttribute('lang', language);
    await isWhole(ann.page, `join, ${language}`);
    await enlarge(ann.page);
    for (const list of await lists.all()) await isNotCut(list, `${language}, double`);
    await isNotTooWide(ann.page, `${language}, double`);
    await enlarge(ann.page, 'ordinary');
  }
  await lists.first().selectOption('en');
  await ann.page.goto(`${url}/?code=${teams.gameCode}`);
  await ann.page.getByRole('radio', { name: 'Play on your own' }).check();
  await isFree(ann, false);
}

/** Letters from right to left begin at the right, the others at the left. */
async function standsRight(ann: Phone): Promise<void> {
  for (const text of [ann.question(2).locator('h2 bdi'), ann.question(2).locator('.choice bdi').first()]) {
    const { left, right } = await endsOf(text);
    expect(right).toBeLessThanOrEqual(1);
    expect(left).toBeGreaterThan(20);
  }
  const { left } = await endsOf(ann.question(1).locator('h2 bdi'));
  expect(left).toBeLessThanOrEqual(1);
}

/** No dialog hides its way out. */
async function hasWayOut({ page }: Phone): Promise<void> {
  for (const [open, close] of [['Move to another phone', 'Close'], ['Leave game', 'Stay']] as const) {
    await page.getByRole('button', { name: open }).click();
    const code = page.getByRole('dialog').locator('.code');
    const way = page.getByRole('dialog').getByRole('button', { name: close, exact: true });
    if (close === 'Close') {
      await expect(code).toBeVisible();
      const [symbols, end] = [await boxOf(code), await boxOf(way)];
      expect(symbols.y + symbols.height, 'the symbols are in sight, above the way out').toBeLessThanOrEqual(end.y);
    }
    await expect(way).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
  }
}

/** Plays the round with one player, who knows no answer. A tap moves nothing. */
async function play(ann: Phone): Promise<void> {
  const places = () => ann.page.locator('article, .choice').evaluateAll((all) => all.map((each) => [each.getBoundingClientRect().top + scrollY, each.clientHeight]));
  const before = await places();
  await ann.question(1).getByRole('button').nth(2).click();
  await ann.hasStored(1);
  expect(await places()).toEqual(before);
  await ann.choose(2, 'לונדון');
  await ann.write(3, '80');
  await ann.question(4).getByRole('button', { name: 'Send' }).click();
  await ann.hasStored(1, 2, 3, 4);
}

test('nothing lies over the button to join, in any language and over a keyboard; wide formulas, long words and letters from right to left fit into 320 pixels in every state, also with text of twice the size; a tap moves nothing', async ({ live }) => {
  const runner = await live.runner();
  const ann = await live.visitor({ size: SMALL_PHONE });
  await test.step('the join page', () => joins(live, ann));
  await ann.page.goto(`${live.server.url}/?code=${live.game.gameCode}`);
  await ann.sit('Bartholomew the Wise');
  const holds = async (state: string): Promise<void> => {
    for (const size of ['ordinary', 'double'] as const) {
      await enlarge(ann.page, size);
      await isNotTooWide(ann.page, `${state}, ${size}`);
    }
    await enlarge(ann.page, 'ordinary');
  };
  await widenCode(ann.page);
  await holds('lobby, the widest code');
  await runner.start();
  await runner.release(4);
  await expect(ann.question(1).locator('.choice math')).toHaveCount(2);
  await expect(ann.question(1).locator('h2 math')).toHaveCount(1);
  const label = ann.question(3).locator('[data-timer] > span').first();
  for (const size of ['ordinary', 'double'] as const) {
    await enlarge(ann.page, size);
    expect((await boxOf(ann.question(3).getByRole('textbox'))).width, `room to write, ${size}`).toBeGreaterThan(100);
    expect(await label.evaluate((span) => span.getClientRects().length), `the label of the timer is not broken, ${size}`).toBe(1);
  }
  await enlarge(ann.page, 'ordinary');
  await standsRight(ann);
  await hasWayOut(ann);
  await play(ann);
  await holds('sheet');
  await isAccessible(ann.page, 'phone, a formula that is too wide');
  await test.step('the last seconds', () => runsOut(ann, runner));
  await runner.endRound();
  runner.reveal(1);
  const revealed = ann.page.getByTestId('revealed');
  await expect(revealed.locator('math')).toHaveCount(4);
  await expect(revealed).toBeInViewport();
  await holds('review');
  await runner.releaseScores();
  const rows = ann.page.getByRole('listitem').filter({ hasText: 'Because:' });
  await expect(rows, 'the explanation stands with its question').toHaveCount(1);
  await expect(rows.locator('math'), 'question, right answer and explanation are set').toHaveCount(3);
  await expect(ann.page.locator('main')).not.toContainText('\\frac');
  expect((await boxOf(ann.page.getByText('Appeal').first())).height, 'what is tapped is large enough').toBeGreaterThanOrEqual(44);
  await holds('scores');
  await runner.endGame();
  const winner = ann.page.locator('li.rank1');
  const [name, score] = [await boxOf(winner.locator('bdi')), await boxOf(winner.locator('.score'))];
  expect(score.x, 'the winner’s points stand beside the name').toBeGreaterThanOrEqual(name.x + name.width);
  await holds('end');
  ann.watch.verify();
});

/** The last ten seconds stay in sight wherever a long question stands, and a clock that is set changes none of them. */
async function runsOut(ann: Phone, runner: Runner): Promise<void> {
  const time = ann.question(3).locator('[data-timer]');
  runner.setTime(12, 3);
  await expect(time.locator('.few')).toHaveCount(1);
  for (const place of ['start', 'end'] as const) {
    await ann.question(3).evaluate((card, block) => {
      card.scrollIntoView({ block });
    }, place);
    await expect(time, place).toBeInViewport({ ratio: 0.99 });
  }
  const shown = ann.question(3).locator('[data-seconds]');
  await ann.page.evaluate(() => {
    const own = Date.now.bind(Date);
    Date.now = () => own() + 3_600_000;
  });
  const seconds = async (): Promise<number> => Number(await shown.getAttribute('data-seconds'));
  const before = await seconds();
  await expect.poll(seconds).toBeLessThan(before);
  expect(await seconds(), 'it has not run out').toBeGreaterThan(0);
}
