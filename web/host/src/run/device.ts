// The values that this device remembers for the page of a game. If the page may not use the storage, they last as long as the page.

/** Remembers a text under this key. */
export function remember(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Closed or full.
  }
}

/** The text stored under this key; null when there is none. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
