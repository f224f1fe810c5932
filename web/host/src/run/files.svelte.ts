// The pictures and sounds of the game on the host's page, for the screen: loaded ahead and opened like a phone's. Held by Hosting.

import { SvelteMap } from 'svelte/reactivity';

import type { HostView, ReleasedMedia } from '$sdk';

type Copies = InstanceType<(typeof import('$sdk/media.ts'))['MediaCopies']>;

/** The files of one game. */
export class GameFiles {
  readonly #opened = new SvelteMap<string, Blob | null>();
  readonly #asked = new Set<string>();
  #copies: Promise<Copies> | null = null;

  /** Loads what the view names, and opens the files of the released questions. */
  follow({ preload, questions }: HostView): void {
    if (preload) void this.#held().then((copies) => { copies.ahead(preload); });
    for (const { question } of questions) if (question.media) this.#open(question.media);
  }

  /** The file of a released question; undefined while it is on its way, null when it cannot be had. */
  of({ name }: ReleasedMedia): Blob | null | undefined {
    return this.#opened.get(name);
  }

  #open(media: ReleasedMedia): void {
    const { name } = media;
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    void this.#held()
      .then((copies) => copies.open(media))
      .catch(() => null)
      .then((file) => this.#opened.set(name, file));
  }

  #held(): Promise<Copies> {
    this.#copies ??= import('$sdk/media.ts').then(({ MediaCopies }) => new MediaCopies());
    return this.#copies;
  }
}
