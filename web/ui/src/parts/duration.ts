// How long a movement may take: nothing moves for people who asked for less motion. For Svelte's transitions, which do
// not read CSS; styles use --quick and --slow instead.

/** `ms`, or 0 under reduced motion. */
export function motion(ms: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
}
