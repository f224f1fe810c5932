// Gives an element the value of a custom property. Set by script, as the policy forbids style attributes.

import type { Attachment } from 'svelte/attachments';

/** `--name` on the element; follows the value. */
export function cssValue(name: `--${string}`, value: number): Attachment<HTMLElement> {
  return (element) => {
    element.style.setProperty(name, String(value));
  };
}
