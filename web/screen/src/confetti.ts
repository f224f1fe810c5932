// One restrained burst for the winner, from both sides, in the colours of the page. Loaded when it is wanted; never
// under reduced motion.

import { motion } from '$ui/parts/duration.ts';

const COLOURS = ['--lamp', '--ink', '--choice-a', '--choice-c', '--choice-f'];

/** Throws it on this canvas. */
export async function celebrate(canvas: HTMLCanvasElement): Promise<void> {
  if (motion(1) === 0) return;
  const { default: confetti } = await import('canvas-confetti');
  const throwOn = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const colors = COLOURS.map(hex);
  for (const [x, angle] of [
    [0, 60],
    [1, 120],
  ] as const) {
    void throwOn({ particleCount: 60, origin: { x, y: 0.75 }, angle, spread: 50, startVelocity: 70, ticks: 240, colors });
  }
}

/** The value of a colour token in the theme of now, as canvas-confetti reads it: `#rrggbb`. */
function hex(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const parts = getComputedStyle(probe).color.match(/\d+/g) ?? [];
  probe.remove();
  return `#${parts
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
}
