// One shower of confetti for the winner, in the colours of the page: a burst from both sides, then a rain from above. It is loaded on
// demand, and never under reduced motion.

import { motion } from '$ui/parts/duration.ts';

/** The milliseconds between two bursts from above. */
const RAIN_EVERY = 350;
const COLOURS = ['--paper', '--ink', '--choice-a', '--choice-c', '--choice-d'];

/** Draws the confetti on this canvas. */
export async function celebrate(canvas: HTMLCanvasElement): Promise<void> {
  if (motion(1) === 0) return;
  const { default: confetti } = await import('canvas-confetti');
  const throwOn = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const colors = COLOURS.map(hex);
  for (const [x, angle] of [
    [0, 60],
    [1, 120],
  ] as const) {
    void throwOn({ particleCount: 160, origin: { x, y: 0.8 }, angle, spread: 70, startVelocity: 85, ticks: 320, scalar: 2.2, colors });
  }
  const rain = { angle: 270, spread: 90, startVelocity: 25, gravity: 0.7, ticks: 400, scalar: 2.2, colors };
  for (const [index, x] of [0.15, 0.85, 0.35, 0.65, 0.5].entries()) {
    setTimeout(() => {
      void throwOn({ ...rain, particleCount: 60, origin: { x, y: -0.1 } });
    }, RAIN_EVERY * (index + 1));
  }
}

/** The value of a colour token in the current theme, in the form that canvas-confetti reads: `#rrggbb`. */
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
