// The questions of a round stay known after they are closed.

import { expect, it } from 'vitest';

import { leaderboard, pong, questionClosed, released, roundEnded, roundStarted } from './messages.ts';
import { comeBack, play, playing } from './playing.ts';

it('keeps the questions of a round until the next one begins, each once, with its latest text', () => {
  const { world, game } = playing(['q1', 'q2']);
  const asked = () => game.view.asked.map(({ id, text }) => [id, text]);
  const before = asked();
  expect(before.map(([id]) => id)).toEqual(['q1', 'q2']);
  world.socket.deliver(questionClosed('q1'), { type: 'question_edited', payload: { questionId: 'q2', text: 'Better?', corrected: true } });
  world.socket.deliver(roundEnded, leaderboard(['Ann', 1, 1]));
  world.pass(0);
  expect(game.view.questions).toEqual([]);
  expect(asked()).toEqual([before[0], ['q2', 'Better?']]);
  world.socket.end();
  comeBack(world, roundStarted(), released('q1'), pong);
  expect(asked().map(([id]) => id)).toEqual(['q1', 'q2']);
  world.socket.deliver(roundStarted(2), released('q3'));
  world.pass(0);
  expect(asked().map(([id]) => id)).toEqual(['q3']);
});

it('are on the device: after a reload the scores still have their questions', () => {
  const { world, game, storage } = playing(['q1', 'q2']);
  world.socket.deliver(roundEnded, leaderboard(['Ann', 1, 1]));
  world.pass(0);
  const before = game.view.asked;
  game.close();
  const again = play(storage);
  again.world.socket.open();
  again.world.socket.deliver(roundStarted(), leaderboard(['Ann', 1, 1]), pong);
  again.world.pass(200);
  expect(again.game.view.asked).toEqual(before);
  expect(before).toHaveLength(2);
});
