// The formats that quizzes are read from, in one table, and the reading of a file, which is recognised by its content. Never
// throws for what a file holds: a broken one is a sentence.
// Loaded when the host opens the import dialogue; import/ shows what comes of it.

import type { QuizFile } from '$sdk';
import { readCsv } from '$sdk/csv.ts';
import { readQuizTable } from '$sdk/quizcsv.ts';
import { readQuizFile } from '$sdk/quizfile.ts';
import { nothing, wholeRemark } from '$sdk/quizrounds.ts';

import { isAiken, readAiken } from './aiken.ts';
import { Damaged } from './damaged.ts';
import { beginFormulas } from './formulas.ts';
import { isGift, readGift } from './gift.ts';
import { isKahoot, readKahoot, readSheet } from './kahoot.ts';
import { isMoodle, readMoodle } from './moodle.ts';
import { isOpenTdb, readOpenTdb } from './opentdb.ts';
import { isQti, readQti } from './qtipackage.ts';
import type { ReadQuiz } from './readquiz.ts';
import { Source } from './source.ts';

/** What the places in a report count. */
export type Unit = 'line' | 'row' | 'question';

/** One format. */
export interface Format {
  /** Its own name, the same in all languages. */
  readonly name: string;
  /** Of its files, as a file picker wants them. */
  readonly endings: readonly string[];
  readonly unit: Unit;
  readonly recognises: (source: Source) => boolean;
  /** May throw `Damaged`. */
  readonly read: (source: Source) => ReadQuiz;
}

/** A file and what it held. */
export interface ReadFile extends ReadQuiz {
  /** Null when it is none of the formats. */
  readonly format: Format | null;
}

/** Bytes of a file: question banks bring their pictures along. */
export const LARGEST_FILE = 16 * 1_024 * 1_024;

/** Characters in which the header of a table is looked for. */
const HEADER = 4_096;

/** In the order in which they are asked whether a file is theirs. */
export const FORMATS: readonly Format[] = [
  { name: 'Kahoot', endings: ['xlsx'], unit: 'row', recognises: isKahoot, read: readKahoot },
  { name: 'Excel', endings: ['xlsx'], unit: 'row', recognises: ({ sheets }) => sheets !== null, read: readSheet },
  { name: 'QTI', endings: ['zip', 'xml', 'imscc'], unit: 'question', recognises: isQti, read: readQti },
  { name: 'Moodle XML', endings: ['xml'], unit: 'question', recognises: isMoodle, read: readMoodle },
  { name: 'Open Trivia DB', endings: ['json'], unit: 'question', recognises: isOpenTdb, read: readOpenTdb },
  { name: 'JSON', endings: ['json'], unit: 'question', recognises: isJson, read: ownFile },
  { name: 'CSV', endings: ['csv', 'tsv'], unit: 'line', recognises: isTable, read: ownFile },
  { name: 'Aiken', endings: ['txt'], unit: 'line', recognises: isAiken, read: readAiken },
  { name: 'GIFT', endings: ['gift', 'txt'], unit: 'line', recognises: isGift, read: readGift },
];

/** All endings, as a file picker wants them. */
export const ENDINGS = [...new Set(FORMATS.flatMap(({ endings }) => endings))].map((ending) => `.${ending}`).join();

/** Reads a file, or what was pasted. `title` is for formats that have none. */
export function readFormat(bytes: Uint8Array, title: string): ReadFile {
  if (bytes.length > LARGEST_FILE) return { format: null, ...nothing('too_large', { megabytes: LARGEST_FILE >> 20 }) };
  beginFormulas();
  const source = new Source(bytes, title);
  const format = FORMATS.find((each) => each.recognises(source)) ?? null;
  if (!format) return { format, ...(source.isBroken ? nothing('damaged', { line: 0 }) : nothing('not_a_quiz_file')) };
  return { format, ...withEncoding(readWhole(format, source), source) };
}

function readWhole(format: Format, source: Source): ReadQuiz {
  try {
    return format.read(source);
  } catch (error) {
    if (error instanceof Damaged) return nothing('damaged', { line: error.line });
    throw error;
  }
}

/** With a remark where the character set was a guess. */
function withEncoding(read: ReadQuiz, { decoded: { isSure, encoding } }: Source): ReadQuiz {
  if (isSure || read.quiz === null) return read;
  const remark = wholeRemark({ reason: 'read_as', params: { encoding }, dropped: false });
  return { ...read, skipped: [remark, ...read.skipped] };
}

function isTable({ text }: Source): boolean {
  const [head] = readCsv(text.slice(0, HEADER));
  return head !== undefined && readQuizTable([{ at: 1, cells: head.cells }]) !== null;
}

/** Not every text that begins with a brace is one: some of GIFT do. */
function isJson({ text }: Source): boolean {
  return /^\ufeff?\s*[{[]/.test(text) && /"(?:rounds|questions|title)"/.test(text);
}

function ownFile({ text, title }: Source): QuizFile {
  return readQuizFile(text, title);
}
