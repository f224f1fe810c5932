// Moodle XML, the format in which Moodle exports question banks with everything. Categories are rounds.

import type { QuizFile } from '$sdk';

import { child, children, descendants, rootName, rootOf, textBelow } from './elements.ts';
import { categoryTitle } from './gift.ts';
import { choiceKey, inOrder, type Key, numberKey, type Option, plainNumber, textKey, truthKey } from './keys.ts';
import { GAP, type Plain, plainOfHtml, plainOfMixed } from './markup.ts';
import { type Beside, type Found, type Kind, MALFORMED, quizOf, unsupported } from './readquiz.ts';
import type { Source } from './source.ts';

/** Types of questions that Quizhall lacks; others are named as they are. */
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
  multichoiceset: 'several_answers',
  multianswer: 'gaps',
  ordering: 'ordering',
  randomsamatch: 'matching',
};

/** The readers of the types that Quizhall has. */
const KEYS: Readonly<Record<string, (question: Element) => Key>> = {
  multichoice: (question) => {
    const key = choiceKey(optionsOf(question, 'html'), /^(false|0)$/i.test(textOf(question, 'single')));
    const isShuffled = /^(true|1)$/i.test(textOf(question, 'shuffleanswers'));
    return isShuffled ? { ...key, raw: { ...key.raw, choices: inOrder(key.raw.choices ?? []) } } : key;
  },
  truefalse: (question) => {
    const right = optionsOf(question, 'plain').find(({ share }) => share >= 100)?.text.toLowerCase();
    if (right !== 'true' && right !== 'false') return { raw: {}, remarks: [MALFORMED] };
    return truthKey(right === 'true');
  },
  shortanswer: (question) => textKey(optionsOf(question, 'plain')),
  numerical: (question) => {
    const answers = children(question, 'answer').filter((answer) => shareOf(answer) > 0);
    const full = answers.filter((answer) => shareOf(answer) >= 100);
    const read = full.map((answer) => ({
      value: plainNumber(textBelow(answer, 'text')),
      margin: plainNumber(textBelow(answer, 'tolerance') || '0'),
    }));
    const accepted = read.filter((one): one is { value: number; margin: number } => one.value !== undefined && one.margin !== undefined);
    if (accepted.length < read.length) return { raw: { type: 'numeric' }, remarks: [MALFORMED] };
    return numberKey(accepted, full.length < answers.length);
  },
};

/** Whether the text begins as the format does. */
export function isMoodle({ text }: Source): boolean {
  return rootName(text) === 'quiz';
}

/** Reads all questions. Throws `Damaged` when the text is not well-formed. */
export function readMoodle({ text, title }: Source): QuizFile {
  const root = rootOf(text);
  const found: Found[] = [];
  let round = '';
  const all = children(root, 'question');
  const isWeighted = new Set(all.flatMap((question) => textOf(question, 'defaultgrade') || [])).size > 1;
  for (const question of all) {
    const type = question.getAttribute('type') ?? '';
    if (type === 'category') round = categoryTitle(textBelow(child(question, 'category'), 'text'));
    else found.push({ ...questionOf(question, type, isWeighted), at: found.length + 1, round });
  }
  return quizOf(title, found);
}

function questionOf(question: Element, type: string, isWeighted: boolean): Pick<Found, 'raw' | 'remarks' | 'beside' | 'media'> {
  const asked = child(question, 'questiontext');
  const { text, media } = plain(asked);
  // Moodle's text fields mark the place of the answer by underlines, too.
  const raw = { text: text.replace(/_{5,}/g, GAP) || textBelow(child(question, 'name'), 'text') };
  const read = Object.hasOwn(KEYS, type) ? KEYS[type] : undefined;
  if (!read) return { raw, remarks: [unsupported((Object.hasOwn(UNSUPPORTED, type) && UNSUPPORTED[type]) || type || '?')] };
  const key = read(question);
  const inAnswers = type === 'multichoice' ? children(question, 'answer').reduce((sum, answer) => sum + plain(answer).media, 0) : 0;
  // What all questions are worth is the default, which no quiz has to repeat.
  const points = isWeighted ? { points: textOf(question, 'defaultgrade') } : {};
  const explanation = plain(child(question, 'generalfeedback')).text;
  return { raw: { ...raw, ...key.raw, ...points, explanation }, remarks: key.remarks, beside: besidesOf(question), media: media + inAnswers };
}

function besidesOf(question: Element): Beside[] {
  const feedback = [...question.children].flatMap((element) => [element, ...children(element, 'feedback')]);
  const isLost = ({ localName }: Element) => /feedback$/.test(localName) && localName !== 'generalfeedback';
  const hasFeedback = feedback.some((each) => isLost(each) && textBelow(each, 'text') !== '');
  const lost: Readonly<Record<Beside, boolean>> = {
    feedback: hasFeedback,
    hints: children(question, 'hint').some((hint) => textBelow(hint, 'text') !== ''),
    units: descendants(question, 'unit').length > 0,
    case: textOf(question, 'usecase') === '1',
    time: false,
    categories: false,
  };
  return (Object.keys(lost) as Beside[]).filter((what) => lost[what]);
}

function optionsOf(question: Element, format: 'html' | 'plain'): Option[] {
  return children(question, 'answer').map((answer) => ({
    text: format === 'plain' ? textBelow(answer, 'text') : plain(answer).text,
    share: shareOf(answer),
  }));
}

const shareOf = (answer: Element): number => Number(answer.getAttribute('fraction') ?? 0);

/** The text of an element without other elements. */
function textOf(parent: Element, name: string): string {
  return child(parent, name)?.textContent.trim() ?? '';
}

/** The text of an element in its `format`. */
function plain(element: Element | undefined): Plain {
  const text = textBelow(element, 'text');
  const format = element?.getAttribute('format') ?? 'html';
  const files = element ? children(element, 'file').length : 0;
  const read = format === 'plain_text' || format === 'markdown' ? { text, media: 0 } : format === 'html' ? plainOfHtml(text) : plainOfMixed(text);
  // A file that a picture shows is one and the same.
  return { text: read.text, media: Math.max(read.media, files) };
}
