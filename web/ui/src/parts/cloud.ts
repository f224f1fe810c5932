// The sizes of the words of a word cloud. Pure.

/** The size of each word of a word cloud, by its count, between once and four times the least. */
export function cloudSizes(counts: readonly number[]): number[] {
  const most = Math.max(1, ...counts);
  return counts.map((count) => Math.round((1 + 3 * Math.sqrt(count / most)) * 10) / 10);
}
