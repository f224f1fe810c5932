// A subscriber that calls methods: it is not called from inside itself, and what it sends is sent once.

import { expect, it } from 'vitest';

import { hostStatus, jokerRound, leaderboard, pong, roundStarted } from './messages.ts';
import { play } from './playing.ts';

it('plays the joker, appeals and answers a tie-break once for a subscriber that does so with each view', () => {
  const { world, game } = play();
  world.socket.open();
  world.socket.deliver(hostStatus(), roundStarted(1), leaderboard(['Ann', 0, 1]), jokerRound(2), pong);
  let depth = 0;
  let deepest = 0;
  const seen: unknown[] = [];
  game.subscribe((view) => {
    depth += 1;
    deepest = Math.max(deepest, depth);
    seen.push(view);
    game.playJoker();
    game.appeal('q1');
    game.answerTieBreak(5);
    depth -= 1;
  });
  const players = [{ playerId: game.view.me.playerId, displayName: 'Ann', answered: false }];
  world.socket.deliver({ type: 'tie_breaks', payload: { tieBreaks: [{ text: '?', players }] } });
  world.pass(100);
  const sent = world.socket.sent.map(({ type }) => type).filter((type) => ['play_joker', 'appeal', 'answer_tie_break'].includes(type));
  expect([deepest, sent.sort()]).toEqual([1, ['answer_tie_break', 'appeal', 'play_joker']]);
  expect(seen.at(-1), 'the newest view is seen at last').toBe(game.view);
});
