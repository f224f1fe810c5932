// @vitest-environment jsdom
import { expect, test } from 'vitest';

import type { Hosting } from './hosting.svelte.ts';
import { playersSee } from './playerssee.ts';
import { followingWords, shareWords } from './slidewords.ts';
import type { Slide } from './wall.ts';

/** A round whose third answer was revealed last, with this picture on the screen. */
function after(slide: Slide, different: { readonly held?: boolean; readonly watched?: boolean; readonly waits?: boolean } = {}): string {
  const { held = true, watched = true, waits = true } = different;
  return playersSee({
    view: { phase: 'leaderboard', pause: null, standingsHeld: held, tieBreaks: [], revealed: [{ questionId: 'q3' }] },
    game: { phonesAfterScreen: waits },
    steps: { watched },
    showing: { shown: { slide } },
    released: [{ id: 'q3', released: 3 }],
  } as unknown as Hosting);
}

test('phones that wait for the screen show its answers, and nothing of the pictures after them', () => {
  expect(after({ kind: 'question', at: 2 })).toBe('Phones show the answer to question 3.');
  expect(after({ kind: 'podium', at: 1 })).toBe('Phones wait for the screen.');
  expect(after({ kind: 'standings', at: 0 })).toBe('Phones wait for the screen.');
  expect(after({ kind: 'standings', at: 0 }, { held: false })).toBe('Phones show their points and the standings.');
  expect(after({ kind: 'question', at: 2 }, { waits: false })).toBe('Players see their own points, but not the standings yet.');
});

test('what follows a picture is named once, without what the picture itself counts', () => {
  const left: readonly Slide[] = [{ kind: 'question', at: 2 }, { kind: 'podium', at: 1 }, { kind: 'winner' }, { kind: 'standings', at: 0 }];
  expect(followingWords(left, 'question')).toBe('→ the winners → standings');
  expect(followingWords(left.slice(2), 'podium'), 'the place that is shown is one of the winners').toBe('→ standings');
  expect(followingWords(left.slice(3), 'winner')).toBe('→ standings');
});

test('no share is said of answers that no one gave', () => {
  expect(shareWords({ right: 0, of: 5, given: 0 })).toBe('No one answered');
  expect(shareWords({ right: 0, of: 5, given: 2 })).toBe('0 of 5 right');
});
