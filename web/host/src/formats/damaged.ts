// The error of a reader that finds its file broken or cut off. Every reader in this folder throws it, and only formats.ts catches
// it and makes a sentence of it: nothing is imported from a damaged file.

/** The file is broken, at this line of its text if that is known. */
export class Damaged extends Error {
  readonly line: number;

  constructor(line = 0) {
    super('damaged file');
    this.line = line;
  }
}
