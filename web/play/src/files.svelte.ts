// The pictures and sounds of the game on this phone. What loads and opens them comes in a file of its own, when a game has any.

import type { PlayerView, ReleasedMedia } from '$sdk';
import type { MediaCopies } from '$sdk/media.ts';

/** Addresses of opened files, by the name of the copy; null for one that cannot be had. */
let opened = $state.raw<Readonly<Record<string, string | null>>>({});
/** Not state: what draws a file asks for it. */
const asked: Partial<Record<string, Promise<void>>> = {};
let copies: Promise<MediaCopies> | undefined;

const held = (): Promise<MediaCopies> => (copies ??= import('$sdk/media.ts').then(({ MediaCopies }) => new MediaCopies()));

/** Loads what the view names, some time before it is needed. */
export function loadAhead({ preload }: PlayerView): void {
  if (preload) held().then((loaded) => { loaded.ahead(preload); }, forget);
}

/** The address of the file of a released question; undefined while it is on its way, null when it cannot be had. */
export function addressOf(media: ReleasedMedia): string | null | undefined {
  const { name } = media;
  asked[name] ??= held()
    .then((loaded) => loaded.open(media))
    .then((file) => file && URL.createObjectURL(file), forget)
    .then((address) => {
      opened = { ...opened, [name]: address };
    });
  return opened[name];
}

/** The part of the page that loads them did not come: it is asked for again with the next file. */
function forget(): null {
  copies = undefined;
  return null;
}
