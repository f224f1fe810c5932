// Keeps the focus on the page: when the focused element is removed (a field whose question closes, a button that is no longer needed), the
// heading of its container gets the focus. Used by App.svelte.

/** Watches the elements in `root`; returns a function that stops it. */
export function keepFocus(root: HTMLElement): () => void {
  /** The focused element and its containers, innermost first. */
  let path: readonly HTMLElement[] = [];

  function came({ target }: FocusEvent): void {
    path = ancestors(target as HTMLElement, root);
  }

  function went({ target }: FocusEvent): void {
    // The user left the element, so it needs no replacement. An element that is being removed is still connected now, but no longer in a
    // moment.
    queueMicrotask(() => {
      if (path[0] === target && path[0].isConnected && document.activeElement !== target) path = [];
    });
  }

  function look(): void {
    if (path.length === 0 || path[0]?.isConnected || document.activeElement !== document.body) return;
    const heading = headingIn(path.filter(({ isConnected }) => isConnected));
    path = [];
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  const watch = new MutationObserver(look);
  watch.observe(root, { childList: true, subtree: true });
  root.addEventListener('focusin', came);
  root.addEventListener('focusout', went);
  return () => {
    watch.disconnect();
    root.removeEventListener('focusin', came);
    root.removeEventListener('focusout', went);
  };
}

function ancestors(element: HTMLElement, root: HTMLElement): HTMLElement[] {
  const path = [element];
  for (let at = element.parentElement; at && at !== root; at = at.parentElement) path.push(at);
  return [...path, root];
}

/** The heading of the innermost container that has one. */
function headingIn(path: readonly HTMLElement[]): HTMLElement | undefined {
  for (const place of path) {
    const heading = place.querySelector<HTMLElement>('h1, h2');
    if (heading) return heading;
  }
  return undefined;
}
