// The secret of the one-time set-up link, `/setup#qs_…`. Taken out of the address bar as soon as it is read; kept for this
// tab only, so that a reload in the middle of the form does not lose it, and forgotten once it is used.

const KEY = 'quizhall.setup';

/** The secret, or null when the address holds none. */
export function takeLink(): string | null {
  const secret = location.hash.slice(1);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  if (/^qs_[\w-]{8,200}$/.test(secret)) {
    attempt(() => {
      sessionStorage.setItem(KEY, secret);
    });
    return secret;
  }
  return attempt(() => sessionStorage.getItem(KEY)) ?? null;
}

/** It was used, or is of no use. */
export function forgetLink(): void {
  attempt(() => {
    sessionStorage.removeItem(KEY);
  });
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    // Storage is closed to this page: a reload needs the link again.
    return undefined;
  }
}
