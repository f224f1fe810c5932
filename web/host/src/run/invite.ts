// The invitation in words. Pure.

/** A link's address as people type it: without scheme, query and closing slash. */
export function addressOf(joinUrl: string): string {
  return joinUrl.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/, '').replace(/\/$/, '');
}
