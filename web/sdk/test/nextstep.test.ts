import { describe, expect, it } from 'vitest';

import { host, v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import { count, hostStatus, released, room, roundStarted, step } from './messages.ts';

const QUESTION: Messages = [hostStatus(), room(true, [['Ann', 'connected']]), roundStarted(), released('q1'), count('q1', 0)];

describe('the next step', () => {
  it('is that of the last statement, and is taken once', () => {
    const { game, deliver, sent } = v1(...QUESTION, step(3, 'end_round', { waitsFor: { reason: 'answers', count: 2 } }));
    expect(game.view.step).toEqual({ number: 3, step: 'end_round', waitsFor: { reason: 'answers', count: 2 } });
    expect([game.next(2), game.next(4), game.next(3), game.next(3)]).toEqual([false, false, true, false]);
    expect(sent()).toEqual(['next {"number":3}']);
    expect(deliver(step(3, 'end_round')).pending).toEqual(['next:3']);
    expect(deliver(step(4, 'release_scores'))).toMatchObject({ step: { number: 4 }, pending: [] });
    expect(game.next(3)).toBe(false);
  });

  it('is taken after a lost connection only if it is still the next', () => {
    for (const [number, again] of [[3, ['next {"number":3}']], [4, []]] as const) {
      const { world, game, comeBack, sent } = v1(...QUESTION, step(3, 'end_round'));
      expect(game.next(3)).toBe(true);
      world.socket.end();
      expect(game.view.step).toMatchObject({ number: 3 });
      comeBack(...QUESTION, step(number, 'end_round'));
      expect(sent()).toEqual(again);
    }
  });

  it('is not known without the subprotocol', () => {
    const { game } = host('', ...QUESTION.filter(({ type }) => ['question_released', 'scoreboard_update'].includes(type)));
    expect([game.view.step, game.next(1)]).toEqual([null, false]);
  });
});
