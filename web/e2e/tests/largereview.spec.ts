// A round of 5,100 answers on the host's page: the server sends groups of them, and the desk works as in a small round.

import type { Browser } from '@playwright/test';

import type { QuizBody, Results } from '../../sdk/src/generated/protocol.ts';
import { results } from '../support/api.ts';
import type { Answers } from '../support/guests.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';

/** The most of a round. */
const QUESTIONS = 100;
const PLAYERS = 51;

const QUIZ: QuizBody = {
  title: 'A hundred',
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

/** Of each three one writes "Tuba", one "tuba!" and one a near miss. */
const GUESTS: Answers = Object.fromEntries(
  Array.from({ length: PLAYERS }, (_, number) => {
    const answer = ['Tuba', 'tuba!', 'Trombonne'][number % 3] ?? '';
    const texts = QUIZ.rounds[0]?.questions.map(({ text }) => [text, answer] as const) ?? [];
    return [`Guest ${String(number + 1)}`, Object.fromEntries(texts)];
  }),
);

test.use({ quiz: QUIZ });

/** Starts the game, releases every question, and waits until everyone has answered all of them. */
async function played(browser: Browser, live: LiveGame): Promise<void> {
  const { questions = [] } = live.game.rounds[0] ?? {};
  const page = await browser.newPage();
  await page.goto(`${live.server.url}/lamp.svg`);
  const address = `${live.server.url.replace('http', 'ws')}/ws/${live.game.gameCode}?token=${live.token}`;
  await page.evaluate(
    ({ address, ids, players }) =>
      new Promise<void>((done) => {
        const socket = new WebSocket(address);
        const send = (message: object) => {
          socket.send(JSON.stringify(message));
        };
        const left = [...ids];
        const waits = new Set(ids);
        const release = () => {
          const questionId = left.shift();
          if (questionId !== undefined) send({ type: 'release_question', payload: { questionId } });
        };
        socket.onopen = () => {
          send({ type: 'start_game' });
          release();
        };
        socket.onmessage = (event: MessageEvent<string>) => {
          const { type, payload } = JSON.parse(event.data) as { type: string; payload: { questionId: string; answerCount: number } };
          if (type !== 'scoreboard_update' || payload.answerCount < players || !waits.delete(payload.questionId)) return;
          release();
          if (waits.size === 0) done();
        };
      }),
    { address, ids: questions.map(({ id = '' }) => id), players: PLAYERS },
  );
  await page.close();
}

test('a host marks a round of thousands of answers in groups', async ({ live, browser }) => {
  test.slow();
  await live.guests(GUESTS);
  await played(browser, live);
  const host = await live.host();
  await host.endRound();
  await expect(host.page.getByText(`${String(QUESTIONS)} to check`).first()).toBeVisible();
  await expect(host.group('Trombonne')).toContainText('×17');
  await expect(host.group('Tuba')).toContainText('×34');
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
    await expect(singles).toHaveCount(34);
    await singles.filter({ hasText: 'Guest 1' }).first().getByRole('button', { name: /Right/ }).click();
    await expect(host.group('Tuba')).toContainText('✓✗');
  });
  await test.step('the scores have the marks', async () => {
    await host.releaseScores();
    const found = (await results(live.server.url, live.token, live.game.id)) as Results;
    const rights = found.rounds[0]?.questions.slice(0, 2).map(({ answers }) => answers.filter(({ correct }) => correct).length);
    expect(rights, 'the near misses and one guest, and nothing in the question after it').toEqual([18, 0]);
  });
  host.watch.verify();
});
