// Moving something in the sheet moves its elements, and a browser takes the focus from an element that moves. This puts it
// back: on the part of the same thing that had it, with the text cursor where it was. Parts are marked `data-part`, things
// `data-thing` (a question's or a round's key).

import { tick } from 'svelte';

/** Does something to the sheet and keeps the focus where it was. */
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

/** Puts the focus on a part of a thing, once it is there. */
export async function focusPart(root: HTMLElement, thing: string, part: string): Promise<void> {
  await tick();
  const element = partOf(root, thing, part);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'nearest' });
}

function partOf(root: HTMLElement, thing: string, part: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-thing="${CSS.escape(thing)}"] [data-part="${CSS.escape(part)}"]`);
}
