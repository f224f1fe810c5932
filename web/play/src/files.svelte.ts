// The pictures and sounds of the game on this phone. What loads and opens them comes in a file of its own, when a game has any.

import { SvelteMap } from 'svelte/reactivity';

import type { PlayerView, ReleasedMedia } from '$sdk';

/** Addresses of opened files, by the name of the copy; null for one that cannot be had. */
const opened = new SvelteMap<string, string | null>();
const asked = new Set<string>();

let copies: Promise<InstanceType<(typeof import('$sdk/media.ts'))['MediaCopies']>> | null = null;

function held(): NonNullable<typeof copies> {
  copies ??= import('$sdk/media.ts').then(({ MediaCopies }) => new MediaCopies());
  return copies;
}

/** Loads what the view names, some time before it is needed. */
export function loadAhead({ preload }: PlayerView): void {
  if (preload) void held().then((copies) => { copies.ahead(preload); }, () => { copies = null; });
}

/** The address of the file of a released question; undefined while it is on its way, null when it cannot be had. */
export function addressOf(media: ReleasedMedia): string | null | undefined {
  const { name } = media;
  if (!asked.has(name)) {
    asked.add(name);
    void held()
      .then((copies) => copies.open(media))
      .then((file) => opened.set(name, file && URL.createObjectURL(file)))
      .catch(() => {
        copies = null;
        opened.set(name, null);
      });
  }
  return opened.get(name);
}
