// The JSON of Open Trivia DB (opentdb.com) and of The Trivia API (the-trivia-api.com): their answers come apart from each other,
// so that the choices are put in order of the alphabet. Four encodings of texts are recognised, by all texts of a file: HTML
// entities, percent signs with and without a plus for spaces, Base64. Used by formats.ts.

import type { QuizFile } from '$sdk';
import { isRecord } from '$sdk/storage.ts';

import { Damaged } from './damaged.ts';
import { inOrder, truthKey } from './keys.ts';
import { plainOfHtml } from './markup.ts';
import { type Found, MALFORMED, quizOf, unsupported } from './readquiz.ts';
import type { Source } from './source.ts';

type Read = (text: string) => string;

/** A question as both services have it, its texts decoded. */
interface Entry {
  readonly type: string;
  readonly category: string;
  readonly difficulty: string;
  readonly question: string;
  readonly right: string;
  readonly wrong: readonly string[];
  readonly tags: readonly string[];
}

/** Whether the text is what Open Trivia DB answers. */
export function isOpenTdb({ text }: Source): boolean {
  return /^\ufeff?\s*[{[]/.test(text) && /"incorrect_answers"|"response_code"/.test(text);
}

/** Whether the text is what The Trivia API answers. */
export function isTriviaApi({ text }: Source): boolean {
  return /^\ufeff?\s*[{[]/.test(text) && /"incorrectAnswers"/.test(text);
}

/** Reads all questions into one round, named after their category when they have the same one. */
export function readOpenTdb({ text, title }: Source): QuizFile {
  const entries = entriesOf(text);
  const categories = new Set(entries.map(({ category }) => category));
  const [category = ''] = categories;
  const isMixed = categories.size > 1;
  return quizOf(title, entries.map((entry, at) => questionOf(entry, { at: at + 1, round: isMixed ? '' : category, isMixed })));
}

function entriesOf(text: string): Entry[] {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Damaged();
  }
  const list = isRecord(read) ? (read.results ?? read.questions) : read;
  if (!Array.isArray(list)) throw new Damaged();
  const raw = (list as unknown[]).map(rawOf);
  const decode = decoderOf(raw.flatMap(({ question, right, wrong }) => [question, right, ...wrong]));
  return raw.map((entry) => ({
    type: decode(entry.type).toLowerCase(),
    category: decode(entry.category),
    difficulty: entry.difficulty,
    question: decode(entry.question),
    right: decode(entry.right),
    wrong: entry.wrong.map(decode),
    tags: entry.tags.map(decode),
  }));
}

/** The fields by the names of either service. */
function rawOf(entry: unknown): Entry {
  const fields = isRecord(entry) ? entry : {};
  const { question } = fields;
  return {
    type: textOf(fields.type),
    category: textOf(fields.category),
    difficulty: textOf(fields.difficulty),
    question: textOf(isRecord(question) ? question.text : question),
    right: textOf(fields.correct_answer ?? fields.correctAnswer),
    wrong: listOf(fields.incorrect_answers ?? fields.incorrectAnswers),
    tags: listOf(fields.tags),
  };
}

const listOf = (list: unknown): string[] => (Array.isArray(list) ? (list as unknown[]).map(textOf) : []);

function questionOf(entry: Entry, place: { at: number; round: string; isMixed: boolean }): Found {
  const { question: text, right, wrong, tags } = entry;
  const lost = [...(place.isMixed ? (['categories'] as const) : []), ...(entry.difficulty === '' ? [] : (['difficulty'] as const))];
  const found = { at: place.at, round: place.round, beside: lost };
  const kind = entry.type === '' ? kindOf(entry) : entry.type;
  if (kind === 'boolean') {
    const isTruth = /^(true|false)$/i.test(right);
    return { ...found, raw: { text, tags, ...truthKey(/^t/i.test(right)).raw }, remarks: isTruth ? [] : [MALFORMED] };
  }
  if (!CHOICES.has(kind)) return { ...found, raw: { text }, remarks: [kind === '' ? MALFORMED : unsupported(kind.startsWith('image') ? 'picture' : kind)] };
  return { ...found, raw: { text, tags, type: 'multiple_choice', choices: inOrder([right, ...wrong]), correctAnswers: [right] } };
}

/** The names of the type of questions with choices; the older of the two services has a name of its own. */
const CHOICES: ReadonlySet<string> = new Set(['multiple', 'text_choice', 'multiple choice']);

/** The type of a question that does not name it. */
function kindOf({ right, wrong }: Entry): string {
  const isTruth = wrong.length === 1 && [right, ...wrong].map((text) => text.toLowerCase()).sort().join() === 'false,true';
  return isTruth ? 'boolean' : right !== '' && wrong.length > 0 ? 'multiple' : '';
}

/** The encoding of all texts of a file. */
function decoderOf(texts: readonly string[]): Read {
  const filled = texts.filter((text) => text !== '');
  if (filled.every((text) => /^[\w.~!*'()+%-]+$/.test(text)) && filled.some((text) => /%[0-9A-F]{2}/i.test(text))) {
    // Only the older of its two encodings uses a plus for a space; the other one writes %2B for the sign.
    return (text) => percentDecoded(text.replaceAll('+', ' '));
  }
  if (filled.length > 0 && filled.every(isBase64)) return fromBase64;
  return (text) => plainOfHtml(text).text;
}

/** Whether a file is in Base64: words rarely have four, eight or twelve letters in a whole file and are readable when decoded. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) && !/[\p{Cc}\ufffd]/u.test(base64Decoded(text) ?? '\ufffd');
}

const textOf = (text: unknown): string => (typeof text === 'string' || typeof text === 'number' ? String(text) : '');

function fromBase64(text: string): string {
  const decoded = base64Decoded(text);
  if (decoded === null) throw new Damaged();
  return decoded;
}

function base64Decoded(text: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));
  } catch {
    return null;
  }
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Damaged();
  }
}
