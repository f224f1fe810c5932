// A round of 5,040 answers on the host's page: the server sends groups of them, and the desk works as in a small round.

import type { Page } from '@playwright/test';

import type { QuizBody, Results } from '../../sdk/src/generated/protocol.ts';
import { join, results } from '../support/api.ts';
import { expect, type LiveGame, test } from '../support/livegame.ts';

/** As many as a player may answer at once; a browser opens at most 255 sockets. */
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

/** Everyone joins, the game is started, every question is released, and everyone answers it. The sockets live in one page. */
async function played(page: Page, live: LiveGame): Promise<void> {
  const { url } = live.server;
  const guests: string[] = [];
  for (let number = 1; number <= PLAYERS; number += 12) {
    const few = Array.from({ length: 12 }, (_, at) => join(url, live.game.gameCode, `Guest ${String(number + at)}`));
    guests.push(...(await Promise.all(few)).map(({ sessionToken }) => sessionToken));
  }
  // Any file of the app can be opened: its policy allows sockets to its own server.
  await page.goto(`${url}/lamp.svg`);
  const address = `${url.replace('http', 'ws')}/ws/${live.game.gameCode}?token=`;
  const ids = (live.game.rounds[0]?.questions ?? []).map(({ id = '' }) => id);
  await page.evaluate(
    async ({ address, guests, host, ids, texts }) => {
      interface Message {
        type: string;
        payload: { questionId: string; answerCount: number; question: { id: string } };
      }
      const open = (token: string, heard: (message: Message, socket: WebSocket) => void): Promise<WebSocket> =>
        new Promise((opened, failed) => {
          const socket = new WebSocket(address + token);
          socket.onopen = () => {
            opened(socket);
          };
          socket.onclose = ({ code }) => {
            failed(new Error(`closed with ${String(code)}`));
          };
          socket.onmessage = ({ data }: MessageEvent<string>) => {
            heard(JSON.parse(data) as Message, socket);
          };
        });
      const say = (socket: WebSocket, type: string, payload = {}): void => {
        socket.send(JSON.stringify({ type, payload }));
      };
      for (const [number, token] of guests.entries()) {
        await open(token, ({ type, payload }, socket) => {
          if (type !== 'question_released') return;
          say(socket, 'submit_answer', { questionId: payload.question.id, answer: texts[number % texts.length] });
        });
      }
      await new Promise<void>((done, failed) => {
        const left = [...ids];
        void open(host, ({ type, payload }, socket) => {
          if (type !== 'scoreboard_update' || payload.answerCount < guests.length || payload.questionId !== left[0]) return;
          left.shift();
          if (left.length > 0) say(socket, 'release_question', { questionId: left[0] });
          else done();
        }).then((socket) => {
          say(socket, 'start_game');
          say(socket, 'release_question', { questionId: left[0] });
        }, failed);
      });
    },
    { address, guests, host: live.token, ids, texts: ANSWERS },
  );
}

test('a host marks a round of thousands of answers in groups', async ({ live, browser }) => {
  test.slow();
  const room = await browser.newPage();
  await played(room, live);
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
  await room.close();
});
