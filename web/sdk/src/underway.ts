// What a player has sent on this connection and has no answer to yet, so that it is not sent twice. Used by player.ts.

/** The round of a joker, the questions of appeals, and the answer to a tie-break. */
export interface UnderWay {
  joker: number | null;
  readonly appeals: Set<string>;
  /** The number of the tie-break and the answer; empty when none is under way. */
  tie: string;
}

/** On a new connection nothing is under way. */
export const noneUnderWay = (): UnderWay => ({ joker: null, appeals: new Set(), tie: '' });
