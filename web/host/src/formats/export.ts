// Writes a quiz as a file of a kind. Loaded when the host exports; home/download.ts hands the file over.

import type { QuizUpload } from '$sdk';
import { writeQuizTable } from '$sdk/quizcsv.ts';
import { quizToCsv, quizToJson } from '$sdk/quizfile.ts';

import { quizToAiken } from './aiken.ts';
import { quizToGift } from './giftwrite.ts';
import { type FileKind, XLSX_MIME } from './kinds.ts';
import { workbook } from './xlsx.ts';

/** A finished file. */
export interface Written {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly ending: string;
  readonly mime: string;
  /** Questions that the format cannot hold. */
  readonly leftOut: number;
}

type Writer = (quiz: QuizUpload) => Written;

const WRITERS: Readonly<Record<FileKind, Writer>> = {
  json: (quiz) => whole(quizToJson(quiz), 'json', 'application/json'),
  csv: (quiz) => whole(quizToCsv(quiz), 'csv', 'text/csv;charset=utf-8'),
  xlsx: (quiz) => whole(new Uint8Array(workbook([{ name: 'Quiz', rows: writeQuizTable(quiz) }])), 'xlsx', XLSX_MIME),
  gift: (quiz) => part(quizToGift(quiz), 'gift.txt'),
  aiken: (quiz) => part(quizToAiken(quiz), 'aiken.txt'),
};

/** The quiz as a file of this kind. */
export function writeQuiz(quiz: QuizUpload, kind: FileKind): Written {
  return WRITERS[kind](quiz);
}

function whole(content: Written['content'], ending: string, mime: string): Written {
  return { content, ending, mime, leftOut: 0 };
}

function part({ text, leftOut }: { readonly text: string; readonly leftOut: number }, ending: string): Written {
  return { ...whole(text, ending, 'text/plain;charset=utf-8'), leftOut };
}
