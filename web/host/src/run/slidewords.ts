// A slide of the screen in a few words, for the host. Used by the panel and by the step that leads to it.

import { m } from '$words/language.svelte.ts';

import type { Source } from './showing.svelte.ts';
import { PAGE, placesOf, type Slide } from './wall.ts';

/** The content of this slide. */
export function slideWords(slide: Slide, { board, round }: Pick<Source, 'board' | 'round'>): string {
  switch (slide.kind) {
    case 'question':
      return m.run_wall_question({ number: slide.index + 1 });
    case 'standings':
      return m.run_wall_standings({ page: slide.page + 1, pages: Math.ceil(board.length / PAGE) });
    case 'next':
      return m.run_wall_round({ round: round + 1 });
    case 'winner':
      return m.run_wall_winner();
    case 'podium':
      return podiumWords(placesOf(board), slide.seen);
  }
}

function podiumWords(places: ReturnType<typeof placesOf>, seen: number): string {
  const place = places[places.length - seen];
  return place && seen < places.length ? m.run_wall_rank({ rank: place.rank }) : m.run_wall_podium();
}
