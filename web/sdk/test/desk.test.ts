import { describe, expect, it } from 'vitest';

import type { HostGame } from '../src/host.ts';
import { v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import { count, hostStatus, marking, pong, released, room, roundStarted } from './messages.ts';

const QUESTION: Messages = [hostStatus(), room(true, [['Ann', 'connected']]), roundStarted(), released('q1'), count('q1', 0)];

describe('the desk', () => {
  const groups = (text: string) => ({
    type: 'answers_update',
    payload: { questionId: 'q1', groups: [{ text, count: 1, correct: false }], total: 1 },
  });
  const textsOf = (view: HostGame['view']) => view.groups.get('q1')?.groups.map(({ text }) => text);

  it('is opened once a connection, and keeps what it shows until that is sent anew', () => {
    const { world, game, deliver, comeBack } = v1(...QUESTION);
    expect([game.openDesk(), game.openDesk()]).toEqual([true, false]);
    expect(world.socket.sent.filter(({ type }) => type === 'open_desk')).toHaveLength(1);
    expect(textsOf(deliver(groups('Roma'), marking(0)))).toEqual(['Roma']);
    expect(game.view.pending).toEqual([]);
    comeBack(...QUESTION);
    expect(textsOf(game.view)).toEqual(['Roma']);
    expect(game.openDesk()).toBe(true);
    expect(textsOf(deliver(groups('roma'), marking(0)))).toEqual(['roma']);
  });

  it('gives half of the points to a text, and says nothing of half otherwise', () => {
    const { world, game } = v1(...QUESTION);
    game.acceptAnswer('q1', 'Roma', false, true);
    game.acceptAnswer('q1', 'Rome', true);
    const payloads = world.socket.sent.filter(({ type }) => type === 'accept_answer').map(({ payload }) => payload);
    expect(payloads).toEqual([
      { questionId: 'q1', text: 'Roma', correct: false, half: true },
      { questionId: 'q1', text: 'Rome', correct: true },
    ]);
  });

  it('is not an undo', () => {
    const { game, deliver } = v1(...QUESTION, marking(1));
    game.openDesk();
    game.undoMarking();
    expect(deliver(marking(1)).pending).toEqual(['undo_marking']);
  });

  it('is let be when the server does not know it', () => {
    const { world, game } = v1(...QUESTION);
    game.openDesk();
    world.socket.end(4002);
    world.pass(20_000);
    world.socket.open('quizhall.v1');
    world.socket.deliver(...QUESTION, pong);
    expect([game.openDesk(), game.view.pending]).toEqual([false, []]);
  });
});
