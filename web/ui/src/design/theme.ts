// Light or dark: as the device has it unless chosen here. Owns the choice (localStorage) and `data-theme` on the root,
// which tokens.css reads. Pages call `applyTheme()` before they mount.

/** `auto` follows the device. */
export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'quizhall.theme';

/** The choice as remembered. */
export function theme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

/** Chooses and remembers. */
export function chooseTheme(choice: Theme): void {
  try {
    if (choice === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // This page may not use the storage: the choice lasts as long as the page.
  }
  show(choice);
}

/** Shows the remembered choice, and follows it when another page of this browser changes it. */
export function applyTheme(): void {
  show(theme());
  addEventListener('storage', (event) => {
    if (event.key === KEY) show(theme());
  });
}

function show(choice: Theme): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}
