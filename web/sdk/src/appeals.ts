// The appeals that the host has not decided, from the messages about them. Pure; used by HostGame.

import type { Appealed, AppealsUpdate, Player, RoomUpdate } from './generated/protocol.ts';

/** Open appeals, by player and question. */
export class Appeals {
  readonly #open = new Map<string, Appealed>();

  /** In order of arrival. */
  get all(): readonly Appealed[] {
    return [...this.#open.values()];
  }

  update({ appeals }: AppealsUpdate): void {
    for (const appeal of appeals) {
      const key = `${appeal.playerId}:${appeal.questionId}`;
      if (appeal.outcome === 'open') this.#open.set(key, appeal);
      else this.#open.delete(key);
    }
  }

  /** The appeals of a removed player are removed as well. */
  roomChanged({ players }: RoomUpdate): void {
    const gone = new Set(players.filter(({ status }) => status === 'gone').map(({ id }) => id));
    for (const [key, { playerId }] of this.#open) if (gone.has(playerId)) this.#open.delete(key);
  }

  /** The host gave a player another name. */
  rename({ id, displayName }: Player): void {
    for (const [key, appeal] of this.#open) if (appeal.playerId === id) this.#open.set(key, { ...appeal, displayName });
  }

  clear(): void {
    this.#open.clear();
  }
}
