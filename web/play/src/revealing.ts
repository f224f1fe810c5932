// Scrolls to the right answer that the host has just revealed, unless the player is writing. Used where answers are revealed: while the
// host marks, and while phones wait for the screen.

import type { PlayerView } from '$sdk';
import type { Attachment } from 'svelte/attachments';

/** Follows what is revealed on an element in which the answer to a question is within `data-question`. */
export function followRevealed(view: () => PlayerView): Attachment<HTMLElement> {
  let known: number | null = null;
  return (element) => {
    const { revealed } = view();
    const newest = revealed.at(-1);
    const isNew = known !== null && revealed.length > known;
    known = revealed.length;
    if (!isNew || !newest || document.activeElement?.matches('input, textarea')) return;
    element.querySelector(`[data-question="${newest.questionId}"] .revealed`)?.scrollIntoView({ block: 'center' });
  };
}
