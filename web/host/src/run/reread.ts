// When the page of a running game reads the game again: the messages of the connection do not contain the whole quiz. Pure; Running.svelte
// reads it.

import type { Game, HostView } from '$sdk';

/** Whether the game that was read is no longer the one that is played, as far as this view shows. */
export function isOutdated(game: Pick<Game, 'options'>, view: Pick<HostView, 'options'>): boolean {
  return view.options !== null && textOf(view.options) !== textOf(game.options ?? {});
}

/** Whether another window may have asked questions that this page has not heard of: they are all needed once answers are marked. */
export function mayLack({ phase, connection }: Pick<HostView, 'phase' | 'connection'>): boolean {
  return phase === 'round_review' && connection.state === 'open';
}

/** The same for equal options, in whatever order their fields came. */
function textOf(options: object): string {
  return JSON.stringify(options, (_, value: unknown) => {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
  });
}
