// The pictures and sounds of the account on the host's page: sends files, and shows those that are stored. Keeps what
// it has shown for as long as the page is open. Used by the editor and by the run page.

import { SvelteMap } from 'svelte/reactivity';

import type { HostApi, Media } from '$sdk';
import { ApiError } from '$sdk';
import { m } from '$words/language.svelte.ts';
import { count } from '$words/sentence.ts';

import { redrawn } from './picture.ts';

/** The most bytes of a sound that the server accepts. */
const SOUND_BYTES = 5 * 1024 * 1024;

/** The error of a file that was refused. */
export class NotTaken extends Error {}

/** The addresses of files, by id; null for a file that cannot be loaded. */
const shown = new SvelteMap<string, string | null>();
/** Not state: the components that show a file request it. */
const asked: Partial<Record<string, true>> = {};

/** The address of a stored file on this page; undefined while it is loading, null when it cannot be loaded. */
export function addressOf(api: HostApi, id: string): string | null | undefined {
  if (!asked[id]) {
    asked[id] = true;
    api.mediaFile(id).then(
      (file) => shown.set(id, URL.createObjectURL(file)),
      () => shown.set(id, null),
    );
  }
  return shown.get(id);
}

/** Sends a file: a picture after redrawing it, a sound unchanged. Throws NotTaken with a sentence. */
export async function sent(api: HostApi, file: Blob): Promise<Media> {
  try {
    return await stored(api, file);
  } catch (error) {
    throw new NotTaken(refusedWords(error));
  }
}

/** As `sent`, but throws the server's error. */
export async function stored(api: HostApi, file: Blob): Promise<Media> {
  return api.uploadMedia(file.type.startsWith('image/') ? await picture(file) : sound(file));
}

async function picture(file: Blob): Promise<Blob> {
  try {
    return await redrawn(file);
  } catch {
    throw new NotTaken(m.host_edit_media_broken());
  }
}

function sound(file: Blob): Blob {
  if (file.size > SOUND_BYTES) throw new NotTaken(m.host_edit_media_large({ most: count(SOUND_BYTES / 1024 / 1024) }));
  return file;
}

/** The reason for which a file was refused, as a sentence. */
export function refusedWords(error: unknown): string {
  if (error instanceof NotTaken) return error.message;
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 415 || status === 422) return m.host_edit_media_type();
  if (status === 413) return m.host_edit_media_large({ most: count(SOUND_BYTES / 1024 / 1024) });
  return status === 507 ? m.host_edit_media_full() : m.host_edit_media_failed();
}
