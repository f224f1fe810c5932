// What the big screen shows: exactly what the whole room may know, nothing else. Made of the server's messages by picture.ts, drawn by
// the scenes.

import type { ScreenUpdate, TieBreakPlayer } from '$sdk';

/** What a timer has left. */
export interface ScreenTimer {
  /** When nothing is left, by the steady clock of this device; null while the timer is held. */
  readonly endsAt: number | null;
  /** What was left when the picture was made, in milliseconds. */
  readonly leftMs: number;
}

/** A question with how many have answered, and of how many. */
export interface ScreenQuestion {
  readonly id: string;
  readonly text: string;
  readonly type: string;
  readonly points: number;
  readonly speedPoints?: boolean;
  readonly number: number;
  readonly choices: readonly string[];
  readonly answered: number;
  readonly of: number;
  /** Its picture or its sound. */
  readonly media?: ScreenMedia;
  /** Its time is over. */
  readonly closed: boolean;
  /** Its text was edited since its release. */
  readonly corrected?: boolean;
  /** It was taken out of the round. */
  readonly withdrawn?: boolean;
  /** Null without a timer. */
  readonly timer: ScreenTimer | null;
}

/** The picture or the sound of a released question. */
export interface ScreenMedia {
  readonly kind: string;
  readonly alt: string;
  /** The file; undefined while this page loads it, null when it cannot be had. */
  readonly file: Blob | null | undefined;
  /** Of a picture in pixels, where they are known. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** How many players gave each answer to a question that is not marked. */
export interface ScreenTally {
  readonly text: string;
  /** Whether it is shown as words of different sizes. */
  readonly cloud: boolean;
  readonly entries: readonly { readonly answer: string; readonly count: number }[];
}

/** A row of the board. */
export interface ScreenRow {
  readonly playerId: string;
  readonly displayName: string;
  readonly score: number;
  readonly rank: number;
  readonly roundScore: number | null;
  /** Null on the first board. */
  readonly previousRank: number | null;
}

/** A place on the podium with all who share it. */
export interface ScreenPlace {
  readonly rank: number;
  readonly score: number;
  readonly names: readonly { readonly playerId: string; readonly displayName: string }[];
}

/** The break between two rounds. */
export interface ScreenBreak {
  readonly timer: ScreenTimer;
  /** What the host wrote to be shown with it; empty when nothing. */
  readonly text: string;
  /** The round that comes after it; null when none does. */
  readonly next: ScreenRound | null;
}

/** A round by its place in the quiz. */
export interface ScreenRound {
  readonly number: number;
  readonly of: number;
  readonly title: string;
}

/** The slide that the host shows after the release of the scores, or an answer revealed before. It has only the current slide, never the next one. */
export type ScreenShow =
  | {
      readonly kind: 'question';
      readonly number: number;
      readonly of: number;
      readonly text: string;
      readonly answer: string;
      readonly choices: readonly { readonly text: string; readonly right: boolean; readonly taken: number }[];
      /** How many were right, and of how many; null until it is known, and where answers are not marked. */
      readonly right: { readonly count: number; readonly of: number } | null;
      /** Of a question that is not marked, once the host shows it. */
      readonly tally: ScreenTally | null;
      /** What the author wrote to be shown with the answer; empty when nothing. */
      readonly explanation: string;
      /** The picture or the sound of the question. */
      readonly media?: ScreenMedia;
    }
  | {
      readonly kind: 'standings';
      /** The page's rows. */
      readonly rows: readonly ScreenRow[];
      readonly page: number;
      readonly pages: number;
    }
  | ({ readonly kind: 'next' } & ScreenRound)
  /** The places that are shown, best first; `whole` when no other follows. */
  | { readonly kind: 'podium'; readonly places: readonly ScreenPlace[]; readonly whole: boolean }
  | { readonly kind: 'winner'; readonly place: ScreenPlace }
  | {
      readonly kind: 'tie_break';
      readonly text: string;
      /** The right answer; absent while it is open. */
      readonly number?: number;
      /** Once it is over in their order. */
      readonly players: readonly TieBreakPlayer[];
    };

/** The whole picture; each one replaces the one before. */
export interface ScreenView extends Readonly<Pick<ScreenUpdate, 'playerTotal' | 'locked' | 'phase'>> {
  readonly gameCode: string;
  readonly joinUrl: string;
  readonly title: string;
  readonly round: ScreenRound | null;
  /** Names in order of joining (in big games the newest 100). */
  readonly players: readonly { readonly id: string; readonly displayName: string }[];
  /** The newest released questions of this round, in order. */
  readonly questions: readonly ScreenQuestion[];
  /** While the host shows the tally of the newest question, or of any once the round is over. */
  readonly tally: ScreenTally | null;
  /** The time of the round; null without a timer. */
  readonly timer: ScreenTimer | null;
  /** The break, while there is one. */
  readonly pause: ScreenBreak | null;
  /** How many have played their joker for the round that is played or comes next; null where none can be and none is. */
  readonly jokers: { readonly round: number; readonly played: number } | null;
  /** Null until the scores are out, or an answer is revealed. */
  readonly show: ScreenShow | null;
  /** Whether the host wants cues. */
  readonly sound: boolean;
  /** The language of the host's page; null is this page's own. */
  readonly language: string | null;
}
