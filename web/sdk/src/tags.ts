// Tags as they are typed, with commas between them, and as they are stored. Pure; used by the readers of files and the editor.

import { LIMITS } from './generated/limits.ts';

/** The tags in texts that may contain several: without blanks, and each once whatever its letter case. */
export function tagsOf(texts: readonly string[]): string[] {
  const tags = texts.flatMap((text) => text.split(',')).map((tag) => tag.replace(/\p{Cc}+/gu, ' ').trim());
  const all = new Map(tags.filter((tag) => tag !== '').toReversed().map((tag) => [tag.toLowerCase(), tag]));
  return [...all.values()].toReversed();
}

/** As many tags as the server accepts, without those that are too long. */
export function fittingTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => Array.from(tag).length <= LIMITS.tag).slice(0, LIMITS.tags);
}
