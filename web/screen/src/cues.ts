// Three short sounds, made on the spot. A browser lets a page sound only after a touch: `mayCue` says so,
// and no audio is opened before, as browsers complain in the console about that.

import type { Cue } from './scene.ts';

/** Tones of a cue: frequency in Hz, start and length in seconds. */
const TONES: Readonly<Record<Cue, readonly (readonly [hertz: number, at: number, long: number])[]>> = {
  question: [
    [659.3, 0, 0.18],
    [880, 0.14, 0.35],
  ],
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

const LOUD = 0.2;

let audio: AudioContext | undefined;

/** Whether this page may sound. */
export function mayCue(): boolean {
  return 'userActivation' in navigator ? navigator.userActivation.hasBeenActive : audio !== undefined;
}

/** Plays a cue; silent when the page may not. Call it with a click to let a page sound that may not yet. */
export function playCue(cue: Cue): void {
  audio ??= new AudioContext();
  const { currentTime } = audio;
  void audio.resume();
  for (const [hertz, at, long] of TONES[cue]) tone(audio, hertz, currentTime + 0.02 + at, long);
}

function tone(context: AudioContext, hertz: number, start: number, long: number): void {
  const source = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUD, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, start + long);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + long + 0.05);
}
