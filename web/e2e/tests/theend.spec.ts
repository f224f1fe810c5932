// The host decides when the end is shown: in a game with sixty seats every frame to a v1 phone and every text of the screen is
// recorded, and none of them has the final order before the host shows it.

import { isAccessible } from '../support/checks.ts';
import { expect, test } from '../support/livegame.ts';
import { Seat } from '../support/seat.ts';

const SEATS = 60;
/** One of this many seats uses the plain interface, which has the board with the scores. */
const PLAIN = 10;
const QUESTIONS = ['How many legs has a spider?', 'Which metal is liquid at room temperature?', 'Who painted “Guernica”?'] as const;
const KEYS = ['8', 'Mercury', 'Picasso'] as const;

const QUIZ = {
  title: 'Sixty seats',
  rounds: [
    {
      title: 'The only round',
      questions: QUESTIONS.map((text, index) => ({
        ...{ text, type: 'text', correctAnswers: [KEYS[index] ?? ''] },
        // Different points, so that every set of right answers has a rank of its own.
        points: [1, 2, 4][index] ?? 1,
      })),
    },
  ],
};

test.use({ quiz: QUIZ });

/** The seats: the bits of a seat's number are the questions that it answers right. Seat 7 wins, and the seats after it tie. */
async function takeSeats(url: string, code: string): Promise<{ v1: Seat[]; plain: Seat[] }> {
  const taken = { v1: [] as Seat[], plain: [] as Seat[] };
  for (let number = 0; number < SEATS; number += 1) {
    const right = number === 7 ? 7 : (number % 6) + 1;
    const answers = QUESTIONS.map((text, bit) => [text, ((right >> bit) & 1) === 1 ? (KEYS[bit] ?? '') : 'no idea'] as const);
    const version = number % PLAIN === 0 ? 'plain' : 'v1';
    const seat = await Seat.take(url, code, `Table ${String(number + 1).padStart(2, '0')}`, Object.fromEntries(answers), { version });
    taken[version].push(seat);
  }
  return taken;
}

/** How many of these seats have received a message of this type. */
function received(seats: readonly Seat[], type: string): number {
  return seats.filter(({ frames }) => frames.some((text) => (JSON.parse(text) as { type: string }).type === type)).length;
}

test('the podium is a surprise: no v1 phone and no screen has the order before the host shows it', async ({ live }) => {
  const { v1, plain } = await takeSeats(live.server.url, live.game.gameCode);
  const host = await live.host();
  const screen = await live.screen(host);
  const ann = await live.guest('Phone of Ann');
  // Everything that the screen has ever shown, recorded by the page itself.
  await screen.page.evaluate(() => {
    const page = globalThis as unknown as { shown: string[] };
    page.shown = [];
    new MutationObserver(() => page.shown.push(document.body.innerText)).observe(document.body, {
      ...{ childList: true, subtree: true, characterData: true },
    });
  });
  const shown = () => screen.page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown.join('\n'));

  await host.start();
  await host.release(QUESTIONS.length);
  await host.unfold();
  await expect(host.openQuestions()).toHaveCount(QUESTIONS.length);
  for (const line of await host.openQuestions().all()) await expect(line).toContainText(`${String(SEATS)} of`);
  await host.endRound();
  // Cleared here, because the earlier records are not about the end.
  await screen.sees(/Marking/);
  await screen.page.evaluate(() => {
    (globalThis as unknown as { shown: string[] }).shown = [];
  });
  await host.releaseScores();
  await ann.sees('Your points are in');
  await expect.poll(() => received(v1, 'round_scores')).toBe(v1.length);
  await expect.poll(() => received(plain, 'scoreboard_update')).toBe(plain.length);

  await test.step('through the questions: shares, and no name', async () => {
    // Ann has not answered, and counts.
    await screen.sees(/^\d+ of 61 right$/);
    await isAccessible(screen.page, 'screen, answer, 60 seats');
    await host.showNext(2);
    await screen.sees('Picasso');
    expect(await shown()).not.toContain('Table');
  });

  await test.step('the host’s own page covers the standings, as it may be on the wall, and uncovers them when asked', async () => {
    const rows = host.page.getByRole('listitem').filter({ hasText: /Table \d\d.*\+\d/s });
    await expect(host.page.getByText('Hidden in case your screen is shared.')).toBeVisible();
    await expect(rows).toHaveCount(0);
    await isAccessible(host.page, 'host, standings covered');
    await host.page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(rows.first()).toContainText('Table 08');
    await host.page.reload();
    await host.isConnected();
    await expect(host.page.getByText('Hidden in case your screen is shared.')).toBeVisible();
    await expect(rows).toHaveCount(0);
  });

  await test.step('the podium from below: each name when it is shown, the winner last', async () => {
    while (!(await host.page.getByText('At the same moment, every phone').isVisible())) {
      await host.showNext();
      expect(await shown(), 'the winner').not.toContain('Table 08');
    }
    await ann.page.reload();
    await ann.sees('Your points are in');
    for (const type of ['round_leaderboard', 'scoreboard_update', 'game_ended']) expect(received(v1, type), type).toBe(0);
    const own = v1.flatMap(({ frames }) => frames.filter((text) => text.includes('roundTotal')));
    expect(own).toHaveLength(v1.length);
    for (const text of own) expect(text).not.toMatch(/Table|rank|playerId/);
    await expect(ann.page.locator('body')).not.toContainText('Table');
    await isAccessible(ann.page, 'phone, standings held');
  });

  await test.step('the winner, on the screen and on every phone', async () => {
    await host.showNext();
    await screen.sees('Table 08');
    await isAccessible(screen.page, 'screen, winner, 60 seats');
    await expect.poll(() => received(v1, 'scoreboard_update')).toBe(v1.length);
    expect(received(v1, 'round_leaderboard')).toBe(v1.length);
    await ann.sees('Table 08');
    await host.showNext();
    await screen.sees('Places 1 to');
    await isAccessible(screen.page, 'screen, standings, 60 seats');
    await host.endGame();
    await expect.poll(() => received(plain, 'game_ended')).toBe(plain.length);
    expect(received(plain, 'standings_status')).toBe(0);
  });
  for (const seat of [...v1, ...plain]) await seat[Symbol.asyncDispose]();
  for (const each of [host, ann]) each.watch.verify();
});

test.describe('a game that is finished early', () => {
  test.use({
    quiz: {
      title: 'Two rounds',
      rounds: [QUIZ.rounds[0], { title: 'Never played', questions: [{ text: 'Not asked?', type: 'text', correctAnswers: ['no'] }] }].flatMap((round) => round ?? []),
    },
  });

  test('shows its winner on the screen before it ends on the phones, also when the host decides so before the standings or after them', async ({ live }) => {
    const host = await live.host();
    const screen = await live.screen(host);
    const ann = await live.guest('Ann');
    await host.start();
    await host.release();
    await ann.write(1, KEYS[0]);
    await ann.hasStored(1);
    await host.choose('Finish after this round');
    await host.endRound();
    await host.releaseScores();
    await ann.sees('Your points are in');
    await expect(host.button('show'), 'decided before the standings').toContainText('the winners');
    await host.choose('Don’t finish after this round');
    const panel = host.page.getByRole('region', { name: 'On the screen' });
    await expect(panel).toContainText('On the screen now: answer 1 of 1');
    await host.choose('Finish after this round');
    await expect(panel, 'the screen stays where it is').toContainText('On the screen now: answer 1 of 1');
    await expect(host.button('show')).toContainText('the winners');
    await host.choose('Don’t finish after this round');
    await host.showNext();
    await host.choose('Finish after this round');
    await screen.sees('And the winners are');
    await expect(panel).toContainText('On the screen now: the winners');
    await host.showWinner();
    await screen.sees('The winner is');
    await host.endGame();
    await ann.sees('You won, Ann');
    await screen.sees('Ann');
    await isAccessible(screen.page, 'screen, podium');
    for (const each of [host, ann]) each.watch.verify();
  });
});
