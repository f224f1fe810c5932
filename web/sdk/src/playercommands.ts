// The host's commands about players and their seats: a part of the table of commands.ts, its only user.

import type { Table } from './commands.ts';

type OfPlayers = 'remove_player' | 'rename_player' | 'set_extra_time' | 'add_seat' | 'enter_answer';

/** The entries of the table. */
export const OF_PLAYERS: Pick<Table, OfPlayers> = {
  /** In very large games only numbers are sent. */
  remove_player: {
    v1: true,
    subject: ({ playerId }) => playerId,
    isShown: ({ playerId }, { room }) => (room.length === 0 ? null : !room.some(({ id }) => id === playerId)),
    by: ['room_update'],
  },
  rename_player: {
    v1: true,
    subject: ({ playerId }) => playerId,
    isShown: ({ playerId, displayName }, { room }) =>
      room.length === 0 ? null : room.find(({ id }) => id === playerId)?.displayName === displayName,
    by: ['player_renamed'],
  },
  set_extra_time: {
    v1: true,
    subject: ({ playerId }) => playerId,
    needs: ({ playerId }, { room }) => room.some(({ id }) => id === playerId),
    isShown: ({ playerId, percent }, { room }) => (room.find(({ id }) => id === playerId)?.extraTime ?? 100) === percent,
    by: ['room_update'],
  },
  /** In very large games only numbers are sent. */
  add_seat: {
    v1: true,
    subject: ({ displayName }) => displayName,
    isShown: ({ displayName }, { room }) =>
      room.length === 0 ? null : room.some((player) => player.onPaper === true && player.displayName === displayName),
    by: ['room_update'],
  },
  enter_answer: {
    v1: true,
    phase: 'question',
    also: 'round_review',
    subject: ({ playerId, questionId }) => `${playerId}:${questionId}`,
    isShown: ({ playerId, questionId, answer }, { entered }) =>
      entered.some((known) => known.playerId === playerId && known.questionId === questionId && known.answer === answer),
    by: ['answers_entered'],
  },
};
