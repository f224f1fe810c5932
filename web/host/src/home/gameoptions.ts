// The options of games that are started on this device; remembered here, so that each evening is like the last one.

import type { NewGame } from '$sdk';

import { remember, remembered } from '../run/device.ts';

const PHONES = 'quizhall.games.phones';

/** Whether phones wait for the screen in games to come. */
export const phonesWait = (): boolean => remembered(PHONES) === 'wait';

export function setPhonesWait(wait: boolean): void {
  remember(PHONES, wait ? 'wait' : 'follow');
}

/** What a game is started with. */
export function gameOptions(): Omit<NewGame, 'quizId'> {
  return phonesWait() ? { phonesAfterScreen: true } : {};
}
