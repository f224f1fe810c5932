// The parts of the game that most games never show: jokers, tie-breaks, the autopilot's countdown, and the seal. The session loads them as one file
// as soon as the game has one of them. They take what they share with the game's part from there.

export { default as Joker } from './Joker.svelte';
export { default as NextStep } from './NextStep.svelte';
export { default as Seal } from './Seal.svelte';
export { default as TieBreak } from './TieBreak.svelte';
