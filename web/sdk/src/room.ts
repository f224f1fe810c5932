// The seats of a game as the host sees them, from whole lists and changes. Pure; used by HostGame.

import type { LobbyUpdate, Player, RoomPlayer, RoomUpdate } from './generated/protocol.ts';

/** The players in the game; a new array with every change. */
export class Room {
  players: readonly RoomPlayer[] = [];
  total = 0;
  connected = 0;
  locked = false;
  #isSent = false;

  update({ whole, players, total, connected, locked }: RoomUpdate): void {
    this.#isSent = true;
    Object.assign(this, { total, connected, locked });
    const here = players.filter((player) => player.status !== 'gone');
    if (whole) {
      this.players = here;
      return;
    }
    if (players.length === 0) return;
    const changed = new Map(players.map((player) => [player.id, player]));
    const kept = this.players.flatMap((player) => {
      const now = changed.get(player.id) ?? player;
      changed.delete(player.id);
      return now.status === 'gone' ? [] : [now];
    });
    this.players = [...kept, ...here.filter((player) => changed.has(player.id))];
  }

  /** The lobby list, for a server that sends only that. */
  fromLobby({ players, total = players.length }: LobbyUpdate): void {
    if (this.#isSent) return;
    this.players = players.map((player) => ({ ...player, status: 'connected' }));
    this.total = this.connected = total;
  }

  /** The host gave a player another name. */
  rename({ id, displayName }: Player): void {
    this.players = this.players.map((player) => (player.id === id ? { ...player, displayName } : player));
  }

  isOnPaper(playerId: string): boolean {
    return this.players.some((player) => player.id === playerId && player.onPaper === true);
  }

  nameOf(playerId: string): string {
    return this.players.find((player) => player.id === playerId)?.displayName ?? '';
  }
}
