// The error of a reader that finds its file broken or cut off. Thrown by every reader below this folder and caught by
// formats.ts alone, which makes a sentence of it: a damaged file brings in nothing.

/** The file is broken, at this line of its text if that is known. */
export class Damaged extends Error {
  readonly line: number;

  constructor(line = 0) {
    super('damaged file');
    this.line = line;
  }
}
