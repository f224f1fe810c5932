// The part of the page that only games with teams need: the fields that join one, and the parts below questions and in the lobby. The
// session loads it as one file when it knows that the game has teams. It imports nothing from the game's part.

import { m } from '$words/language.svelte.ts';

export { default as TeamAnswer } from './TeamAnswer.svelte';
export { default as TeamDialog } from './TeamDialog.svelte';
export { default as TeamHere } from './TeamHere.svelte';
export { default as TeamJoin } from './TeamJoin.svelte';
export { teamForm } from './teamform.svelte.ts';

/** The number of teams in the lobby. */
export const here = m.play_teams_here;
