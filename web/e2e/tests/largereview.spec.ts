// A round of 5,040 answers on the host's page: the server sends groups of them, and the desk works as in a small round.

import type { QuizBody, Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';
import { Seat } from '../support/seat.ts';

/** As many as a player may answer at once. */
const QUESTIONS = 20;
const PLAYERS = 252;

const QUIZ: QuizBody = {
  title: 'Brass',
  rounds: [
    {
      title: '',
      questions: Array.from({ length: QUESTIONS }, (_, at) => ({
        text: `Which instrument is number ${String(at + 1)}?`,
        type: 'text',
        correctAnswers: ['Trombone'],
        points: 10,
      })),
    },
  ],
};

/** Of each four one writes "tuba!" and one a near miss. "Tuba" is the most frequent spelling, so it names the group whichever comes first. */
const ANSWERS = ['Tuba', 'tuba!', 'Tuba', 'Trombonne'];

test.use({ quiz: QUIZ });

/** Everyone joins, the game is started, every question is released, and everyone answers it. */
async function played(live: LiveGame): Promise<Seat[]> {
  const { url } = live.server;
  const code = live.game.gameCode;
  const kinds = ANSWERS.map((answer) => Object.fromEntries(QUIZ.rounds[0]?.questions.map(({ text }) => [text, answer]) ?? []));
  const seats: Seat[] = [];
  for (let number = 1; number <= PLAYERS; number += 12) {
    const few = Array.from({ length: 12 }, (_, at) => Seat.take(url, code, `Guest ${String(number + at)}`, kinds[at % kinds.length]));
    seats.push(...(await Promise.all(few)));
  }
  const runner = await live.runner();
  await runner.start();
  for (let number = 1; number <= QUESTIONS; number += 1) {
    await runner.release();
    await runner.counts(number, PLAYERS);
  }
  return seats;
}

test('a host marks a round of thousands of answers in groups', async ({ live }) => {
  test.slow();
  const seats = await played(live);
  const host = await live.host();
  await host.endRound();
  await expect(host.page.getByText(`${String(QUESTIONS)} to check`).first()).toBeVisible();
  await expect(host.group('Trombonne')).toContainText('×63');
  await expect(host.group('Tuba')).toContainText('×189');
  await expect(host.group('Tuba'), 'the other spelling').toContainText('tuba!');

  await test.step('a mark of a group marks every spelling, also for another socket, and is undone', async () => {
    await host.mark('Tuba', 'Right');
    await host.isMarked('Tuba', 'Right');
    await host.page.reload();
    await host.isMarked('Tuba', 'Right');
    await host.undo();
    await host.isMarked('Tuba', 'Wrong');
    await host.mark('Trombonne', 'Right');
    await expect(host.page.getByText(`${String(QUESTIONS - 1)} to check`).first()).toBeVisible();
  });
  await test.step('single answers are read when a group is opened, and can be marked', async () => {
    await host.group('Tuba').locator('[data-row]').click();
    const singles = host.page.locator('li[data-player]');
    await expect(singles).toHaveCount(40);
    await host.group('Tuba').getByRole('button', { name: 'Show 149 more' }).click();
    await expect(singles).toHaveCount(80);
    await singles.filter({ hasText: 'Guest 1' }).first().getByRole('button', { name: /Right/ }).click();
    await expect(host.group('Tuba')).toContainText('✓✗');
  });
  await test.step('the scores have the marks', async () => {
    await host.releaseScores();
    const found = (await results(live.server.url, live.token, live.game.id)) as Results;
    const rights = found.rounds[0]?.questions.slice(0, 2).map(({ answers }) => answers.filter(({ correct }) => correct).length);
    expect(rights, 'the near misses and one guest, and nothing in the question after it').toEqual([64, 0]);
  });
  host.watch.verify();
  for (const seat of seats) await seat[Symbol.asyncDispose]();
});
