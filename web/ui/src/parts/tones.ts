// Short sounds, made on the spot. Used by the screen and by the phone, each with tones of its own.

/** A tone: frequency in Hz, start and length in seconds. */
export type Tone = readonly [hertz: number, at: number, long: number];

/** Two tones for a question that has just come. */
export const QUESTION_TONES: readonly Tone[] = [
  [659.3, 0, 0.18],
  [880, 0.14, 0.35],
];

const LOUD = 0.2;

let audio: AudioContext | undefined;

/**
 * Whether this page may sound: browsers let it only after a touch. No audio is opened before, because browsers complain in the
 * console about that.
 */
export function maySound(): boolean {
  return 'userActivation' in navigator ? navigator.userActivation.hasBeenActive : audio !== undefined;
}

/** Plays tones; silent when the page may not. Call it with a click to let a page sound that may not yet. */
export function playTones(tones: readonly Tone[]): void {
  audio ??= new AudioContext();
  const { currentTime } = audio;
  void audio.resume();
  for (const [hertz, at, long] of tones) tone(audio, hertz, currentTime + 0.02 + at, long);
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
