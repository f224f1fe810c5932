// Appeals in the host's game.

import { describe, expect, it } from 'vitest';

import { v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import {
  appealsUpdate,
  hostStatus,
  leaderboard,
  questionEdited,
  questionWithdrawn,
  released,
  renamed,
  room,
  roundStarted,
} from './messages.ts';

const PEOPLE = room(true, [
  ['Ann', 'connected'],
  ['Ben', 'disconnected'],
]);
const BOARD: Messages = [hostStatus(), PEOPLE, roundStarted(), leaderboard(['Ann', 100, 1])];

describe('corrections', () => {
  it('gives a question other accepted answers, which stay when its text is edited after the release', () => {
    const { game, deliver, sent } = v1(hostStatus(), PEOPLE, roundStarted());
    expect(game.changeAnswers('q1', ['4', 'four'])).toBe(true);
    expect(sent().at(-1)).toBe('edit_question {"questionId":"q1","accepted":["4","four"]}');
    const edited = (payload: object) => ({ type: 'question_edited', payload: { questionId: 'q1', text: 'Which?', corrected: false, ...payload } });
    deliver(edited({ accepted: ['4'] }));
    expect(game.view.pending, 'other answers than those that were wanted').toEqual(['edit_question:q1']);
    deliver(edited({ accepted: ['4', 'four'] }));
    expect(game.view.pending).toEqual([]);
    deliver(edited({ text: 'Which one?', corrected: true }));
    expect(game.view.words.get('q1')).toMatchObject({ text: 'Which one?', accepted: ['4', 'four'] });
  });

  it('edits, withdraws and renames, and shows what the server has made of it', () => {
    const { game, deliver, comeBack, sent } = v1(hostStatus(), PEOPLE, roundStarted(), released('q1'));
    expect([game.editQuestion('q1', 'Which?'), game.editQuestion('q1', 'Which?')]).toEqual([true, false]);
    expect(game.editQuestion('q2', 'What?', ['a', 'b'])).toBe(true);
    expect(game.view.pending).toEqual(['edit_question:q1', 'edit_question:q2']);
    deliver(questionEdited('q1', 'Which?', true));
    expect(game.view.pending).toEqual(['edit_question:q2']);
    deliver(questionEdited('q2', 'What?', false, ['a', 'b']));
    expect([game.view.pending, game.view.corrected]).toEqual([[], ['q1']]);
    expect(game.view.questions[0]?.question.text).toBe('Which?');
    expect([game.withdrawQuestion('q1'), game.renamePlayer('id-Ben', 'Bea')]).toEqual([true, true]);
    expect(sent().slice(-4)).toEqual([
      'edit_question {"questionId":"q1","text":"Which?"}',
      'edit_question {"questionId":"q2","text":"What?","choices":["a","b"]}',
      'withdraw_question {"questionId":"q1"}',
      'rename_player {"playerId":"id-Ben","displayName":"Bea"}',
    ]);
    deliver(questionWithdrawn('q1'), renamed('Ben', 'Bea'));
    expect(game.renamePlayer('id-Ben', 'Bea')).toBe(false);
    expect([game.view.withdrawn, game.withdrawQuestion('q1'), game.view.pending]).toEqual([['q1'], false, []]);
    expect(game.view.room.map(({ displayName }) => displayName)).toEqual(['Ann', 'Bea']);
    comeBack(hostStatus(), PEOPLE, roundStarted(), released('q1'));
    expect([game.view.words.get('q2')?.text, game.view.withdrawn]).toEqual(['What?', []]);
  });

  it('gives the review, the appeals and the board the new name', () => {
    const { game, deliver } = v1(...BOARD);
    deliver(appealsUpdate(['Ann', 'q1', 'open']), renamed('Ann', 'Zoe'));
    expect([game.view.appeals[0]?.displayName, game.view.board[0]?.displayName]).toEqual(['Zoe', 'Zoe']);
  });

  it('keeps the appeals that are open, and none of a player who was removed', () => {
    const { game, deliver, comeBack, sent } = v1(...BOARD);
    const open = () => game.view.appeals.map(({ displayName, questionId }) => `${displayName} ${questionId}`);
    deliver(appealsUpdate(['Ann', 'q1', 'open'], ['Ben', 'q1', 'open'], ['Ann', 'q2', 'open']));
    expect(open()).toEqual(['Ann q1', 'Ben q1', 'Ann q2']);
    expect([game.dismissAppeal('id-Ben', 'q1'), game.correctPlayers('q2', ['id-Ann'], true)]).toEqual([true, true]);
    expect(sent().slice(-2)).toEqual([
      'dismiss_appeal {"playerId":"id-Ben","questionId":"q1"}',
      'correct_marks {"questionId":"q2","playerIds":["id-Ann"],"correct":true}',
    ]);
    deliver(appealsUpdate(['Ben', 'q1', 'dismissed'], ['Ann', 'q2', 'accepted']));
    expect(open()).toEqual(['Ann q1']);
    deliver(appealsUpdate(['Ben', 'q3', 'open']), room(false, [['Ann', 'gone']], { total: 1, connected: 1, locked: false }));
    expect(open()).toEqual(['Ben q3']);
    comeBack(...BOARD);
    expect(open()).toEqual([]);
  });
});
