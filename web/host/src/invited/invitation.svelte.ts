// The invitation of a co-host, `/host/invited#qo_…`: its token, kept for this tab, and whose it is. Read by the page of the invitation
// and by the bar above it. Asks no server.

import type { CurrentCoHost } from '$sdk';

import { tabSecret, takeFragment } from '../frame/tabsecret.ts';

const kept = tabSecret('quizhall.invited');

let current = $state.raw<CurrentCoHost | null>(null);

/** The token, or null when neither the address nor the tab holds one. */
export const takeInvitation = (): string | null => takeFragment(kept, /^qo_[\w-]{8,200}$/);

/** The invitation is no longer valid. */
export const forgetInvitation = kept.forget;

/** The co-host of the page that is open. */
export const coHost = (): CurrentCoHost | null => current;

/** Shows in the bar who runs the game on this page; null when no one does. */
export function setCoHost(found: CurrentCoHost | null): void {
  current = found;
}
