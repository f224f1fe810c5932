// Restores the focus after a move in the sheet: a move changes the place of elements, and a browser takes the focus from a moved element.
// The same part of the same thing gets it back, with the text cursor in its place. Parts are marked `data-part`, things `data-thing` (a
// question's or a round's key).

import { tick } from 'svelte';

/** Performs an action on the sheet and keeps the focus. */
export async function keepFocus(root: HTMLElement, work: () => void): Promise<void> {
  const before = document.activeElement;
  const thing = before?.closest<HTMLElement>('[data-thing]')?.dataset.thing;
  const part = before?.closest<HTMLElement>('[data-part]')?.dataset.part;
  const cursor = before instanceof HTMLTextAreaElement ? [before.selectionStart, before.selectionEnd] : null;
  work();
  await tick();
  if (thing === undefined || part === undefined) return;
  const after = partOf(root, thing, part);
  if (!after || after === document.activeElement) return;
  after.focus({ preventScroll: true });
  if (after instanceof HTMLTextAreaElement && cursor) after.setSelectionRange(cursor[0] ?? 0, cursor[1] ?? 0);
  after.scrollIntoView({ block: 'nearest' });
}

/** Moves the focus to a part of a thing, once it exists. */
export async function focusPart(root: HTMLElement, thing: string, part: string): Promise<void> {
  await tick();
  const element = partOf(root, thing, part);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'nearest' });
}

function partOf(root: HTMLElement, thing: string, part: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-thing="${CSS.escape(thing)}"] [data-part="${CSS.escape(part)}"]`);
}
