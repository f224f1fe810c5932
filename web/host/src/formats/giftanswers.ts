// The text between the braces of a GIFT question: its kind and its key. Called by gift.ts. Pure.

import { type AcceptedNumber, choiceKey, type Key, middleOf, numberIn, numberKey, plainNumber, textKey, truthKey } from './keys.ts';
import { type Beside, MALFORMED, unsupported } from './readquiz.ts';

/** The key, and the other contents of the braces. */
interface Answers {
  readonly key: Key;
  /** The feedback for everyone after the question, as written. */
  readonly explanation: string;
  readonly beside: readonly Beside[];
}

/** One answer: its sign (`=` or `~`), its share of the points if it has one, and its text as written. */
interface Written {
  readonly sign: string;
  readonly share: number | null;
  readonly text: string;
  /** Its markup, if it names one. */
  readonly format: string | undefined;
  readonly hasFeedback: boolean;
}

/** Reads a text in the markup of the question, or in its own. */
type Read = (text: string, format?: string, use?: 'asked' | 'choice') => string;

/** Reads the key. `plain` reads the text of one answer. */
export function giftAnswers(braces: string, plain: Read): Answers {
  const [content = '', ...general] = braces.split(/(?<!\\)####/);
  const body = content.trim();
  const written = splitAnswers(body.replace(/^#/, ''));
  const hasFeedback = written.some((answer) => answer.hasFeedback);
  const [, format, said = ''] = /^(?:\[(html|moodle|plain|markdown)\])?([^]*)$/.exec(general.join('####').trim()) ?? [];
  const explanation = plain(said, format, 'asked');
  return { key: keyOf(body, written, plain), explanation, beside: hasFeedback ? ['feedback'] : [] };
}

function keyOf(body: string, written: readonly Written[], plain: Read): Key {
  if (body === '') return refused(unsupported('essay'));
  if (body.startsWith('#')) return numbers(written);
  const truth = /^(T|TRUE|F|FALSE)$/i.exec(written[0]?.text.trim() ?? '');
  if (truth && written[0]?.sign === '') return truthKey(/^t/i.test(truth[0]));
  if (written[0]?.sign === '') return refused(MALFORMED);
  if (written.every(({ sign, text }) => sign === '=' && /->/.test(text))) return refused(unsupported('matching'));
  const options = written.map((answer) => ({ text: plain(answer.text, answer.format), share: shareOf(answer) }));
  if (written.every(({ sign }) => sign === '=')) return textKey(options);
  return choiceKey(options, written.every(({ sign }) => sign === '~'));
}

function refused(remark: Key['remarks'][number]): Key {
  return { raw: {}, remarks: [remark] };
}

const shareOf = ({ sign, share }: Written): number => share ?? (sign === '=' ? 100 : 0);

/** Splits at signs that follow no backslash. The first part has no sign when the text does not begin with one. */
function splitAnswers(body: string): Written[] {
  const parts = body.match(/[=~](?:\\[^]|[^\\=~])*|^(?:\\[^]|[^\\=~])+/g) ?? [];
  return parts.filter((part) => part.trim() !== '').map(writtenOf);
}

function writtenOf(part: string): Written {
  const [, sign = '', percent, rest = ''] = /^\s*([=~]?)\s*(?:%(-?[\d.]+)%)?([^]*)$/.exec(part) ?? [];
  const text = /^(?:\\[^]|[^\\#])*/.exec(rest)?.[0] ?? '';
  const feedback = rest.slice(text.length + 1).trim();
  const [, format, plain = ''] = /^(?:\[(html|moodle|plain|markdown)\])?([^]*)$/.exec(text.trim()) ?? [];
  return { sign, share: percent === undefined ? null : Number(percent), text: plain, format, hasFeedback: feedback !== '' };
}

/** `5`, `5:0.5`, `4..6`, or several of them after `=`. */
function numbers(written: readonly Written[]): Key {
  const right = written.filter(({ sign }) => sign !== '~');
  const full = right.filter((answer) => (answer.share ?? 100) >= 100);
  const accepted = full.map(({ text }) => numberOf(text));
  if (accepted.length === 0 || accepted.includes(undefined)) return refused(MALFORMED);
  return numberKey(accepted as AcceptedNumber[], full.length < right.length);
}

function numberOf(text: string): AcceptedNumber | undefined {
  const [low = '', high] = text.split('..');
  if (high !== undefined) {
    const isRange = plainNumber(low) !== undefined && plainNumber(high) !== undefined;
    return isRange ? middleOf(low, high) : undefined;
  }
  const parts = text.split(':').map(numberIn);
  const [number, margin] = parts;
  return number && !parts.includes(undefined) ? { ...number, margin: Math.abs(margin?.value ?? 0) } : undefined;
}
