// The form in which tests compare a file that was read: one line per question and per remark. For tests only.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { QuestionBody } from '$sdk';

import { type ReadFile, readFormat } from './formats.ts';

/** Where the samples are. */
export const SAMPLES = join(import.meta.dirname, 'samples');

export const sample = (name: string): Uint8Array => new Uint8Array(readFileSync(join(SAMPLES, name)));

/** Reads a sample, or a text. */
export const readSample = (name: string): ReadFile => readFormat(sample(name), 'From a file');
export const readText = (text: string): ReadFile => readFormat(new TextEncoder().encode(text), 'From a file');

/** The quiz: its title, its rounds behind `#`, its questions. */
export function questionsOf({ quiz }: ReadFile): string[] {
  if (!quiz) return [];
  return [quiz.title, ...quiz.rounds.flatMap(({ title, questions }) => [`# ${title}`, ...questions.map(lineOf)])];
}

function lineOf({ type, text, choices, correctAnswers, tolerance, points, explanation, media, timeLimit, tags }: QuestionBody): string {
  const parts = [
    `${type}: ${text.replaceAll('\n', '⏎')}`,
    ...(choices ? [choices.join(' | ')] : []),
    `= ${correctAnswers.join(' | ')}`,
    ...(tolerance === undefined ? [] : [`± ${String(tolerance)}`]),
    ...(points === undefined ? [] : [`${String(points)} p`]),
    ...(timeLimit === undefined ? [] : [`${String(timeLimit)} s`]),
    ...(media === undefined ? [] : [`[${media.kind}: ${media.alt ?? ''}]`]),
    ...(tags === undefined ? [] : [`[${tags.join()}]`]),
    ...(explanation === undefined ? [] : [`! ${explanation.replaceAll('\n', '⏎')}`]),
  ];
  return parts.join('  ');
}

/** The report: the place, whether the part was left out completely, the reason with its values, and the beginning of the question. */
export function reportOf({ skipped }: ReadFile): string[] {
  return skipped.map(({ at, dropped, reason, params, excerpt }) => {
    const named = Object.values(params).map(String).join(' ');
    return [at ?? '-', dropped ? 'out' : 'in', reason, named, excerpt && `“${excerpt}”`].filter((part) => part !== '').join(' ');
  });
}
