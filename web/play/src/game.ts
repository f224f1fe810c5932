// The part of the page that only a seated player needs: the connection and the views of a game. The session loads it as one file, ahead of
// its use, so that joining waits for nothing and no step of a game loads anything more. Only two parts are loaded on request: the drawing
// of a code for another phone, and the form that takes a seat by such a code.

export { PlayerGame } from '$sdk';
export { keepAwake } from '$ui/parts/awake.ts';
export { default as ConnectionBar } from '$ui/parts/ConnectionBar.svelte';
export { default as Dialog } from '$ui/parts/Dialog.svelte';

export { keepFocus } from './keepfocus.ts';
export { default as Game } from './Game.svelte';
export { default as Leave } from './Leave.svelte';
export { default as Move } from './Move.svelte';
export { announcementOf } from './announcement.ts';
export { foundOpen, hasRareParts, stillUnseen } from './changes.ts';
export { default as Signal } from './Signal.svelte';
export { giveSignal } from './signal.ts';
export { phoneName } from './team.ts';
