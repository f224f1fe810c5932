// A picture of the screen in a few words, for the host: in the panel, and on the button that leads to it.

import type { Slide as SentSlide } from '$sdk';
import { m } from '$words/language.svelte.ts';

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

/** The kinds of pictures that follow `now`, each once: “→ standings → round 2”; empty when they are no others. */
export function followingWords(coming: readonly SentSlide[], source: Pick<Source, 'round'>, now: string): string {
  const kinds = [...new Set(coming.map(({ kind }) => (kind === 'winner' ? 'podium' : kind)))];
  const words = kinds.flatMap((kind) => {
    if (kind === 'question') return [m.run_wall_answers()];
    if (kind === 'standings') return [m.run_wall_whole_standings()];
    if (kind === 'podium') return [m.run_wall_winners_come()];
    return kind === 'next' ? [m.run_wall_then_round({ round: source.round + 1 })] : [];
  });
  return words
    .filter((each) => each !== now)
    .map((each) => `→ ${each}`)
    .join(' ');
}

function standingsWords(page: number, pages: number): string {
  return pages > 1 ? m.run_wall_standings({ page, pages }) : m.run_wall_whole_standings();
}

function podiumWords(places: ReturnType<typeof placesOf>, seen: number): string {
  if (seen === 0) return m.run_wall_winners_come();
  const place = places[places.length - seen];
  return place && seen < places.length ? m.run_wall_rank({ rank: place.rank }) : m.run_wall_podium();
}
