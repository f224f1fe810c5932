// Moodle XML, the format in which Moodle exports complete question banks. Categories become rounds.

import { child, children, descendants, rootName, rootOf, textBelow } from './elements.ts';
import { categoryTitle } from './gift.ts';
import { choiceKey, inOrder, type Key, numberIn, numberKey, type Option, orderKey, selectKey, textKey, truthKey } from './keys.ts';
import { GAP, type Plain, plainOfHtml, plainOfMixed, plainOfText } from './markup.ts';
import { inAddress, Media, ofBase64 } from './media.ts';
import { type Beside, type Found, type Kind, MALFORMED, quizOf, type ReadQuiz, soundly, unsupported } from './readquiz.ts';
import type { Source } from './source.ts';

/** The names of question types that Quizhall lacks; other types are reported by their own names. */
const UNSUPPORTED: Readonly<Record<string, Kind>> = {
  calculated: 'calculated',
  calculatedmulti: 'calculated',
  calculatedsimple: 'calculated',
  cloze: 'gaps',
  ddimageortext: 'picture',
  ddmarker: 'picture',
  ddmatch: 'matching',
  ddwtos: 'gaps',
  description: 'information',
  essay: 'essay',
  gapselect: 'gaps',
  matching: 'matching',
  multianswer: 'gaps',
  random: 'random',
  randomsamatch: 'matching',
};

/** A question with its texts, each read once. */
interface Read {
  readonly question: Element;
  readonly answers: readonly { readonly element: Element; readonly plain: Plain; readonly share: number }[];
}

/** The readers of the types that Quizhall has. */
const KEYS: Readonly<Record<string, (read: Read) => Key>> = {
  multichoice: (read) => {
    const options = optionsOf(read);
    const single = textOf(read.question, 'single');
    // Without an explicit setting, shares that only together make the whole mean several right choices.
    const isSeveral = /^(false|0)$/i.test(single) || (single === '' && options.every(({ share }) => share < 100));
    return shuffled(read.question, choiceKey(options, isSeveral));
  },
  multichoiceset: (read) => {
    const right = optionsOf(read).filter(({ share }) => share > 0);
    return shuffled(read.question, selectKey(optionsOf(read).map(({ text }) => text), right.map(({ text }) => text)));
  },
  ordering: (read) => {
    const steps = optionsOf(read);
    // The shares give the places; without them the order of the file does.
    const isNumbered = new Set(steps.map(({ share }) => share)).size === steps.length;
    const ordered = isNumbered ? [...steps].sort((one, other) => one.share - other.share) : steps;
    return orderKey(ordered.map(({ text }) => text));
  },
  truefalse: (read) => {
    const options = optionsOf(read).map(({ text, share }) => ({ text: text.trim(), share }));
    const right = options.filter(({ share }) => share >= 100);
    const [only] = right;
    if (only === undefined || right.length > 1) return { raw: {}, remarks: [MALFORMED] };
    if (/^(?:true|false)$/i.test(only.text)) return truthKey(only.text.toLowerCase() === 'true');
    return { raw: { type: 'true_false', choices: options.map(({ text }) => text), correctAnswers: [only.text] }, remarks: [] };
  },
  shortanswer: (read) => textKey(optionsOf(read)),
  numerical: ({ answers }) => {
    const positive = answers.filter(({ share }) => share > 0);
    const full = positive.filter(({ share }) => share >= 100);
    const accepted = full.flatMap(({ element }) => {
      const number = numberIn(textBelow(element, 'text'));
      const margin = numberIn(textBelow(element, 'tolerance') || '0');
      return number && margin ? [{ ...number, margin: Math.abs(margin.value) }] : [];
    });
    if (accepted.length < full.length) return { raw: { type: 'numeric' }, remarks: [MALFORMED] };
    return numberKey(accepted, full.length < positive.length);
  },
};

/** Types whose answers have markup. */
const MARKED = new Set(['multichoice', 'multichoiceset', 'ordering']);

/** Whether the text begins like this format. */
export function isMoodle({ text }: Source): boolean {
  return rootName(text) === 'quiz';
}

/** Reads all questions. Throws `Damaged` when the text is not well-formed. */
export function readMoodle({ text, title }: Source): ReadQuiz {
  const root = rootOf(text);
  const found: Found[] = [];
  const media = new Media();
  let round = '';
  const all = children(root, 'question');
  const isWeighted = new Set(all.flatMap((question) => textOf(question, 'defaultgrade') || []).map(Number)).size > 1;
  for (const question of all) {
    const type = question.getAttribute('type')?.trim() ?? '';
    if (type === 'category') round = categoryTitle(textBelow(child(question, 'category'), 'text'));
    else found.push({ ...soundly(textBelow(child(question, 'name'), 'text'), () => questionOf(question, type, { isWeighted, media, at: found.length })), at: found.length + 1, round });
  }
  return quizOf(title, found, [], media.files);
}

interface Bank {
  /** Whether its questions have different points. */
  readonly isWeighted: boolean;
  readonly media: Media;
  /** The number of the question. */
  readonly at: number;
}

function questionOf(question: Element, type: string, { isWeighted, media, at }: Bank): Omit<Found, 'at' | 'round'> {
  const asked = plain(child(question, 'questiontext'));
  // Moodle's text fields also mark the place of the answer with underlines.
  const raw = { text: asked.text.replace(/_{5,}/g, GAP) || textBelow(child(question, 'name'), 'text') };
  const read = Object.hasOwn(KEYS, type) ? KEYS[type] : undefined;
  if (!read) return { raw, remarks: [unsupported((Object.hasOwn(UNSUPPORTED, type) && UNSUPPORTED[type]) || type || '?')] };
  const answers = children(question, 'answer').map((element) => {
    return { element, plain: MARKED.has(type) ? plain(element, 'choice') : written(element), share: shareOf(element) };
  });
  // A choice that consists only of a picture cannot be offered.
  if (answers.some(({ plain: { text, media: shown } }) => text === '' && shown.length > 0)) return { raw, remarks: [unsupported('pictures')] };
  const key = read({ question, answers });
  const explanation = plain(child(question, 'generalfeedback'));
  const shown = media.of([...asked.media, ...oldPicture(question)], (source) => fileOf(question, at, source));
  const lost = [...answers.map((answer) => answer.plain), explanation].reduce((sum, text) => sum + text.media.length, shown.lost);
  // Equal points of all questions are the default, which no quiz needs to repeat.
  const points = isWeighted ? { points: textOf(question, 'defaultgrade') } : {};
  return {
    raw: { ...raw, ...key.raw, ...points, explanation: explanation.text, media: shown.media },
    remarks: [...key.remarks, ...shown.remarks],
    beside: besidesOf(question),
    media: lost,
    texts: [asked, ...answers.map((answer) => answer.plain), explanation],
  };
}

function shuffled(question: Element, key: Key): Key {
  const isShuffled = /^(true|1)$/i.test(textOf(question, 'shuffleanswers'));
  return isShuffled ? { ...key, raw: { ...key.raw, choices: inOrder(key.raw.choices ?? []) } } : key;
}

/** The picture of a question as Moodle 1.9 wrote it. */
function oldPicture(question: Element): Plain['media'] {
  const name = textOf(question, 'image');
  return name === '' ? [] : [{ kind: 'picture', source: name, alt: '' }];
}

/** A file inside the question by its address in the texts. */
function fileOf(question: Element, at: number, source: string): ReturnType<Parameters<Media['of']>[1]> {
  const inside = inAddress(source);
  if (inside) return inside;
  const id = String(at);
  if (source !== '' && source === textOf(question, 'image')) {
    return { name: `${id} ${source}`, bytes: () => ofBase64(textOf(question, 'image_base64')) };
  }
  const [, path] = /^@@PLUGINFILE@@\/([^?#]*)/.exec(source) ?? [];
  if (path === undefined) return undefined;
  const wanted = [path, decoded(path)];
  const file = descendants(question, 'file').find((each) => {
    const name = `${(each.getAttribute('path') ?? '/').replace(/^\//, '')}${each.getAttribute('name') ?? ''}`;
    return wanted.includes(name);
  });
  return file && { name: `${id} ${path}`, bytes: () => ofBase64(file.textContent) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function besidesOf(question: Element): Beside[] {
  const feedback = children(question).flatMap((element) => [element, ...children(element, 'feedback')]);
  const isLost = ({ localName }: Element) => /feedback$/.test(localName) && localName !== 'generalfeedback';
  const hasFeedback = feedback.some((each) => isLost(each) && textBelow(each, 'text') !== '');
  const lost: Readonly<Partial<Record<Beside, boolean>>> = {
    feedback: hasFeedback,
    hints: children(question, 'hint').some((hint) => textBelow(hint, 'text') !== ''),
    units: descendants(question, 'unit').length > 0,
    case: textOf(question, 'usecase') === '1',
    selection: /^(?:RANDOM|CONTIGUOUS|[12])$/i.test(textOf(question, 'selecttype')),
  };
  return (Object.keys(lost) as Beside[]).filter((what) => lost[what]);
}

const optionsOf = ({ answers }: Read): Option[] => answers.map(({ plain: { text }, share }) => ({ text, share }));

/** A share as written: some programs use a comma. */
const shareOf = (answer: Element): number => Number((answer.getAttribute('fraction') ?? '0').replace(',', '.')) || 0;

/** The text of an element without other elements. */
function textOf(parent: Element, name: string): string {
  return child(parent, name)?.textContent.trim() ?? '';
}

/** An answer that is typed. */
const written = (answer: Element): Plain => ({ ...plainOfText(textBelow(answer, 'text'), 'choice') });

/** The text of an element in its `format`. */
function plain(element: Element | undefined, use: 'asked' | 'choice' = 'asked'): Plain {
  const text = textBelow(element, 'text');
  const format = element?.getAttribute('format') ?? 'html';
  if (format === 'plain_text' || format === 'markdown') return plainOfText(text, use);
  return format === 'html' ? plainOfHtml(text, use) : plainOfMixed(text, use);
}
