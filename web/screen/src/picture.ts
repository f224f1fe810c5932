// The server's message in the form that the scenes draw: with the clock of this device, the files of this page, and the address where
// players join. Pure.

import type { ReleasedMedia, ScreenShow as SentShow, ScreenTimer as SentTimer, ScreenUpdate } from '$sdk';

import type { ScreenMedia, ScreenQuestion, ScreenShow, ScreenTimer, ScreenView } from './view.ts';

/** The values of this page that are not in the message. */
export interface Here {
  /** When the message arrived, by the steady clock of this device. */
  readonly at: number;
  readonly origin: string;
  /** Whether the game has teams, once it is known. */
  readonly teams?: boolean;
  /** For a picture of the past: for how many milliseconds of then it has been shown. Its times stand still at that. */
  readonly passed?: number;
  /** The opened file of a released question; undefined while it is loading, null when it is not available. */
  readonly fileOf: (media: ReleasedMedia) => Blob | null | undefined;
}

/** The picture of a message. */
export function pictureOf(update: ScreenUpdate, here: Here): ScreenView {
  const { gameCode, title, phase, playerTotal, locked, sound } = update;
  const { players = [], questions = [], round = null, tally = null, jokers = null, language = null, blank = false } = update;
  const pause = update.pause ?? null;
  const { step } = update;
  return {
    ...{ gameCode, title, phase, playerTotal, locked, sound, players, round, tally, jokers, language, blank },
    teams: here.teams,
    seal: update.seal,
    joinUrl: `${here.origin}/?code=${gameCode}`,
    questions: questions.map((question) => questionOf(question, here)),
    timer: timerOf(update.timer, here),
    pause: pause && { timer: counted(pause.timer, here), text: pause.text, next: pause.next ?? null },
    step: step ? { next: step.next, timer: counted(step, here) } : null,
    show: update.show ? showOf(update.show, here) : null,
  };
}

function questionOf(question: NonNullable<ScreenUpdate['questions']>[number], here: Here): ScreenQuestion {
  const { media, timer, choices = [], ...rest } = question;
  return {
    ...rest,
    choices,
    timer: timerOf(timer, here),
    ...(media && { media: mediaOf(media, here) }),
  };
}

function mediaOf(media: ReleasedMedia, here: Here): ScreenMedia {
  const { kind, alt, width, height } = media;
  return { kind, alt, width, height, file: here.fileOf(media) };
}

function showOf(show: SentShow, here: Here): ScreenShow {
  if (show.kind === 'question') {
    const { media, choices = [], right = null, tally = null, ...rest } = show;
    return { ...rest, choices, right, tally, ...(media && { media: mediaOf(media, here) }) };
  }
  if (show.kind !== 'standings') return show;
  const rows = show.rows.map((row) => ({ ...row, roundScore: row.roundScore ?? null, previousRank: row.previousRank ?? null }));
  return { ...show, rows };
}

const timerOf = (timer: SentTimer | undefined, here: Here): ScreenTimer | null => (timer ? counted(timer, here) : null);

function counted({ remainingMs, running }: SentTimer, { at, passed }: Here): ScreenTimer {
  const endsAt = running ? at + remainingMs : null;
  if (passed === undefined) return { leftMs: remainingMs, endsAt };
  return { leftMs: running ? Math.max(0, remainingMs - passed) : remainingMs, endsAt, past: true };
}
