// The tones of the three cues of the big screen.

import { playTones, QUESTION_TONES, type Tone } from '$ui/parts/tones.ts';

import type { Cue } from './scene.ts';

const TONES: Readonly<Record<Cue, readonly Tone[]>> = {
  question: QUESTION_TONES,
  end: [
    [587.3, 0, 0.22],
    [440, 0.2, 0.5],
  ],
  podium: [
    [523.3, 0, 0.2],
    [659.3, 0.16, 0.2],
    [784, 0.32, 0.2],
    [1046.5, 0.48, 0.9],
  ],
};

/** Plays a cue; does nothing when the page may not play sounds. */
export function playCue(cue: Cue): void {
  playTones(TONES[cue]);
}
