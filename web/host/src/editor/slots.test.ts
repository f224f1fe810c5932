import { describe, expect, it } from 'vitest';

import { nearestSlot, scrollSpeed, slotsOf } from './slots.ts';

const rows = [
  { top: 100, bottom: 140 },
  { top: 140, bottom: 200 },
];

describe('slots', () => {
  it('are above each row and below the last', () => {
    expect(slotsOf('r', rows, 90)).toEqual([
      { y: 100, round: 'r', at: 0 },
      { y: 140, round: 'r', at: 1 },
      { y: 200, round: 'r', at: 2 },
    ]);
    expect(slotsOf('r', [], 90)).toEqual([{ y: 90, round: 'r', at: 0 }]);
  });

  it('are found by the pointer, across rounds', () => {
    const slots = [...slotsOf('r', rows, 90), ...slotsOf('s', [], 300)];
    const at = (y: number) => nearestSlot(slots, y);
    expect(at(0)).toMatchObject({ round: 'r', at: 0 });
    expect(at(125)).toMatchObject({ round: 'r', at: 1 });
    expect(at(240)).toMatchObject({ round: 'r', at: 2 });
    expect(at(999)).toMatchObject({ round: 's', at: 0 });
    expect(nearestSlot([], 5)).toBeNull();
  });

  it('come nearer when the pointer is at an edge of the window', () => {
    expect(scrollSpeed(400, 800)).toBe(0);
    expect(scrollSpeed(0, 800)).toBeLessThan(0);
    expect(scrollSpeed(800, 800)).toBeGreaterThan(0);
  });
});
