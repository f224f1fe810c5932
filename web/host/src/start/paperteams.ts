// The teams on paper of a game, and their places in the game that follows it: no phone of theirs comes along by itself. Each call has a
// connection of its own, and closes it.

import { type Game, HostGame, type HostView } from '$sdk';

/** A server that can be reached states its players, and takes places, well within this time. */
const LONGEST_MS = 10_000;

/**
 * The names of the teams on paper of a game that has ended; null when they are not known. The server allows a host one connection per
 * game, so a game that still runs is not asked: its page would lose its own.
 */
export function paperTeamsOf({ phase, gameCode }: Game, token: string): Promise<readonly string[] | null> {
  if (phase !== 'ended') return Promise.resolve(null);
  return finding(new HostGame({ gameCode, token }), (view) => onPaperIn(view).map(({ displayName }) => displayName));
}

/** Gives these teams places in a game in its lobby; resolves to whether all of them have one. */
export async function seatOnPaper({ gameCode }: Game, token: string, names: readonly string[]): Promise<boolean> {
  const link = new HostGame({ gameCode, token });
  let areAsked = false;
  const seated = await finding(link, (view) => {
    if (!areAsked) {
      areAsked = true;
      for (const name of names) link.addSeat(name);
      return null;
    }
    if (view.pending.length > 0) return null;
    const seats = new Set(onPaperIn(view).map(({ displayName }) => displayName));
    return names.every((name) => seats.has(name));
  });
  return seated === true;
}

/** The first value that a view of the open connection has; null when it has none in time. */
function finding<Found>(link: HostGame, find: (view: HostView) => Found | null): Promise<Found | null> {
  return new Promise<Found | null>((resolve) => {
    const late = setTimeout(resolve, LONGEST_MS, null);
    link.subscribe((view) => {
      const found = view.connection.state === 'open' ? find(view) : null;
      if (found === null) return;
      clearTimeout(late);
      resolve(found);
    });
  }).finally(() => {
    link.close();
  });
}

const onPaperIn = ({ room }: HostView) => room.filter(({ onPaper, status }) => onPaper === true && status !== 'gone');
