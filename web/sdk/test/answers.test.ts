import { describe, expect, it } from 'vitest';

import { FakeStorage } from './fake.ts';
import {
  accepted,
  hostStatus,
  leaderboard,
  pong,
  question,
  released,
  roundEnded,
  roundStarted,
  scores,
} from './messages.ts';
import { comeBack, play, playing, sent, states } from './playing.ts';

describe('answers', () => {
  it('are sent at once and stored when the server says so', () => {
    const { world, game } = playing(['q1']);
    expect(game.submit('q1', 'Rome')).toBe(true);
    expect(sent(world)).toEqual(['q1=Rome']);
    expect(states(game.view)).toEqual(['q1 sending Rome']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(game.view.questions[0]).toMatchObject({ state: 'stored', storedAnswer: 'Rome' });
    game.submit('q1', 'Rome');
    expect(sent(world)).toHaveLength(1);
    game.submit('q1', 'Paris');
    expect(game.view.questions[0]).toMatchObject({ state: 'changing', answer: 'Paris', storedAnswer: 'Rome' });
  });

  it('settle only with the ack of the newest', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'a');
    game.submit('q1', 'b');
    game.submit('q1', 'a');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 changing a']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 changing a']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored a']);
    expect(sent(world)).toEqual(['q1=a', 'q1=b', 'q1=a']);
  });

  it.each([
    ['blank', '  \n'],
    ['too many characters', 'x'.repeat(1_001)],
    ['too many bytes', '😀'.repeat(1_025)],
    ['with a NUL', 'a\0b'],
  ])('that cannot be taken are not sent: %s', (_, text) => {
    const { world, game } = playing(['q1']);
    expect(game.submit('q1', text)).toBe(false);
    expect(sent(world)).toEqual([]);
  });

  it('to a question that is not open, or behind the end of the round, are not sent', () => {
    const { world, game } = playing(['q1']);
    expect(game.submit('q7', 'a')).toBe(false);
    world.socket.deliver(roundEnded);
    expect(game.submit('q1', 'a')).toBe(false);
    expect(sent(world)).toEqual([]);
  });

  it('wait for the connection, and go out once it is back', () => {
    const { world, game } = playing(['q1', 'q2']);
    world.socket.end();
    expect(game.submit('q1', 'Rome')).toBe(true);
    expect(states(game.view)).toEqual(['q1 sending Rome', 'q2 none null']);
    comeBack(world, hostStatus(), roundStarted(), released('q1'), released('q2'));
    expect(sent(world)).toEqual(['q1=Rome']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored Rome', 'q2 none null']);
    expect(sent(world)).toHaveLength(1);
  });

  it('of which it is not known whether they arrived are sent again', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'));
    expect(states(game.view)).toEqual(['q1 sending Rome']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored Rome']);
    expect(sent(world)).toEqual(['q1=Rome']);
  });

  it('of which it is not known whether they arrived are sent once more to be certain, without quizhall.v1', () => {
    const { world, game } = play();
    const connect = () => {
      world.socket.open('');
      world.socket.deliver(released('q1'));
      world.pass(30);
    };
    connect();
    game.submit('q1', 'Rome');
    world.socket.end();
    world.pass(1_000);
    connect();
    expect(sent(world)).toEqual(['q1=Rome']);
    // This may be a late sync ack, for an older answer.
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 changing Rome']);
    expect(sent(world)).toEqual(['q1=Rome', 'q1=Rome']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored Rome']);
    world.socket.deliver(accepted('q1'));
    game.submit('q1', 'Paris');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(sent(world)).toEqual(['q1=Rome', 'q1=Rome', 'q1=Paris']);
    expect(states(game.view)).toEqual(['q1 stored Paris']);
  });

  it('that may be newer than what stands stored are sent again', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'old');
    world.socket.deliver(accepted('q1'));
    game.submit('q1', 'new');
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'), accepted('q1'));
    expect(states(game.view)).toEqual(['q1 changing new']);
    expect(sent(world)).toEqual(['q1=new']);
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored new']);
    expect(sent(world)).toHaveLength(1);
  });

  it('that stand stored are not sent again', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.socket.deliver(accepted('q1'));
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'), accepted('q1'));
    expect(sent(world)).toEqual([]);
    expect(states(game.view)).toEqual(['q1 stored Rome']);
  });

  it('survive a reload, drafts too', () => {
    const { world, game, storage } = playing(['q1', 'q2', 'q3']);
    game.submit('q1', 'Rome');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    game.submit('q2', 'unsent?');
    game.draft('q3', 'half a wo');
    const again = playing(['q1', 'q2', 'q3'], ['q1'], storage);
    expect(states(again.game.view)).toEqual(['q1 stored Rome', 'q2 sending unsent?', 'q3 none null']);
    expect(again.game.view.questions[2]?.draft).toBe('half a wo');
    expect(sent(again.world)).toEqual(['q2=unsent?']);
  });

  it('given on another device are stored, though not known here', () => {
    const { game } = playing(['q1'], ['q1']);
    expect(game.view.questions[0]).toMatchObject({ state: 'stored', answer: null, storedAnswer: null });
  });

  it('of a round that is over are forgotten on the device', () => {
    const { world, game, storage } = playing(['q1']);
    game.submit('q1', 'Rome');
    expect(storage.items.has('quizhall.answers.ABC234.id-Ann')).toBe(true);
    world.socket.deliver(accepted('q1'), roundEnded, leaderboard(['Ann', 1, 1]));
    world.pass(0);
    expect(storage.items.has('quizhall.answers.ABC234.id-Ann')).toBe(false);
  });

  it('and all else work with a storage that forbids everything', () => {
    const storage = new FakeStorage();
    storage.broken = true;
    const { world, game } = playing(['q1'], [], storage);
    game.draft('q1', 'R');
    game.submit('q1', 'Rome');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored Rome']);
  });

  it.each(['{', '5', '[]', '{"q1":5}', '{"q1":{"question":{"id":"other"}}}', 'null'])('survive %s in the storage', (text) => {
    const storage = new FakeStorage();
    for (const what of ['answers', 'boards', 'history']) storage.items.set(`quizhall.${what}.ABC234.id-Ann`, text);
    const { world, game } = playing(['q1'], [], storage);
    world.socket.deliver(roundEnded, leaderboard(['Ann', 0, 1]), scores(0));
    world.pass(0);
    expect(game.view).toMatchObject({ phase: 'leaderboard', board: [{ previousRank: null }] });
  });
});

describe('the end of the round', () => {
  it('crossing an answer is shown honestly', () => {
    const { world, game } = playing(['q1', 'q2']);
    game.submit('q1', 'in time');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    game.submit('q1', 'too late');
    game.submit('q2', 'too late, too');
    world.socket.deliver(roundEnded);
    world.pass(0);
    expect(game.view.questions).toMatchObject([
      { state: 'stored', storedAnswer: 'in time', answer: 'too late', missed: true, unsure: false },
      { state: 'none', storedAnswer: null, missed: true, unsure: false },
    ]);
  });

  it('while away: sent answers may count, unsent ones do not', () => {
    const { world, game } = playing(['q1', 'q2']);
    game.submit('q1', 'sent');
    world.socket.end();
    game.submit('q2', 'unsent');
    comeBack(world, hostStatus(), roundStarted(), roundEnded);
    expect(game.view).toMatchObject({ phase: 'round_review' });
    expect(game.view.questions).toMatchObject([
      { state: 'none', missed: false, unsure: true },
      { state: 'none', missed: true, unsure: false },
    ]);
    expect(sent(world)).toEqual([]);
  });

  it('of one that is not ours any more forgets the answers', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'sent');
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(2), roundEnded);
    expect(game.view.questions).toEqual([]);
  });

  it('still shows the questions after a reload', () => {
    const { game, world, storage } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.socket.deliver(accepted('q1'), roundEnded);
    world.pass(0);
    const again = play(storage);
    again.world.socket.open();
    again.world.socket.deliver(hostStatus(), roundStarted(), roundEnded, pong);
    expect(states(again.game.view)).toEqual(['q1 stored Rome']);
    expect(again.game.view.questions[0]?.question).toEqual(question('q1'));
  });
});

describe('closes', () => {
  it.each([
    [4005, 'unknown_question'],
    [4003, 'wrong_phase'],
    [4002, 'invalid_payload: answer'],
  ])('%i gives up the oldest answer without an ack, and sends the ones behind it', (code, reason) => {
    const { world, game } = playing(['q1', 'q2']);
    game.submit('q1', 'bad');
    game.submit('q2', 'good');
    world.socket.end(code, reason);
    expect(game.view.questions[0]).toMatchObject({ state: 'none', answer: 'bad', missed: true });
    comeBack(world, hostStatus(), roundStarted(), released('q1'), released('q2'));
    expect(sent(world)).toEqual(['q2=good']);
    game.submit('q1', 'better');
    expect(game.view.questions[0]).toMatchObject({ state: 'sending', missed: false });
  });

  it.each([1006, 1011, 1012, 1013, 4008, 4100, 4101, 4102, 4103, 4200])('%i loses nothing', (code) => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.socket.end(code);
    comeBack(world, hostStatus(), roundStarted(), released('q1'));
    expect(sent(world)).toEqual(['q1=Rome']);
  });

  it('count what came before them', () => {
    const { world, game } = playing(['q1', 'q2']);
    game.submit('q1', 'a');
    game.submit('q2', 'b');
    world.socket.deliver(accepted('q1'));
    world.socket.end(4005, 'unknown_question');
    expect(game.view.questions).toMatchObject([{ state: 'stored' }, { state: 'none', missed: true }]);
  });

  it('by another tab stop everything, and reopen takes the seat back with what the other tab did', () => {
    const { world, game, storage } = playing(['q1']);
    const other = playing(['q1'], [], storage);
    world.socket.end(4409, 'replaced');
    expect(game.view.connection).toEqual({ state: 'closed', why: 'replaced' });
    other.game.draft('q1', 'typed there');
    game.draft('q1', 'typed here');
    expect(game.submit('q1', 'here')).toBe(false);
    game.reopen();
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), pong);
    expect(game.view.questions[0]?.draft).toBe('typed there');
  });
});
