// The last choice of options for each quiz, and the last one at all, on this device. Of a preset only its name is kept, so that a later
// version's preset counts. Holds a bounded number of quizzes, and tolerates a storage that is closed or has other content.

import type { RoundBody } from '$sdk';

import { remember, remembered } from '../run/device.ts';
import { bodyOf, type Choice, EACH_PRESET, FIRST, isLesson, type Options, PLAIN, type Preset, PRESETS, readOptions } from './options.ts';

const KEY = 'quizhall.start';

/** The most quizzes whose choice is kept; the oldest is forgotten first. */
const MOST = 100;

/** As it is stored: a preset's name, or own options. */
type Kept = Preset | object;

interface Store {
  readonly last: Kept;
  /** The newest first. */
  readonly quizzes: readonly (readonly [quizId: string, kept: Kept])[];
  /** The own options that were used last. */
  readonly own: object | null;
}

/** The choice for this quiz, or else the last one. */
export function rememberedChoice(quizId: string | null): Choice {
  const store = read();
  if (store === null) return FIRST;
  const kept = store.quizzes.find(([id]) => id === quizId)?.[1] ?? store.last;
  return choiceFrom(kept) ?? FIRST;
}

/** Whether a choice for this quiz is kept. */
function isRemembered(quizId: string): boolean {
  return read()?.quizzes.some(([id]) => id === quizId) ?? false;
}

/** The choice for this quiz; for a new one that asks as in a lesson (`rounds`), a classroom in place of a pub night. */
export function firstChoice(quizId: string, rounds: readonly RoundBody[] | null): Choice {
  const choice = rememberedChoice(quizId);
  if (isRemembered(quizId) || choice.preset !== 'pub' || !isLesson(rounds ?? [])) return choice;
  return { preset: 'classroom', options: PRESETS.classroom };
}

/** The own options that were used last; null when there were none. */
export function rememberedOwn(): Options | null {
  return readOptions(read()?.own);
}

/** A game of this quiz was started. */
export function rememberChoice(quizId: string, { preset, options }: Choice): void {
  const before = read();
  const body = bodyOf(options);
  const kept: Kept = preset === 'own' ? body : preset;
  const others = (before?.quizzes ?? []).filter(([id]) => id !== quizId);
  const store: Store = {
    last: kept,
    quizzes: [[quizId, kept] as const, ...others].slice(0, MOST),
    own: preset === 'own' ? body : (before?.own ?? null),
  };
  remember(KEY, JSON.stringify(store));
}

function choiceFrom(kept: unknown): Choice | null {
  const preset = EACH_PRESET.find((name) => name === kept);
  if (preset !== undefined && preset !== 'own') return { preset, options: PRESETS[preset] };
  const options = readOptions(kept);
  return options && { preset: 'own', options: { ...PLAIN, ...options } };
}

function read(): Store | null {
  try {
    const store: unknown = JSON.parse(remembered(KEY) ?? 'null');
    return isStore(store) ? store : null;
  } catch {
    return null;
  }
}

function isStore(read: unknown): read is Store {
  if (typeof read !== 'object' || read === null) return false;
  const { quizzes } = read as { quizzes?: unknown };
  return Array.isArray(quizzes) && quizzes.every((each) => Array.isArray(each) && typeof each[0] === 'string');
}
