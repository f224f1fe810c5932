// The scenes of the end of a game, which most screens show an hour after they were opened. App loads them as one file once the first
// picture is there.

export { default as Podium } from './scenes/Podium.svelte';
export { default as Winner } from './scenes/Winner.svelte';
