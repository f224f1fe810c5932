// The sentence about what a correction would do.

import { describe, expect, it } from 'vitest';

import type { WhatIfOutcome } from '$sdk';

import { acceptingWords, outcomeWords } from './whatif.ts';

type Board = Readonly<Record<string, number>>;

/** Both boards by name and score, and what differs between them. */
function outcome(before: Board, after: Board): WhatIfOutcome {
  const lines = (board: Board): WhatIfOutcome['before'] =>
    Object.entries(board).map(([name, score]) => {
      const rank = 1 + Object.values(board).filter((other) => other > score).length;
      return { playerId: name, displayName: name, score, rank };
    });
  const changes = lines(after).flatMap(({ playerId, displayName, score, rank }) => {
    const was = lines(before).find((line) => line.playerId === playerId);
    if (was?.score === score && was.rank === rank) return [];
    return [{ playerId, displayName, scoreBefore: was?.score ?? 0, scoreAfter: score, rankBefore: was?.rank, rankAfter: rank }];
  });
  return { before: lines(before), after: lines(after), changes } as WhatIfOutcome;
}

const plain = (words: string): string => words.replace(/[\u2068\u2069]/g, '');
const PLAYERS = { hasTeams: false, hasPlaces: true };

describe('what a correction would do', () => {
  it('says how many gain or lose how much, and who leads', () => {
    const gained = outcome({ Ann: 10, Ben: 9, Cid: 1, Dan: 1 }, { Ben: 11, Ann: 10, Cid: 3, Dan: 3 });
    expect(plain(outcomeWords(gained, PLAYERS))).toBe('3 players gain 2 points. First place changes: Ann → Ben.');
    expect(plain(outcomeWords(gained, { ...PLAYERS, hasTeams: true }))).toMatch(/^3 teams gain 2 points\./);
    expect(plain(outcomeWords(gained, { ...PLAYERS, hasPlaces: false }))).toBe('3 players gain 2 points.');
    const mixed = outcome({ Ann: 10, Ben: 5, Cid: 4 }, { Ann: 9, Ben: 8, Cid: 6 });
    expect(outcomeWords(mixed, PLAYERS)).toBe('2 players gain 2 to 3 points. 1 player loses 1 point.');
  });

  it('says so when no points change, and when several lead', () => {
    expect(outcomeWords(outcome({ Ann: 1 }, { Ann: 1, Ben: 0 }), PLAYERS)).toBe('No points change.');
    const many = { Ann: 2, Ben: 2, Cid: 2, Dan: 2, Eve: 1 };
    const words = outcomeWords(outcome(many, { ...many, Eve: 3 }), PLAYERS);
    expect(plain(words)).toBe('1 player gains 2 points. First place changes: Ann, Ben and 2 more → Eve.');
    expect(outcomeWords(outcome({}, { Ann: 2 }), PLAYERS), 'no one led before').toBe('1 player gains 2 points.');
  });

  it('says what accepting an answer gives', () => {
    const gives = outcome({ Ann: 5, Ben: 0, Cid: 0 }, { Ann: 5, Ben: 2, Cid: 2 });
    expect(plain(acceptingWords('Colour', gives, false))).toBe('Accepting “Colour” gives 2 players 2 points.');
    expect(plain(acceptingWords('Colour', gives, true))).toBe('Accepting “Colour” gives 2 teams 2 points.');
    expect(acceptingWords('Colour', outcome({ Ann: 5 }, { Ann: 5 }), false)).toBe('');
    expect(plain(acceptingWords('a\nb '.repeat(40), gives, false))).toMatch(/^Accepting “a b a b.*…” gives/);
  });
});
