// The doubtful groups that this host has confirmed as wrong, so that each decision is sent once and is counted at once. Kept per game for
// as long as the tab lives.

import { SvelteSet } from 'svelte/reactivity';

/** The memory of one game. */
export class Checked {
  readonly #name: string;
  readonly #keys: SvelteSet<string>;

  constructor(gameId: string) {
    this.#name = `quizhall.checked.${gameId}`;
    this.#keys = new SvelteSet(read(this.#name));
  }

  /** Whether there is a decision on this group. */
  has = (key: string): boolean => this.#keys.has(key);

  /** Remembers a decision. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#keep();
  }

  /** Removes a decision that was undone. */
  delete(key: string): void {
    if (this.#keys.delete(key)) this.#keep();
  }

  #keep(): void {
    try {
      sessionStorage.setItem(this.#name, JSON.stringify([...this.#keys]));
    } catch {
      // This page may not use the storage: the memory lasts as long as the page.
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
