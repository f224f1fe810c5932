// The drawer of a round: operated by keyboard, every switch is stored, and every example is what the server counts.

import type { QuizBody, Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import { Host } from '../support/host.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { holdsAtEveryWidth } from '../support/widths.ts';

const CITIES = ['Berlin', 'Vienna', 'London', 'Lisbon'];
const QUIZ: QuizBody = {
  title: 'Settings',
  rounds: [
    {
      title: 'Capitals',
      questions: CITIES.map((city) => ({ text: `Which capital is ${city}?`, type: 'text', correctAnswers: [city], points: 4 })),
      halfPoints: true,
      streaks: true,
      wrongPoints: -3,
    },
  ],
};

test.use({ quiz: QUIZ });

const asked = (city: string): string => `Which capital is ${city}?`;

test('the settings of a round have examples that the server counts by, fit every window, and are operated by keyboard', async ({ live, browser }) => {
  await using host = await Host.open(browser, `${live.server.url}/host`, { session: live.session });
  await test.step('the examples are what the server counts', () => countAsShown(host, live));
  await test.step('the drawer fits every window, and says what has no effect at one point', () => fitWindows(host));
  await test.step('it is operated by keyboard, and each switch is stored', () => switchByKeyboard(host));
  host.watch.verify();
});

async function countAsShown(host: Host, live: LiveGame): Promise<void> {
  const all = (answers: readonly string[]) => Object.fromEntries(CITIES.map((city, at) => [asked(city), answers[at] ?? '']));
  await live.guests({ Ann: all(CITIES), Ben: all(['Berlni', 'Rome', 'London', 'Lisbon']) });
  const runner = await live.runner();
  await runner.start();
  await runner.release(CITIES.length);
  for (const number of CITIES.keys()) await runner.counts(number + 1, 2);
  await runner.endRound();
  await runner.releaseScores();
  const counted = (await results(live.server.url, live.token, live.game.id)) as Results;
  await host.openQuiz('Settings');
  const drawer = await host.settings(1);
  await expect(drawer.getByText('After 3 right answers in a row, the next one earns 5 instead of 4.')).toBeVisible();
  expect(pointsOf(counted, 'Ann')).toEqual([4, 4, 4, 5]);
  await expect(drawer.getByText('A near miss earns 2 of 4.')).toBeVisible();
  await expect(drawer.getByText('A wrong answer costs 3 points.')).toBeVisible();
  expect(pointsOf(counted, 'Ben')).toEqual([2, -3, 4, 4]);
}

async function fitWindows(host: Host): Promise<void> {
  const { page } = host;
  const drawer = page.getByRole('dialog', { name: 'Settings of round 1' });
  const points = drawer.getByLabel('Points per question in round 1');
  await points.fill('1');
  await points.press('Enter');
  await expect(drawer.getByText('At 1 point a question, a near miss earns nothing.')).toBeVisible();
  await expect(drawer.getByText('At 1 point a question, a streak adds nothing.')).toBeVisible();
  await holdsAtEveryWidth(page, 'host, the settings of a round');
  await drawer.getByRole('button', { name: 'Make it 2' }).first().click();
  await expect(drawer.getByText('A near miss earns 1 of 2.')).toBeVisible();
  await expect(drawer.getByText('After 5 right answers in a row, the next one earns 3 instead of 2.')).toBeVisible();
  const cost = drawer.getByRole('textbox', { name: 'Points that a wrong answer costs in round 1' });
  await cost.fill('20');
  await cost.press('Enter');
  await expect(drawer.getByText('A wrong answer costs 20 points.')).toBeVisible();
  await host.close();
}

async function switchByKeyboard(host: Host): Promise<void> {
  const { page } = host;
  const opener = page.getByRole('button', { name: 'Settings of round 1' });
  await opener.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Settings of round 1' });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(drawer.getByLabel('Points per question in round 1')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(drawer.getByLabel('Time for round 1')).toBeFocused();
  for (const name of ['Faster earns more', 'Streaks', 'Joker', 'Half points for near misses', 'Wrong answer costs']) {
    await page.keyboard.press('Tab');
    const each = drawer.getByRole('switch', { name });
    await expect(each).toBeFocused();
    const was = await each.isChecked();
    await page.keyboard.press('Space');
    await expect(each).toBeChecked({ checked: !was });
  }
  await expect(drawer.getByRole('textbox', { name: 'Points that a wrong answer costs in round 1' })).toBeHidden();
  await expect(drawer.getByText('A wrong answer costs nothing.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await expect(opener).toHaveText(/2 points each · Speed · Joker$/);
  await host.isSaved();
  await page.reload();
  await expect(opener).toHaveText(/2 points each · Speed · Joker$/);
}

/** The points of a player's answers in the order of the questions. */
function pointsOf({ rounds }: Results, name: string): number[] {
  const answers = rounds.flatMap(({ questions }) => questions.flatMap((question) => question.answers));
  return answers.filter(({ displayName }) => displayName === name).map(({ points }) => points);
}
