import { expect, it } from 'vitest';

import type { QuizHistory } from '$sdk';

import { AskedHistory } from './asked.svelte.ts';

const game = (gameId: string) => ({ gameId, title: 'Q', createdAt: '', players: 2, answered: 1, right: 1 });

function history(...pages: readonly QuizHistory[]) {
  let asked = 0;
  const quizHistory = () => {
    asked += 1;
    const page = pages[asked - 1];
    return page ? Promise.resolve(page) : Promise.reject(new Error('not reachable'));
  };
  return { asked: new AskedHistory({ quizHistory }), count: () => asked };
}

it('is read again for as long as games are counted', async () => {
  const { asked, count } = history(
    { questions: [], pending: 2 },
    { questions: [{ questionId: 'a', games: [game('1')] }], pending: 1 },
    { questions: [{ questionId: 'a', games: [game('2'), game('1')] }] },
  );
  await asked.load('q');
  expect(count()).toBe(3);
  expect(asked.of('a').map(({ gameId }) => gameId)).toEqual(['2', '1']);
  expect(asked.of('b')).toEqual([]);
});

it('is not read again where no game can be counted, and keeps what it has when the server is away', async () => {
  const stuck = history({ questions: [], pending: 3 }, { questions: [{ questionId: 'a', games: [game('1')] }], pending: 3 });
  await stuck.asked.load('q');
  expect(stuck.count()).toBe(2);
  const away = history({ questions: [{ questionId: 'a', games: [game('1')] }], pending: 3 });
  await away.asked.load('q');
  expect(away.asked.of('a')).toHaveLength(1);
});
