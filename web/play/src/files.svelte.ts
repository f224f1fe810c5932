// The pictures and sounds of the game on this phone. What loads and opens them comes in a file of its own, when a game has any.

import type { PlayerView, ReleasedMedia } from '$sdk';
import type { MediaCopies } from '$sdk/media.ts';

/** Addresses of opened files, by the name of the copy; null for one that cannot be had. */
let opened = $state.raw<Readonly<Record<string, string | null>>>({});
/** Not state: what draws a file asks for it. */
const asked: Partial<Record<string, true>> = {};

let copies: Promise<MediaCopies> | null = null;

function held(): Promise<MediaCopies> {
  copies ??= import('$sdk/media.ts').then(({ MediaCopies }) => new MediaCopies());
  return copies;
}

/** Loads what the view names, some time before it is needed. */
export async function loadAhead({ preload }: PlayerView): Promise<void> {
  if (!preload) return;
  try {
    (await held()).ahead(preload);
  } catch {
    copies = null;
  }
}

/** The address of the file of a released question; undefined while it is on its way, null when it cannot be had. */
export function addressOf(media: ReleasedMedia): string | null | undefined {
  const { name } = media;
  if (!asked[name]) {
    asked[name] = true;
    void open(media);
  }
  return opened[name];
}

async function open(media: ReleasedMedia): Promise<void> {
  let address: string | null = null;
  try {
    const file = await (await held()).open(media);
    address = file && URL.createObjectURL(file);
  } catch {
    copies = null;
  }
  opened = { ...opened, [media.name]: address };
}
