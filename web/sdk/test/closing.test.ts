import { describe, expect, it } from 'vitest';

import { v1 } from './hosting.ts';
import { hostStatus, questionClosed, released, room, roundStarted } from './messages.ts';

const PEOPLE = room(true, [['Ann', 'connected']]);
const options = (payload: object = {}) => ({ type: 'game_options', payload });

describe('a host who closes questions', () => {
  it('closes a question until that is confirmed, and no other', () => {
    const { game, deliver, sent } = v1(hostStatus(), PEOPLE, roundStarted(), released('q1'));
    expect([game.closeQuestion('q2'), game.closeQuestion('q1')]).toEqual([false, true]);
    expect(game.view.pending).toEqual(['close_question:q1']);
    expect(deliver(questionClosed('q1'))).toMatchObject({ pending: [], questions: [{ closed: true }] });
    expect(game.closeQuestion('q1')).toBe(false);
    expect(sent()).toContain('close_question {"questionId":"q1"}');
  });

  it('lets questions close when all have answered, as the server says on every connection', () => {
    const { game, deliver, comeBack } = v1(hostStatus(), PEOPLE, roundStarted());
    expect(game.view.closeWhenAnswered).toBe(false);
    expect(game.setCloseWhenAnswered(true)).toBe(true);
    expect(deliver(options({ closeWhenAnswered: true }))).toMatchObject({ closeWhenAnswered: true, options: { closeWhenAnswered: true }, pending: [] });
    expect(game.setCloseWhenAnswered(true)).toBe(false);
    comeBack(hostStatus(), PEOPLE, options({ closeWhenAnswered: true }), roundStarted());
    expect(game.view.closeWhenAnswered).toBe(true);
    comeBack(hostStatus(), PEOPLE, roundStarted());
    expect(game.view).toMatchObject({ closeWhenAnswered: false, options: null });
  });
});
