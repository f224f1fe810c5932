// What this device remembers for the page of a game. Storage may be closed to the page: then it lasts as long as the page.

/** Remembers a text under this key. */
export function remember(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Closed or full.
  }
}

/** What is remembered under this key; null when nothing is. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
