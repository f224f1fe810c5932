// Which near misses this host has looked at, for the counter of what is left. Kept per game for as long as the tab lives;
// it never leaves the browser and changes no mark.

import { SvelteSet } from 'svelte/reactivity';

/** The memory of one game. */
export class Looked {
  readonly #name: string;
  readonly #keys: SvelteSet<string>;

  constructor(gameId: string) {
    this.#name = `quizhall.looked.${gameId}`;
    this.#keys = new SvelteSet(read(this.#name));
  }

  /** Whether this group was looked at. */
  has = (key: string): boolean => this.#keys.has(key);

  /** Remembers a look. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    try {
      sessionStorage.setItem(this.#name, JSON.stringify([...this.#keys]));
    } catch {
      // Storage is closed to this page: the memory lasts as long as the page.
    }
  }
}

function read(name: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
