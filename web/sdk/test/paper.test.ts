// Players without a phone: the host's game adds them, enters their answers, and knows the entered answers.

import { describe, expect, it } from 'vitest';

import { v1 } from './hosting.ts';
import { hostStatus, marked, marking, released, review, room, roundEnded, roundStarted } from './messages.ts';

const ann = { id: 'id-Ann', displayName: 'Ann', status: 'connected' };
const zoe = { id: 'id-Zoe', displayName: 'Zoe', status: 'disconnected', onPaper: true };
const people = (...players: object[]) => room(true, [], { players, total: players.length });
const entered = (answer: string, correct = false) => {
  const answers = [{ playerId: 'id-Zoe', displayName: 'Zoe', questionId: 'q1', answer, correct }];
  return { type: 'answers_entered', payload: { answers } };
};

describe('players on paper', () => {
  it('adds one, and is content when the room has the player', () => {
    const { game, deliver, sent } = v1(hostStatus(), people(ann));
    expect([game.addSeat('Zoe'), game.addSeat('Zoe')]).toEqual([true, false]);
    expect([sent().at(-1), game.view.pending]).toEqual(['add_seat {"displayName":"Zoe"}', ['add_seat:Zoe']]);
    deliver(room(false, []));
    expect(game.view.pending).toEqual(['add_seat:Zoe']);
    deliver(room(false, [], { players: [zoe], total: 2 }));
    expect([game.view.pending, game.addSeat('Zoe')]).toEqual([[], false]);
  });

  it('asks again on another connection only while the room does not have the player', () => {
    const { game, comeBack, sent } = v1(hostStatus(), people(ann));
    game.addSeat('Zoe');
    comeBack(hostStatus(), people(ann, zoe));
    const asked = () => sent().filter((text) => text.startsWith('add_seat')).length;
    expect([game.view.pending, asked()]).toEqual([[], 0]);
    game.addSeat('Yara');
    comeBack(hostStatus(), people(ann, zoe));
    expect([game.view.pending, asked()]).toEqual([['add_seat:Yara'], 1]);
  });

  it('enters answers while a question is open, and keeps what was entered', () => {
    const { game, deliver, comeBack, sent } = v1(hostStatus(), people(ann, zoe), roundStarted(), released('q1'));
    expect(game.enterAnswer('id-Zoe', 'q1', 'Bern')).toBe(true);
    expect(sent().at(-1)).toBe('enter_answer {"playerId":"id-Zoe","questionId":"q1","answer":"Bern"}');
    deliver(entered('Bern', true));
    expect([game.view.pending, game.view.entered.map(({ answer }) => answer)]).toEqual([[], ['Bern']]);
    expect([game.enterAnswer('id-Zoe', 'q1', 'Bern'), game.enterAnswer('id-Zoe', 'q1', 'Basel')]).toEqual([false, true]);
    comeBack(hostStatus(), people(ann, zoe), roundStarted(), released('q1'), entered('Basel'));
    expect([game.view.pending, game.view.entered.map(({ answer }) => answer)]).toEqual([[], ['Basel']]);
  });

  it('has an answer that is entered in the review among those to be marked', () => {
    const { game, deliver } = v1(hostStatus(), people(ann, zoe), roundStarted(), released('q1'));
    deliver(roundEnded, review([['Ann', 'q1', 'Bern', true]]), marking(0));
    game.enterAnswer('id-Zoe', 'q1', 'Basel');
    deliver(entered('Basel'));
    deliver(marked('q1', [['Zoe', true]]), marking(1));
    expect(game.view.review?.map(({ displayName, correct }) => [displayName, correct])).toEqual([['Ann', true], ['Zoe', true]]);
    deliver(entered('Bern', true));
    expect([game.view.review?.length, game.view.pending]).toEqual([2, []]);
  });

  it('knows of a page that is loaded in the review what was entered, and forgets it with the round', () => {
    const given: [string, string, string, boolean][] = [['Ann', 'q1', 'Bern', true], ['Zoe', 'q1', 'Basel', false]];
    const { game, deliver } = v1(hostStatus(), people(ann, zoe), roundStarted(), roundEnded, review(given), marking(0));
    expect(game.view.entered.map(({ displayName }) => displayName)).toEqual(['Zoe']);
    deliver(roundStarted(2));
    expect(game.view.entered).toEqual([]);
  });
});
