// The pictures and sounds of the game on the host's page, for the screen: loaded ahead and opened like a phone's. Held by Hosting.

import { SvelteMap } from 'svelte/reactivity';

import type { HostView, MediaPreload, ReleasedMedia } from '$sdk';
import type { MediaCopies } from '$sdk/media.ts';

/** The files of one game. */
export class GameFiles {
  readonly #opened = new SvelteMap<string, Blob | null>();
  readonly #asked: Partial<Record<string, true>> = {};
  #copies: Promise<MediaCopies> | null = null;

  /** Loads what the view names, and opens the files of the released questions. */
  follow({ preload, questions }: HostView): void {
    if (preload) void this.#ahead(preload);
    for (const { question } of questions) if (question.media) this.#open(question.media);
  }

  /** The file of a released question; undefined while it is on its way, null when it cannot be had. */
  of({ name }: ReleasedMedia): Blob | null | undefined {
    return this.#opened.get(name);
  }

  async #ahead(preload: MediaPreload): Promise<void> {
    try {
      (await this.#held()).ahead(preload);
    } catch {
      // The part of the page that loads them did not come: asked for again with the next view.
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
