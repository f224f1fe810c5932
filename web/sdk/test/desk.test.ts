import { describe, expect, it } from 'vitest';

import { HostGame } from '../src/host.ts';
import { FakeWorld } from './fake.ts';
import { count, hostStatus, marking, pong, released, room, roundStarted } from './messages.ts';

type Messages = { type: string; payload?: object }[];

const QUESTION: Messages = [hostStatus(), room(true, [['Ann', 'connected']]), roundStarted(), released('q1'), count('q1', 0)];

function host(...sync: Messages) {
  const world = new FakeWorld();
  const game = new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: world.whole });
  const connect = (...messages: Messages) => {
    world.socket.open('quizhall.v1');
    world.socket.deliver(...messages, pong);
    world.pass(1_000);
  };
  const deliver = (...messages: Messages) => {
    world.socket.deliver(...messages);
    world.pass(0);
    return game.view;
  };
  const comeBack = (code?: number) => {
    world.socket.end(code);
    world.pass(20_000);
    connect(...sync);
  };
  connect(...sync);
  return { world, game, deliver, comeBack };
}

describe('the desk', () => {
  const groups = (text: string) => ({
    type: 'answers_update',
    payload: { questionId: 'q1', groups: [{ text, count: 1, correct: false }], total: 1 },
  });
  const textsOf = (view: HostGame['view']) => view.groups.get('q1')?.groups.map(({ text }) => text);

  it('is opened once a connection, and keeps what it shows until that is sent anew', () => {
    const { world, game, deliver, comeBack } = host(...QUESTION);
    expect([game.openDesk(), game.openDesk()]).toEqual([true, false]);
    expect(world.socket.sent.filter(({ type }) => type === 'open_desk')).toHaveLength(1);
    expect(textsOf(deliver(groups('Roma'), marking(0)))).toEqual(['Roma']);
    expect(game.view.pending).toEqual([]);
    comeBack();
    expect(textsOf(game.view)).toEqual(['Roma']);
    expect(game.openDesk()).toBe(true);
    expect(textsOf(deliver(groups('roma'), marking(0)))).toEqual(['roma']);
  });

  it('is not an undo', () => {
    const { game, deliver } = host(...QUESTION, marking(1));
    game.openDesk();
    game.undoMarking();
    expect(deliver(marking(1)).pending).toEqual(['undo_marking']);
  });

  it('is let be when the server does not know it', () => {
    const { game, comeBack } = host(...QUESTION);
    game.openDesk();
    comeBack(4002);
    expect([game.openDesk(), game.view.pending]).toEqual([false, []]);
  });
});
