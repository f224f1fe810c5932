// The pictures and sounds of the game on this screen: loaded ahead and opened like a phone's. Held by App.

import { SvelteMap } from 'svelte/reactivity';

import type { MediaPreload, ReleasedMedia, ScreenUpdate } from '$sdk';
import type { MediaCopies } from '$sdk/media.ts';

/** The files of one game. */
export class GameFiles {
  readonly #opened = new SvelteMap<string, Blob | null>();
  readonly #asked: Partial<Record<string, true>> = {};
  #copies: Promise<MediaCopies> | null = null;

  /** Loads the files that the message names, and opens those of the released questions and of the answer that is shown. */
  follow({ preload, questions = [], show }: ScreenUpdate): void {
    if (preload) void this.#ahead(preload);
    for (const { media } of questions) if (media) this.#open(media);
    if (show?.kind === 'question' && show.media) this.#open(show.media);
  }

  /** The file of a released question; undefined while it is loading, null when it is not available. */
  of({ name }: ReleasedMedia): Blob | null | undefined {
    return this.#opened.get(name);
  }

  async #ahead(preload: MediaPreload): Promise<void> {
    try {
      (await this.#held()).ahead(preload);
    } catch {
      // The part of the page that loads files did not arrive; it is requested again with the next view.
      this.#copies = null;
    }
  }

  #open(media: ReleasedMedia): void {
    const { name } = media;
    if (this.#asked[name]) return;
    this.#asked[name] = true;
    void this.#held()
      .then((copies) => copies.open(media))
      .catch(() => null)
      .then((file) => this.#opened.set(name, file));
  }

  #held(): Promise<MediaCopies> {
    this.#copies ??= import('$sdk/media.ts').then(({ MediaCopies }) => new MediaCopies());
    return this.#copies;
  }
}
