// The table of the formats from which quizzes are read, and the reading of a file, which is recognised by its content. It never throws
// because of a file's content: a damaged file gives a sentence. Loaded when the host opens the import dialogue; import/ shows the result.

import type { QuizFile } from '$sdk';
import { readQuizFile } from '$sdk/quizfile.ts';
import type { Params } from '$sdk/quizcheck.ts';
import { nothing, wholeRemark } from '$sdk/quizrounds.ts';

import { isAiken, readAiken } from './aiken.ts';
import { isAnki, isPairs, readAnki, readPairs } from './cards.ts';
import { Damaged } from './damaged.ts';
import { type Reading, readingsOf } from './encoding.ts';
import { beginFormulas } from './formulas.ts';
import { isGift, readGift } from './gift.ts';
import { isMoodle, readMoodle } from './moodle.ts';
import { isOpenTdb, isTriviaApi, readOpenTdb } from './opentdb.ts';
import { otherKind } from './otherfiles.ts';
import { isQti, readQti } from './qtipackage.ts';
import type { ReadQuiz } from './readquiz.ts';
import { Source } from './source.ts';
import { isMadeBy, isTextTable, isUnknownTable, readTables, TABLE_MAKERS, unknownTable } from './tablefiles.ts';

/** The units of the places in a report. */
export type Unit = 'line' | 'row' | 'question';

/** One format. */
export interface Format {
  /** Its own name, the same in all languages. */
  readonly name: string;
  /** The endings of its files, in the form that a file picker needs. */
  readonly endings: readonly string[];
  readonly unit: Unit;
  readonly recognises: (source: Source) => boolean;
  /** May throw `Damaged`. */
  readonly read: (source: Source) => ReadQuiz;
}

/** A file and its contents. */
export interface ReadFile extends ReadQuiz {
  /** The format; null for an unknown one. */
  readonly format: Format | null;
  /** The unit of the places in the report. */
  readonly unit: Unit;
  /** The character set that it was read in. */
  readonly encoding: string;
  /** All possible character sets, if the file does not name its own; otherwise none. */
  readonly readings: readonly Reading[];
}

/** The most bytes of a file: question banks contain their pictures. */
export const LARGEST_FILE = 16 * 1_024 * 1_024;

/** The formats in the order in which they are tried. */
export const FORMATS: readonly Format[] = [
  ...TABLE_MAKERS.map((name): Format => ({ name, endings: ['xlsx', 'csv'], unit: 'line', recognises: isMadeBy(name), read: readTables })),
  { name: 'Excel', endings: ['xlsx'], unit: 'row', recognises: ({ sheets }) => sheets !== null, read: readTables },
  { name: 'QTI', endings: ['zip', 'xml', 'imscc'], unit: 'question', recognises: isQti, read: readQti },
  { name: 'Moodle XML', endings: ['xml'], unit: 'question', recognises: isMoodle, read: readMoodle },
  { name: 'Open Trivia DB', endings: ['json'], unit: 'question', recognises: isOpenTdb, read: readOpenTdb },
  { name: 'The Trivia API', endings: ['json'], unit: 'question', recognises: isTriviaApi, read: readOpenTdb },
  { name: 'JSON', endings: ['json'], unit: 'question', recognises: isJson, read: ownFile },
  { name: 'Anki', endings: ['txt'], unit: 'line', recognises: isAnki, read: readAnki },
  { name: 'CSV', endings: ['csv', 'tsv'], unit: 'line', recognises: isTextTable, read: readTables },
  { name: 'Aiken', endings: ['txt'], unit: 'line', recognises: isAiken, read: readAiken },
  { name: 'GIFT', endings: ['gift', 'txt'], unit: 'line', recognises: isGift, read: readGift },
  { name: 'Quizlet', endings: ['txt', 'tsv'], unit: 'line', recognises: isPairs, read: readPairs },
];

/** All endings, in the form that a file picker needs. */
export const ENDINGS = [...new Set(FORMATS.flatMap(({ endings }) => endings))].map((ending) => `.${ending}`).join();

/** Reads a file or a pasted text. `title` is for formats without a title; `encoding` is the host's choice among `readings`. */
export function readFormat(bytes: Uint8Array, title: string, encoding?: string): ReadFile {
  if (bytes.length > LARGEST_FILE) return unread('too_large', { megabytes: LARGEST_FILE >> 20 });
  beginFormulas();
  const source = new Source(bytes, title, encoding);
  const kind = otherKind(source);
  if (kind !== undefined) return unread('other_file', { kind });
  const format = FORMATS.find((each) => each.recognises(source)) ?? null;
  const read = format ? withEncoding(readWhole(format, source), source) : whatElse(source);
  const { isSure, encoding: used } = source.decoded;
  const readings = encoding === undefined && isSure ? [] : readingsOf(bytes, used);
  return { format, unit: source.sheets ? 'row' : (format?.unit ?? 'line'), encoding: used, readings, ...read };
}

/** The remark about a file of an unknown format. */
function whatElse(source: Source): QuizFile {
  if (source.isBroken) return nothing('damaged', { line: 0 });
  if (source.isArchive) return nothing('other_file', { kind: 'ZIP' });
  return isUnknownTable(source) ? unknownTable(source.tables) : nothing('not_a_quiz_file');
}

function unread(reason: 'too_large' | 'other_file', params: Params): ReadFile {
  return { format: null, unit: 'line', encoding: '', readings: [], ...nothing(reason, params) };
}

function readWhole(format: Format, source: Source): ReadQuiz {
  try {
    return format.read(source);
  } catch (error) {
    if (error instanceof Damaged) return nothing('damaged', { line: error.line });
    throw error;
  }
}

/** Adds a remark where the character set was a guess. */
function withEncoding(read: ReadQuiz, { decoded: { isSure, encoding } }: Source): ReadQuiz {
  if (isSure || read.quiz === null) return read;
  const remark = wholeRemark({ reason: 'read_as', params: { encoding }, dropped: false });
  return { ...read, skipped: [remark, ...read.skipped] };
}

/** Not every text that begins with a brace is JSON: some GIFT texts do too. */
function isJson({ text }: Source): boolean {
  return /^\ufeff?\s*[{[]/.test(text) && /"(?:rounds|questions|title)"/.test(text);
}

function ownFile({ text, title }: Source): QuizFile {
  return readQuizFile(text, title);
}
