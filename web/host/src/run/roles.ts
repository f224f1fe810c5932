// The roles of co-hosts in words, for the host who invites, for the bar above the page and for the page itself.

import type { CoHostRole } from '$sdk';
import { m } from '$words/language.svelte.ts';

/** In the order in which they are offered. */
export const ROLES: readonly CoHostRole[] = ['host', 'marker', 'moderator'];

/** The name of the role. */
export function roleName(role: CoHostRole): string {
  switch (role) {
    case 'host':
      return m.run_role_host();
    case 'marker':
      return m.run_role_marker();
    case 'moderator':
      return m.run_role_moderator();
  }
}

/** The abilities of a co-host with the role, for the host. */
export function roleAbout(role: CoHostRole): string {
  switch (role) {
    case 'host':
      return m.run_role_host_about();
    case 'marker':
      return m.run_role_marker_about();
    case 'moderator':
      return m.run_role_moderator_about();
  }
}
