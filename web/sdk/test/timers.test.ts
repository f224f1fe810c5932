import { describe, expect, it } from 'vitest';

import { msLeft, noTimers, timersAfter } from '../src/timers.ts';
import type { TimerState } from '../src/timers.ts';
import { FakeWorld } from './fake.ts';
import { accepted, hostStatus, pong, questionClosed, released, roundEnded, roundStarted, timerUpdate } from './messages.ts';
import { comeBack, hosting, lives, play, playing, sent, states } from './playing.ts';

const after = (state: TimerState, at: number, roundTripMs: number, ...messages: { type: string; payload?: object }[]) => {
  return messages.reduce((before, message) => timersAfter(before, message, at, roundTripMs), state);
};

describe('the arithmetic of a timer', () => {
  it('takes half of the round trip off, and ends early rather than late', () => {
    const { timers } = after(noTimers, 5_000, 300, timerUpdate('q1', 10_000));
    const [timer] = timers;
    expect(timer && [5_000, 9_000, 14_849, 14_850, 99_000].map((now) => msLeft(timer, now))).toEqual([9_850, 5_850, 1, 0, 0]);
  });

  it('never has less than nothing, or more than was said by a clock that was set back', () => {
    const { timers } = after(noTimers, 5_000, 4_000, timerUpdate(null, 1_000));
    expect(timers.map((timer) => [msLeft(timer, 5_000), msLeft(timer, 0)])).toEqual([[0, 0]]);
    const [held] = after(noTimers, 5_000, 4_000, timerUpdate(null, 1_000, false)).timers;
    expect(held && [msLeft(held, 5_000), msLeft(held, 90_000)]).toEqual([1_000, 1_000]);
  });

  it('agrees on phones whose clocks and lines differ', () => {
    // The server writes at one moment; each phone reads it by its own clock, after half its own round trip.
    const phones = [
      { shift: 0, roundTripMs: 20 },
      { shift: 86_400_000, roundTripMs: 180 },
      { shift: -7_200_000, roundTripMs: 90 },
    ];
    const shown = (elapsed: number) => {
      return phones.map(({ shift, roundTripMs }) => {
        const at = 1_000_000_000 + shift + roundTripMs / 2;
        const [timer] = after(noTimers, at, roundTripMs, timerUpdate('q1', 30_000)).timers;
        return timer ? msLeft(timer, 1_000_000_000 + shift + elapsed) : NaN;
      });
    };
    for (const elapsed of [1_000, 12_345, 29_999]) expect(shown(elapsed)).toEqual(phones.map(() => 30_000 - elapsed));
  });

  it('knows how much longer the longest runs, where it is said', () => {
    const { payload, type } = timerUpdate('q1', 5_000);
    const [timer] = after(noTimers, 0, 0, { type, payload: { ...payload, extraMs: 2_500 } }).timers;
    expect(timer).toMatchObject({ leftMs: 5_000, extraMs: 2_500 });
    const [usual] = after(noTimers, 0, 0, timerUpdate('q1', 5_000)).timers;
    expect(usual && 'extraMs' in usual).toBe(false);
  });

  it('keeps one timer for each question and one for the round, until they end', () => {
    const running = after(noTimers, 0, 0, timerUpdate('q1', 5_000), timerUpdate(null, 60_000), timerUpdate('q1', 9_000));
    expect(running.timers.map(({ questionId, leftMs }) => [questionId, leftMs])).toEqual([
      [null, 60_000],
      ['q1', 9_000],
    ]);
    const closed = after(running, 0, 0, questionClosed('q1'));
    expect([closed.timers.length, [...closed.closed]]).toEqual([1, ['q1']]);
    expect(after(closed, 0, 0, roundEnded)).toEqual(noTimers);
    expect(after(closed, 0, 0, roundStarted(2))).toEqual(noTimers);
    expect(after(closed, 0, 0, pong)).toBe(closed);
  });
});

describe('a player with a timer', () => {
  it('measures its round trip, and keeps the best', () => {
    const { world, game } = play();
    world.socket.open();
    world.pass(80);
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), timerUpdate('q1', 20_000), pong);
    expect(game.view.timers).toMatchObject([{ questionId: 'q1', leftMs: 19_960, since: world.time }]);
    world.socket.onping = () => {
      world.platform.setTimer(() => {
        world.socket.deliver(pong);
      }, 400);
    };
    world.pass(30_000);
    world.socket.deliver(timerUpdate('q1', 20_000));
    world.pass(0);
    expect(game.view.timers).toMatchObject([{ leftMs: 19_960 }]);
  });

  it('sends what is typed at zero, of the question or of all for the round', () => {
    const { world, game } = playing(['q1', 'q2', 'q3']);
    lives(world.socket);
    world.socket.deliver(timerUpdate('q1', 5_000), timerUpdate(null, 9_000));
    world.pass(0);
    game.draft('q1', ' Rome ');
    game.draft('q2', 'Bern');
    game.draft('q3', '   ');
    world.pass(4_000);
    expect(sent(world)).toEqual([]);
    world.pass(1_100);
    expect(sent(world)).toEqual(['q1=Rome']);
    world.socket.deliver(accepted('q1'), questionClosed('q1'));
    world.pass(4_000);
    expect(sent(world)).toEqual(['q1=Rome', 'q2=Bern']);
  });

  it('waits for what the host adds, and for the end of a pause', () => {
    const { world, game } = playing(['q1']);
    lives(world.socket);
    world.socket.deliver(timerUpdate('q1', 5_000));
    world.pass(0);
    game.draft('q1', 'Rome');
    world.pass(4_000);
    world.socket.deliver(timerUpdate('q1', 1_000, false));
    world.pass(20_000);
    expect(sent(world)).toEqual([]);
    world.socket.deliver(timerUpdate('q1', 11_000));
    world.pass(10_000);
    expect(sent(world)).toEqual([]);
    world.pass(1_000);
    expect(sent(world)).toEqual(['q1=Rome']);
  });

  it('keeps a closed question in view and takes no answer to it', () => {
    const { world, game } = playing(['q1', 'q2']);
    game.submit('q1', 'Rome');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    game.draft('q1', 'Roma');
    world.socket.deliver(questionClosed('q1'));
    world.pass(0);
    expect(game.view.questions).toMatchObject([
      { closed: true, state: 'stored', storedAnswer: 'Rome', draft: 'Roma' },
      { closed: false },
    ]);
    expect([game.submit('q1', 'Milan'), game.submit('q2', 'Bern')]).toEqual([false, true]);
    expect(sent(world)).toEqual(['q1=Rome', 'q2=Bern']);
  });

  it('knows whether the time of a question was over when it closed, also after a reload', () => {
    const { world, game, storage } = playing(['q1', 'q2', 'q3']);
    lives(world.socket);
    world.socket.deliver(timerUpdate('q1', 5_000), timerUpdate('q2', 60_000));
    world.pass(6_000);
    world.socket.deliver(questionClosed('q1'), questionClosed('q2'), questionClosed('q3'));
    world.pass(0);
    expect(game.view.questions.map(({ closed, timedOut }) => [closed, timedOut])).toEqual([[true, true], [true, false], [true, false]]);
    const again = playing(['q1', 'q2'], [], storage);
    again.world.socket.deliver(questionClosed('q1'), questionClosed('q2'));
    again.world.pass(0);
    expect(again.game.view.questions.map(({ timedOut }) => timedOut)).toEqual([true, false]);
  });

  it('keeps a closed question closed while the server is away, and opens what the server opens', () => {
    const { world, game } = playing(['q1', 'q2']);
    world.socket.deliver(questionClosed('q1'));
    world.pass(0);
    world.socket.end();
    expect(game.view.questions.map(({ closed }) => closed)).toEqual([true, false]);
    expect([game.submit('q1', 'Rome'), game.submit('q2', 'Bern')]).toEqual([false, true]);
    comeBack(world, hostStatus(), roundStarted(), released('q1'), released('q2'), questionClosed('q1'));
    expect(game.view.questions.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('says that an answer came too late, and does not send it again', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.socket.deliver(questionClosed('q1'));
    world.pass(0);
    expect(game.view.questions).toMatchObject([{ closed: true, missed: true, state: 'none' }]);
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'), questionClosed('q1'));
    expect(sent(world)).toEqual([]);
    expect(states(game.view)).toEqual(['q1 none Rome']);
  });

  it('does not know of an answer that was on its way when the line broke, unless the server has it', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'), accepted('q1'), questionClosed('q1'));
    expect(game.view.questions).toMatchObject([{ closed: true, state: 'stored' }]);
    expect(sent(world)).toEqual([]);
  });
});

describe('a host with timers', () => {
  const types = (world: FakeWorld) => world.socket.sent.map(({ type, payload }) => `${type} ${JSON.stringify(payload ?? {})}`);

  it('gives commands that have something to do, until they are confirmed', () => {
    const { world, game } = hosting(roundStarted(), released('q1'));
    expect([game.pauseTimers(), game.addTime('q1', 10)]).toEqual([false, false]);
    expect([game.setTimer('q1', 30), game.setTimer(null, 60)]).toEqual([true, true]);
    world.socket.deliver(timerUpdate('q1', 30_000), timerUpdate(null, 60_000));
    world.pass(0);
    expect(game.view.pending).toEqual([]);
    expect([game.addTime('q1', 10), game.pauseTimers()]).toEqual([true, true]);
    world.socket.deliver(questionClosed('q1'));
    world.pass(0);
    expect([game.view.pending, game.setTimer('q1', 30)]).toEqual([[], false]);
    expect(types(world)).toEqual([
      'set_timer {"questionId":"q1","seconds":30}',
      'set_timer {"seconds":60}',
      'add_time {"questionId":"q1","seconds":10}',
      'pause_timer {}',
    ]);
    expect(game.view.questions).toMatchObject([{ closed: true }]);
  });

  it('adds no time twice because the line broke', () => {
    const { world, game } = hosting(roundStarted(), released('q1'), timerUpdate('q1', 30_000));
    game.addTime('q1', 10);
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'), timerUpdate('q1', 38_000));
    expect([types(world), game.view.pending]).toEqual([[], []]);
  });
});

describe('a device whose time is set, or that sleeps', () => {
  it('counts on as before when the time is set', () => {
    const { world, game } = playing(['q1']);
    world.socket.deliver(timerUpdate('q1', 30_000));
    world.pass(0);
    for (const set of [3_600_000, -3_600_000]) {
      world.set = set;
      const [timer] = game.view.timers;
      expect(timer && msLeft(timer, world.platform.steady())).toBe(30_000);
    }
    world.pass(10_000);
    const [timer] = game.view.timers;
    expect(timer && msLeft(timer, world.platform.steady())).toBe(20_000);
  });

  it('asks the server what is left when it wakes from a sleep in which the steady clock stood still', () => {
    const { world, game } = playing(['q1']);
    lives(world.socket);
    world.socket.deliver(timerUpdate('q1', 30_000));
    world.pass(0);
    world.pass(500);
    world.sign('visible');
    expect(world.sockets, 'it did not sleep').toHaveLength(1);
    // Too short for the connection to be suspected, and eight seconds of the countdown.
    world.slept = 8_000;
    world.sign('visible');
    expect(world.sockets).toHaveLength(2);
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), timerUpdate('q1', 22_000), pong);
    world.pass(0);
    const [timer] = game.view.timers;
    expect(timer && msLeft(timer, world.platform.steady())).toBe(22_000);
  });
});
