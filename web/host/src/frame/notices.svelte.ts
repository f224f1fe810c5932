// One short message at the foot of the page: the last action, with a way to undo it where there is one. The newest replaces
// the one before. Shown by Notices.svelte; never for errors that belong beside a field.

/** A message. */
export interface Notice {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Whether it is about the open page and disappears with it. */
  readonly here: boolean;
}

let shown = $state.raw<Notice | null>(null);

/** The message now. */
export const notice = (): Notice | null => shown;

/** Shows a message that stays when another page opens. */
export function showNotice(text: string, action?: Notice['action']): void {
  shown = { text, here: false, ...(action && { action }) };
}

/** Shows a message about the open page. */
export function showNoticeHere(text: string, action?: Notice['action']): void {
  shown = { text, here: true, ...(action && { action }) };
}

/** Removes the message. */
export function clearNotice(): void {
  shown = null;
}

/** The page is left. */
export function clearNoticeOfPage(): void {
  if (shown?.here) shown = null;
}
