// The JSON of Open Trivia DB (opentdb.com): its answers come apart from each other, so that the choices are put in order of
// the alphabet. Three of its four encodings are recognised: HTML entities, percent signs, Base64.

import type { QuizFile } from '$sdk';
import { isRecord } from '$sdk/storage.ts';

import { Damaged } from './damaged.ts';
import { inOrder, truthKey } from './keys.ts';
import { plainOfHtml } from './markup.ts';
import { type Found, MALFORMED, quizOf, unsupported } from './readquiz.ts';
import type { Source } from './source.ts';

type Read = (text: unknown) => string;

/** Whether the text is what the service answers. */
export function isOpenTdb({ text }: Source): boolean {
  return /^\ufeff?\s*[{[]/.test(text) && /"incorrect_answers"|"response_code"/.test(text);
}

/** Reads all questions into one round, named after their category when they have the same one. */
export function readOpenTdb({ text, title }: Source): QuizFile {
  const entries = entriesOf(text);
  const categories = new Set(entries.map((entry) => readBy(entry)(entry.category)));
  const [category = ''] = categories;
  const isMixed = categories.size > 1;
  return quizOf(title, entries.map((entry, at) => questionOf(entry, { at: at + 1, round: isMixed ? '' : category, isMixed })));
}

function entriesOf(text: string): Record<string, unknown>[] {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Damaged();
  }
  const list = isRecord(read) ? read.results : read;
  if (!Array.isArray(list)) throw new Damaged();
  return (list as unknown[]).map((entry) => (isRecord(entry) ? entry : {}));
}

function questionOf(entry: Record<string, unknown>, place: { at: number; round: string; isMixed: boolean }): Found {
  const read = readBy(entry);
  const found = { at: place.at, round: place.round, beside: place.isMixed ? (['categories'] as const) : [] };
  const text = read(entry.question);
  const right = read(entry.correct_answer);
  const kind = read(entry.type);
  if (kind === 'boolean') {
    const isTruth = /^(true|false)$/i.test(right);
    return { ...found, raw: { text, ...truthKey(/^t/i.test(right)).raw }, remarks: isTruth ? [] : [MALFORMED] };
  }
  if (kind !== 'multiple') return { ...found, raw: { text }, remarks: [kind === '' ? MALFORMED : unsupported(kind)] };
  const wrong = Array.isArray(entry.incorrect_answers) ? (entry.incorrect_answers as unknown[]).map(read) : [];
  return { ...found, raw: { text, type: 'multiple_choice', choices: inOrder([right, ...wrong]), correctAnswers: [right] } };
}

/** How the texts of this entry are encoded. */
function readBy({ type, question }: Record<string, unknown>): Read {
  if (type === 'bXVsdGlwbGU=' || type === 'Ym9vbGVhbg==') return (text) => fromBase64(textOf(text));
  const isPercent = /%[0-9A-F]{2}/.test(textOf(question)) && !/\s/.test(textOf(question));
  return isPercent ? (text) => fromPercent(textOf(text)) : (text) => plainOfHtml(textOf(text)).text;
}

const textOf: Read = (text) => (typeof text === 'string' || typeof text === 'number' ? String(text) : '');

function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));
  } catch {
    throw new Damaged();
  }
}

function fromPercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Damaged();
  }
}
