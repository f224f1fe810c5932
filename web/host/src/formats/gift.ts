// GIFT, the text format of Moodle: finds the questions in the text and the parts of each. giftanswers.ts reads the text between the braces,
// giftwrite.ts writes the format.

import type { QuizFile } from '$sdk';

import { Damaged } from './damaged.ts';
import { giftAnswers } from './giftanswers.ts';
import { GAP, type Plain, plainOfHtml, plainOfMixed, plainOfText } from './markup.ts';
import { type Found, MALFORMED, quizOf, soundly, unsupported } from './readquiz.ts';
import type { Source } from './source.ts';

/** The lines of one question. */
interface Block {
  readonly at: number;
  readonly category: string;
  readonly text: string;
}

/** Whether the text has a question of this format. */
export function isGift({ text }: Source): boolean {
  return /^[ \t]*::[^\n]*?::/m.test(text) || /(^|[^\\])\{\s*(?:[=~#}]|T(?:RUE)?\s*[}#]|F(?:ALSE)?\s*[}#])/im.test(text);
}

/** Reads all questions; a category begins a round. */
export function readGift({ text, title }: Source): QuizFile {
  return quizOf(title, blocksOf(text).flatMap(apart).map(questionOf));
}

/** A line that begins with the name of a question. */
const NAMED = /^\s*::(?:\\[^]|[^\\:]|:(?!:))*::/;

/** Splits the text into blocks at blank lines, names and categories. A file that ends inside braces was cut off. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let category = '';
  let lines: string[] = [];
  let start = 0;
  let depth = 0;
  let isBlank = false;
  const flush = (): void => {
    if (lines.length > 0) blocks.push({ at: start, category, text: lines.join('\n') });
    lines = [];
    depth = 0;
  };
  for (const [at, line] of text.replace(/^\ufeff/, '').split(/\r\n?|\n/).entries()) {
    const content = line.trim();
    if (content.startsWith('//')) continue;
    // Inside braces a blank line is part of the answers, unless the next question begins after it.
    const isNext = NAMED.test(line) || content.startsWith('$CATEGORY:') || (depth > 0 && isBlank && /(^|[^\\])\{/.test(line));
    isBlank = content === '';
    if (isNext || (isBlank && depth === 0)) flush();
    if (content.startsWith('$CATEGORY:')) category = categoryTitle(content.slice(10));
    else if (!isBlank || depth > 0) {
      if (lines.length === 0) start = at + 1;
      lines.push(line);
      depth = Math.max(0, depth + braces(line));
    }
  }
  if (depth > 0) throw new Damaged(start);
  flush();
  return blocks;
}

/** The questions of a block. Without blank lines, the next question begins on the line after the closing brace of the previous one. */
function apart(block: Block): Block[] {
  const { text } = block;
  const places = bracesIn(text);
  const cuts = places.flatMap(({ sign, at }, number) => {
    const next = places[number + 1];
    if (sign !== '}' || next?.sign !== '{') return [];
    const line = text.indexOf('\n', at);
    return line >= 0 && line < next.at ? [line + 1] : [];
  });
  return [0, ...cuts].map((from, number) => {
    const lines = text.slice(0, from).split('\n').length - 1;
    return { ...block, at: block.at + lines, text: text.slice(from, cuts[number]) };
  });
}

/** The number of opening braces minus closing ones, without those after a backslash. */
function braces(line: string): number {
  return bracesIn(line).reduce((depth, { sign }) => depth + (sign === '{' ? 1 : -1), 0);
}

const bracesIn = (text: string) =>
  [...text.matchAll(/\\[^]|[{}]/g)].flatMap(({ 0: sign, index }) => (sign.length === 1 ? [{ sign, at: index }] : []));

/** The last part of a category's path, without the number with which rounds are written. */
export function categoryTitle(path: string): string {
  const last = path.trim().replaceAll('//', '\0').split('/').at(-1) ?? '';
  return last.replaceAll('\0', '/').trim().replace(/^\d+(?:: |$)/, '');
}

function questionOf(block: Block): Found {
  const { at, category: round, text } = block;
  return { ...soundly(text.slice(0, 100), () => read(block)), at, round };
}

function read({ at, category, text }: Block): Found {
  const [, name = '', rest = ''] = /^\s*(?:::((?:\\[^]|[^\\])*?)::)?([^]*)$/.exec(text) ?? [];
  const [, format = 'moodle', body = ''] = /^\s*(?:\[(html|moodle|plain|markdown)\])?([^]*)$/.exec(rest) ?? [];
  const parts = partsOf(body);
  const question = plainText(parts.before + (parts.after.trim() === '' ? '' : `${GAP}${parts.after}`), format);
  const found = { at, round: category };
  const raw = { text: question.text || unescaped(name).trim() };
  if (parts.answers === null) return { ...found, raw, remarks: [parts.isOdd ? MALFORMED : unsupported('information')] };
  if (parts.isOdd) return { ...found, raw: { text: unescaped(body) }, remarks: [parts.isBroken ? MALFORMED : unsupported('gaps')] };
  const answers: Plain[] = [];
  const plain = (answer: string, own = format, use: 'asked' | 'choice' = 'choice'): string => {
    const each = plainText(answer, own, use);
    answers.push(each);
    return each.text;
  };
  const { key, explanation, beside } = giftAnswers(parts.answers, plain);
  if (answers.some((answer) => answer.text === '' && answer.media.length > 0)) return { ...found, raw, remarks: [unsupported('pictures')] };
  const texts = [question, ...answers];
  const media = texts.reduce((sum, each) => sum + each.media.length, 0);
  return { ...found, raw: { ...raw, ...key.raw, explanation }, remarks: key.remarks, beside, media, texts };
}

interface Parts {
  readonly before: string;
  readonly after: string;
  /** The text between the braces; null when there are none. */
  readonly answers: string | null;
  /** Whether there are more than two braces, or only one. */
  readonly isOdd: boolean;
  /** Whether braces do not form pairs next to each other. */
  readonly isBroken: boolean;
}

/** Splits a text into the parts around and between the braces. */
function partsOf(body: string): Parts {
  const places = bracesIn(body);
  const signs = places.map(({ sign }) => sign).join('');
  const [open, close] = [places[0]?.at ?? 0, places.at(-1)?.at ?? 0];
  if (!signs.startsWith('{') || !signs.endsWith('}')) return { before: body, after: '', answers: null, isOdd: signs !== '', isBroken: signs !== '' };
  const answers = body.slice(open + 1, close);
  return { before: body.slice(0, open), after: body.slice(close + 1), answers, isOdd: signs !== '{}', isBroken: !/^(?:\{\})+$/.test(signs) };
}

/** The content of a text in one of the format's markups. */
function plainText(text: string, format: string, use: 'asked' | 'choice' = 'asked'): Plain {
  const read = unescaped(text.trim());
  if (format === 'html') return plainOfHtml(read, use);
  if (format === 'moodle') return plainOfMixed(read, use);
  // An export of this program is read back unchanged.
  return format === 'plain' ? { text: read.trim(), media: [], unset: 0, isOneOfSeveral: false } : plainOfText(read, use);
}

/** The text without the backslashes before signs of the format. */
export function unescaped(text: string): string {
  return text.replace(/\\([n\\~=#{}:])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
}
