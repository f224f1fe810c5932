// A picture of the screen in a few words, for the host: in the panel, and on the button that leads to it.

import type { Slide as SentSlide } from '$sdk';
import { m } from '$words/language.svelte.ts';

import type { Share } from './shares.ts';
import type { Source } from './showing.svelte.ts';
import { PAGE, placesOf } from './wall.ts';

/** What the picture shows. */
export function slideWords({ kind, at = 0 }: SentSlide, { board, round }: Pick<Source, 'board' | 'round'>): string {
  switch (kind) {
    case 'question':
      return m.run_wall_question({ number: at + 1 });
    case 'standings':
      return standingsWords(at + 1, Math.ceil(board.length / PAGE));
    case 'next':
      return m.run_wall_round({ round: round + 1 });
    case 'winner':
      return m.run_wall_winner();
    case 'podium':
      return podiumWords(placesOf(board), at);
    case 'tie_break':
      return m.everywhere_tie();
  }
}

/**
 * The kinds of pictures that follow the one that is shown, each once: “→ the winners → standings”. Of answers and places the picture itself
 * says how many are left.
 */
export function followingWords(coming: readonly SentSlide[], now: SentSlide['kind'] | undefined): string {
  const kinds = new Set(coming.map(({ kind }) => groupOf(kind)));
  const words = [...kinds].filter((kind) => kind !== 'question' && kind !== (now && groupOf(now)));
  return words.map((kind) => `→ ${kind === 'podium' ? m.run_wall_winners_come() : m.run_wall_whole_standings()}`).join(' ');
}

const groupOf = (kind: SentSlide['kind']): SentSlide['kind'] => (kind === 'winner' ? 'podium' : kind);

/** The share in words. */
export function shareWords({ right, of, given }: Share): string {
  return given === 0 ? m.run_wall_no_answers() : m.run_wall_right({ right, count: of });
}

function standingsWords(page: number, pages: number): string {
  return pages > 1 ? m.run_wall_standings({ page, pages }) : m.run_wall_whole_standings();
}

function podiumWords(places: ReturnType<typeof placesOf>, seen: number): string {
  if (seen === 0) return m.run_wall_winners_come();
  const place = places[places.length - seen];
  return place && seen < places.length ? m.run_wall_rank({ rank: place.rank }) : m.run_wall_podium();
}
