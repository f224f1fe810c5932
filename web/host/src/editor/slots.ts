// The place where a dragged thing would be put. Pure: measurements are passed in.

/** A place between two rows, or at an end. */
export interface Slot {
  /** Where it is drawn, in the window. */
  readonly y: number;
  /** Key of the round; for rounds themselves "". */
  readonly round: string;
  /** Before the thing that is now at this index. */
  readonly at: number;
}

/** A row's upper and lower edge. */
export interface Edges {
  readonly top: number;
  readonly bottom: number;
}

/** The slot nearest to the pointer. */
export function nearestSlot(slots: readonly Slot[], y: number): Slot | null {
  const distance = (slot: Slot): number => Math.abs(slot.y - y);
  return slots.reduce<Slot | null>((best, slot) => (best && distance(best) <= distance(slot) ? best : slot), null);
}

/** The slots of a list: above each row, and below the last. An empty list has one, at `start`. */
export function slotsOf(round: string, rows: readonly Edges[], start: number): Slot[] {
  const above = rows.map((row, at) => ({ y: row.top, round, at }));
  return [...above, { y: rows.at(-1)?.bottom ?? start, round, at: rows.length }];
}

/** How fast the window follows when the pointer is near its edge: pixels per frame, upwards negative. */
export function scrollSpeed(y: number, height: number): number {
  const edge = 72;
  if (y < edge) return -Math.ceil((edge - y) / 6);
  return y > height - edge ? Math.ceil((y - height + edge) / 6) : 0;
}
