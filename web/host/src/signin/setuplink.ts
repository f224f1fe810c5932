// The secret of the one-time set-up link, `/setup#qs_…`: kept for this tab, so that a reload in the middle of the form does not lose it,
// and forgotten once it is used.

import { tabSecret, takeFragment } from '../frame/tabsecret.ts';

const kept = tabSecret('quizhall.setup');

/** The secret, or null when the address holds none. */
export const takeLink = (): string | null => takeFragment(kept, /^qs_[\w-]{8,200}$/);

/** Removes the secret: it was used, or is not valid. */
export const forgetLink = kept.forget;
