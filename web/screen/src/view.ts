// What the big screen shows: exactly what everybody in the room may know, nothing else. Made by the host page, sent
// through channel.ts, drawn by the screen page. Never holds a key, an unreleased question, or whose answer was what.

/** A question with how many of those who are here have answered. */
export interface ScreenQuestion {
  readonly id: string;
  readonly number: number;
  readonly text: string;
  readonly type: string;
  readonly choices: readonly string[];
  readonly points: number;
  readonly answered: number;
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

/** The whole picture; each one replaces the one before. */
export interface ScreenView {
  readonly gameCode: string;
  readonly joinUrl: string;
  readonly title: string;
  readonly phase: 'lobby' | 'question' | 'round_review' | 'leaderboard' | 'ended';
  readonly round: { readonly number: number; readonly of: number; readonly title: string } | null;
  /** Names in order of joining (in big games the newest 100). */
  readonly players: readonly { readonly id: string; readonly displayName: string }[];
  readonly playerTotal: number;
  readonly connectedTotal: number;
  readonly locked: boolean;
  /** Released questions of this round, in order. */
  readonly questions: readonly ScreenQuestion[];
  readonly board: readonly ScreenRow[];
  /** Whether the host wants cues. */
  readonly sound: boolean;
  readonly language: 'en' | 'de' | 'es' | 'fr';
}
