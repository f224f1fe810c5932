// GIFT, the text format of Moodle: finds the questions in the text and what each says. giftanswers.ts reads what is between
// the braces, giftwrite.ts writes the format.

import type { QuizFile } from '$sdk';

import { Damaged } from './damaged.ts';
import { giftAnswers } from './giftanswers.ts';
import { GAP, type Plain, plainOfHtml, plainOfMixed } from './markup.ts';
import { type Found, MALFORMED, quizOf, unsupported } from './readquiz.ts';
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
  return quizOf(title, blocksOf(text).map(questionOf));
}

/** Blocks between blank lines. Braces that do not close make the file a damaged one. */
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
  };
  for (const [at, line] of text.replace(/^\ufeff/, '').split(/\r\n?|\n/).entries()) {
    const content = line.trim();
    // Inside braces a blank line is part of the answers, unless the next question begins behind it.
    if (depth > 0 && isBlank && content.startsWith('::')) throw new Damaged(start);
    isBlank = content === '';
    if (content.startsWith('//')) continue;
    if (isBlank && depth === 0) flush();
    else if (lines.length === 0 && content.startsWith('$CATEGORY:')) category = categoryTitle(content.slice(10));
    else if (!isBlank) {
      if (lines.length === 0) start = at + 1;
      lines.push(line);
      depth = Math.max(0, depth + braces(line));
    }
  }
  if (depth > 0) throw new Damaged(start);
  flush();
  return blocks;
}

/** Braces that open less those that close, without those behind a backslash. */
function braces(line: string): number {
  const plain = line.replace(/\\[^]/g, '');
  return plain.split('{').length - plain.split('}').length;
}

/** The last part of a category's path, without the number by which rounds are written. */
export function categoryTitle(path: string): string {
  const last = path.trim().replaceAll('//', '\0').split('/').at(-1) ?? '';
  return last.replaceAll('\0', '/').trim().replace(/^\d+(?:: |$)/, '');
}

function questionOf({ at, category, text }: Block): Found {
  const [, name = '', rest = ''] = /^\s*(?:::((?:\\[^]|[^\\])*?)::)?([^]*)$/.exec(text) ?? [];
  const [, format = 'moodle', body = ''] = /^\s*(?:\[(html|moodle|plain|markdown)\])?([^]*)$/.exec(rest) ?? [];
  const parts = partsOf(body);
  const question = plainText(parts.before + (parts.after.trim() === '' ? '' : `${GAP}${parts.after}`), format);
  const found = { at, round: category, media: question.media };
  const raw = { text: question.text || unescaped(name).trim() };
  if (parts.answers === null) return { ...found, raw, remarks: [parts.isOdd ? MALFORMED : unsupported('information')] };
  if (parts.isOdd) return { ...found, raw: { text: unescaped(body) }, remarks: [unsupported('gaps')] };
  const { key, explanation, beside } = giftAnswers(parts.answers, (answer) => plainText(answer, format).text);
  return { ...found, raw: { ...raw, ...key.raw, explanation }, remarks: key.remarks, beside };
}

interface Parts {
  readonly before: string;
  readonly after: string;
  /** What is between the braces; null when there are none. */
  readonly answers: string | null;
  /** More braces than two, or one of them alone. */
  readonly isOdd: boolean;
}

/** Around and between the braces. */
function partsOf(body: string): Parts {
  const places = [...body.matchAll(/\\[^]|[{}]/g)].filter(([sign]) => sign.length === 1);
  const signs = places.map(([sign]) => sign).join('');
  const [open, close] = [places[0]?.index ?? 0, places.at(-1)?.index ?? 0];
  if (!signs.startsWith('{') || !signs.endsWith('}')) return { before: body, after: '', answers: null, isOdd: signs !== '' };
  const answers = body.slice(open + 1, close);
  return { before: body.slice(0, open), after: body.slice(close + 1), answers, isOdd: signs !== '{}' };
}

/** What a text in one of the format's markups says. */
function plainText(text: string, format: string): Plain {
  const read = unescaped(text.trim());
  if (format === 'html') return plainOfHtml(read);
  return format === 'moodle' ? plainOfMixed(read) : { text: read.trim(), media: 0 };
}

/** Without the backslashes before signs of the format. */
export function unescaped(text: string): string {
  return text.replace(/\\([n\\~=#{}:])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
}
