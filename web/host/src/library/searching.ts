// Decides when a typed search is sent: after a pause, and once for equal searches. Used by SearchBar.svelte.

import type { Search } from '$sdk';

/** How long typing must pause (ms). */
const REST = 250;

/** Sends searches. */
export class Searching {
  readonly #send: (search: Search) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sent: Search = { q: '', tag: '' };

  constructor(send: (search: Search) => void) {
    this.#send = send;
  }

  /** The present search. */
  changed({ q = '', tag = '' }: Search): void {
    const search = { q: words(q), tag };
    clearTimeout(this.#timer);
    if (search.q === this.#sent.q && search.tag === this.#sent.tag) return;
    this.#timer = setTimeout(() => {
      this.#sent = search;
      this.#send(search);
    }, REST);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The most words of a search that the server accepts. */
const MOST_WORDS = 10;

const words = (typed: string): string => typed.trim().split(/\s+/).slice(0, MOST_WORDS).join(' ');

/** Every tag once, in alphabetical order. */
export function allTags(lists: readonly (readonly string[] | undefined)[]): string[] {
  const tags = new Map(lists.flatMap((list) => list ?? []).map((tag) => [tag.toLowerCase(), tag]));
  return [...tags.values()].sort((a, b) => a.localeCompare(b));
}
