// Secrets that this tab keeps, so that a reload does not lose them, and those that come in the fragment of a link, which browsers send
// to no server. Used for the set-up link, the invitation of a co-host and a further device of the host. Never shows or logs one.

/** A secret in the tab's storage. */
export interface TabSecret {
  readonly read: () => string | null;
  readonly keep: (secret: string) => void;
  readonly forget: () => void;
}

/** The secret under this key of the sessionStorage. */
export function tabSecret(key: string): TabSecret {
  return {
    read: () => attempt(() => sessionStorage.getItem(key)) ?? null,
    keep: (secret) => {
      attempt(() => {
        sessionStorage.setItem(key, secret);
      });
    },
    forget: () => {
      attempt(() => {
        sessionStorage.removeItem(key);
      });
    },
  };
}

/** The secret of this form in the address, from which it is removed; otherwise the stored one, or null. */
export function takeFragment(kept: TabSecret, shape: RegExp): string | null {
  const secret = location.hash.slice(1);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  if (!shape.test(secret)) return kept.read();
  kept.keep(secret);
  return secret;
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    // This page may not use the storage, so after a reload the link is needed again.
    return undefined;
  }
}
