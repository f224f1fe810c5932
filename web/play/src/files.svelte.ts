// The pictures and sounds of the game on this phone. The code that loads and opens them is a separate file, which is loaded when a game has
// any.

import type { PlayerView, ReleasedMedia } from '$sdk';
import type { MediaCopies } from '$sdk/media.ts';

/** The addresses of opened files, by the name of the copy; null for a file that is not available. */
let opened = $state.raw<Readonly<Record<string, string | null>>>({});
/** Not state: the components that show a file request it. */
const asked: Partial<Record<string, Promise<void>>> = {};
let copies: Promise<MediaCopies> | undefined;

const held = (): Promise<MediaCopies> => (copies ??= import('$sdk/media.ts').then(({ MediaCopies }) => new MediaCopies()));

/** Loads the files that the view names, some time before they are needed. */
export function loadAhead({ preload }: PlayerView): void {
  if (preload) held().then((loaded) => { loaded.ahead(preload); }, forget);
}

/** The address of the file of a released question; undefined while it is loading, null when it is not available. */
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

/** The part of the page that loads files did not arrive; it is requested again with the next file. */
function forget(): null {
  copies = undefined;
  return null;
}
