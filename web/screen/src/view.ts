// The content of the big screen: exactly what the whole room may know. picture.ts builds it from the server's messages, and the scenes draw
// it.

import type { ScreenUpdate, Section, TieBreakPlayer } from '$sdk';

/** The time that a timer has left. */
export interface ScreenTimer {
  /** The end of the time by the steady clock of this device; null while the timer is held. */
  readonly endsAt: number | null;
  /** The time left when the picture was made, in milliseconds. */
  readonly leftMs: number;
  /** Whether the picture is one of the past: the clock of this device takes nothing from it. */
  readonly past?: boolean;
}

/** A question with the number of players who have answered, and the number of all players. */
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
  /** Whether its time is over. */
  readonly closed: boolean;
  /** Whether its text was edited after its release. */
  readonly corrected?: boolean;
  /** Whether it was withdrawn from the round. */
  readonly withdrawn?: boolean;
  /** Null without a timer. */
  readonly timer: ScreenTimer | null;
}

/** The picture or the sound of a released question. */
export interface ScreenMedia {
  readonly kind: string;
  readonly alt: string;
  /** The file; undefined while this page loads it, null when it is not available. */
  readonly file: Blob | null | undefined;
  /** The size of a picture in pixels, where it is known. */
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

/** A place on the podium with all players who share it. */
export interface ScreenPlace {
  readonly rank: number;
  readonly score: number;
  readonly names: readonly { readonly playerId: string; readonly displayName: string }[];
}

/** The break between two rounds. */
export interface ScreenBreak {
  readonly timer: ScreenTimer;
  /** The host's text; empty when there is none. */
  readonly text: string;
  /** The round that follows it; null when none does. */
  readonly next: ScreenRound | null;
}

/** A round by its place in the quiz. */
export interface ScreenRound {
  readonly number: number;
  readonly of: number;
  readonly title: string;
  /** The round of the quiz that this round of one question came from; absent in games that go round by round. */
  readonly section?: Section;
  /** What a wrong answer earns, below 0; absent where it costs nothing. */
  readonly wrongPoints?: number;
}

/** The autopilot's next step, and when. */
export interface ScreenStep {
  readonly next: string;
  readonly timer: ScreenTimer;
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
      /** How many players were right, and out of how many; null until it is known, and where answers are not marked. */
      readonly right: { readonly count: number; readonly of: number } | null;
      /** The tally of a question that is not marked, once the host shows it. */
      readonly tally: ScreenTally | null;
      /** The author's explanation of the answer; empty when there is none. */
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
  /** The places that are shown, best first. `whole` means that no other place follows. */
  | { readonly kind: 'podium'; readonly places: readonly ScreenPlace[]; readonly whole: boolean }
  | { readonly kind: 'winner'; readonly place: ScreenPlace }
  | {
      readonly kind: 'tie_break';
      readonly text: string;
      /** The right answer; absent while it is open. */
      readonly number?: number;
      /** The players; once it is over, in their order. */
      readonly players: readonly TieBreakPlayer[];
    };

/** The whole picture; each one replaces the one before. */
export interface ScreenView extends Readonly<Pick<ScreenUpdate, 'playerTotal' | 'locked' | 'phase'>> {
  readonly gameCode: string;
  /** Whether the game has teams; absent until it is known. */
  readonly teams?: boolean | undefined;
  readonly joinUrl: string;
  readonly title: string;
  readonly round: ScreenRound | null;
  /** The players in order of joining (in big games the newest 100). */
  readonly players: readonly { readonly id: string; readonly displayName: string }[];
  /** The newest released questions of this round, in order. */
  readonly questions: readonly ScreenQuestion[];
  /** The tally of the newest question, or of any question once the round is over, while the host shows it. */
  readonly tally: ScreenTally | null;
  /** The time of the round; null without a timer. */
  readonly timer: ScreenTimer | null;
  /** The break, while there is one. */
  readonly pause: ScreenBreak | null;
  /** The autopilot's next step; null while a question is open, and while no autopilot runs. */
  readonly step: ScreenStep | null;
  /** How many players have played their joker for the current or next round; null where no joker can be played and none was. */
  readonly jokers: { readonly round: number; readonly played: number } | null;
  /** In the lobby, the seal of a sealed quiz. */
  readonly seal?: string | undefined;
  /** Null until the scores are out, or an answer is revealed. */
  readonly show: ScreenShow | null;
  /** Whether the host wants nothing to be shown. */
  readonly blank: boolean;
  /** Whether the host wants cues. */
  readonly sound: boolean;
  /** The language of the host's page; null is this page's own. */
  readonly language: string | null;
}
