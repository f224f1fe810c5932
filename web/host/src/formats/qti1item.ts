// One question of QTI 1.2: its presentation and its scoring. qti1.ts finds the items, qti1score.ts reads the conditions.

import type { RawQuestion } from '$sdk/quizcheck.ts';

import { child, children, descendants, textBelow } from './elements.ts';
import { choiceKey, inOrder, isCrowded, type Key, mostOf, orderKey, plainNumber, selectKey, textKey } from './keys.ts';
import { type Medium, type Plain, plainOfHtml, plainOfMixed, plainOfNode, plainOfText } from './markup.ts';
import type { Shown } from './media.ts';
import type { Item } from './qti.ts';
import { fieldOf } from './qti1.ts';
import { acceptedIn, conditionsOf, type Condition, numbersIn } from './qti1score.ts';
import { type Beside, type Kind, MALFORMED, unsupported } from './readquiz.ts';

/** Kinds by Canvas's names; other kinds are recognised by their contents. */
const KINDS: Readonly<Record<string, Kind>> = {
  essay_question: 'essay',
  matching_question: 'matching',
  fill_in_multiple_blanks_question: 'gaps',
  multiple_dropdowns_question: 'gaps',
  calculated_question: 'calculated',
  file_upload_question: 'essay',
  text_only_question: 'information',
};

const RESPONSES = ['response_lid', 'response_str', 'response_num', 'response_xy', 'response_grp'];

/** Feedback for everyone. */
const GENERAL = 'general_fb';

/** A choice as it was read. */
interface Label {
  readonly id: string;
  readonly plain: Plain;
}

/** Reads an item. `isShuffled`: its choices are shown in random order. */
export function interopItem(item: Element, show: (media: readonly Medium[]) => Shown, isShuffled: boolean): Item {
  const presentation = child(item, 'presentation');
  const responses = presentation ? RESPONSES.flatMap((name) => descendants(presentation, name)) : [];
  const asked = together(materialsIn(presentation).map((material) => plainOfMaterial(material)));
  const raw = { text: asked.text || (item.getAttribute('title') ?? '') };
  const kind = fieldOf(item, 'question_type');
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const other = known ?? kindOf(responses, presentation, item);
  const [response] = responses;
  if (other !== null || !response) return { raw, remarks: [unsupported(other ?? 'information')] };
  const labels = labelsOf(response);
  if (labels.some(({ plain: { text, media } }) => text === '' && media.length > 0)) return { raw, remarks: [unsupported('pictures')] };
  const read = isCrowded(labels) ? selectKey(labels.map(({ plain: { text } }) => text), []) : keyOf(response, labels, conditionsOf(item));
  const isTruth = kind === 'true_false_question' && labels.length === 2;
  const key = isTruth ? { ...read, raw: { ...read.raw, type: 'true_false' } } : read;
  const explanation = feedbackOf(item, GENERAL);
  const shown = show(asked.media);
  const texts = [...labels.map(({ plain }) => plain), explanation];
  return {
    raw: { ...raw, ...shuffled(key, response, isShuffled).raw, ...aboutOf(item), explanation: explanation.text, media: shown.media },
    remarks: [...key.remarks, ...shown.remarks],
    beside: besidesOf(item),
    media: texts.reduce((sum, { media }) => sum + media.length, shown.lost),
    texts: [asked, ...texts],
  };
}

/** Kinds that cannot be played, by the contents of the item; null for the others. */
function kindOf(responses: readonly Element[], presentation: Element | undefined, item: Element): Kind | null {
  if (responses.length === 0) return 'information';
  if (responses.some(({ localName }) => localName === 'response_xy') || (presentation && descendants(presentation, 'render_hotspot').length > 0)) return 'picture';
  if (responses.length > 1) {
    const offered = responses.map((response) => labelsOf(response).map(({ plain }) => plain.text).join('\n'));
    return offered[0] !== '' && new Set(offered).size === 1 ? 'matching' : 'several_parts';
  }
  const isTyped = responses[0]?.localName === 'response_str';
  return isTyped && !conditionsOf(item).some(({ points }) => points > 0) ? 'essay' : null;
}

function keyOf(response: Element, labels: readonly Label[], all: readonly Condition[]): Key {
  const conditions = all.filter(({ points }) => points > 0);
  const most = mostOf(conditions.map(({ points }) => points));
  if (response.localName === 'response_num' || isNumeric(response, conditions)) return numbersIn(conditions);
  if (response.localName === 'response_str') return textKey(acceptedIn(conditions));
  const cardinality = response.getAttribute('rcardinality')?.toLowerCase() ?? 'single';
  if (cardinality === 'ordered') return orderedKey(labels, conditions);
  // “Anything but this” and “anything else” name no right choice.
  if (conditions.some(({ named }) => named.length === 0)) return { raw: {}, remarks: [MALFORMED] };
  if (cardinality === 'multiple') return severalKey(labels, conditions);
  const share = (id: string): number => mostOf([0, ...conditions.filter(({ named }) => named.includes(id)).map(({ points }) => (points / most) * 100)]);
  return choiceKey(labels.map(({ id, plain }) => ({ text: plain.text, share: share(id) })), false);
}

/** All right choices: those of the only condition, of one that contains all others, or of separate conditions for each choice. */
function severalKey(labels: readonly Label[], conditions: readonly Condition[]): Key {
  const every = new Set(conditions.flatMap(({ named }) => named));
  const isWhole = conditions.some(({ named }) => new Set(named).size === every.size);
  const isEach = conditions.every(({ named }) => named.length === 1);
  const right = labels.filter(({ id }) => every.has(id));
  const key = selectKey(labels.map(({ plain }) => plain.text), right.map(({ plain }) => plain.text));
  if (every.size > 0 && !isWhole && !isEach) return { ...key, remarks: [unsupported('several_answers')] };
  const isUneven = isEach && new Set(conditions.map(({ points }) => points)).size > 1;
  return isUneven ? { ...key, remarks: [{ reason: 'uneven_answers', params: {}, dropped: false }] } : key;
}

function orderedKey(labels: readonly Label[], conditions: readonly Condition[]): Key {
  const steps = (conditions[0]?.named ?? []).flatMap((id) => labels.find((label) => label.id === id) ?? []);
  if (new Set(steps).size < labels.length) return { raw: {}, remarks: [unsupported('ordering')] };
  return orderKey(steps.map(({ plain }) => plain.text));
}

function isNumeric(response: Element, conditions: readonly Condition[]): boolean {
  const type = descendants(response, 'render_fib')[0]?.getAttribute('fibtype') ?? '';
  return /^(?:decimal|integer|scientific)$/i.test(type) || conditions.some(({ ranges }) => ranges.length > 0);
}

function shuffled(key: Key, response: Element, isShuffled: boolean): Key {
  const isOwn = descendants(response, 'render_choice')[0]?.getAttribute('shuffle')?.toLowerCase() === 'yes';
  const isOpen = key.raw.type === 'multiple_choice' || key.raw.type === 'multi_select';
  return (isOwn || isShuffled) && isOpen ? { ...key, raw: { ...key.raw, choices: inOrder(key.raw.choices ?? []) } } : key;
}

function labelsOf(response: Element): Label[] {
  return descendants(response, 'response_label').map((label) => ({
    id: label.getAttribute('ident') ?? '',
    plain: together(descendants(label, 'material').map((material) => plainOfMaterial(material, 'choice'))),
  }));
}

/** The text of the question: everything presented except the choices. */
function materialsIn(presentation: Element | undefined): Element[] {
  const all = presentation ? descendants(presentation, 'material') : [];
  return all.filter((material) => material.closest('response_label') === null);
}

function plainOfMaterial(material: Element, use: 'asked' | 'choice' = 'asked'): Plain {
  const uri = (element: Element): string => element.getAttribute('uri')?.trim() ?? '';
  return together(
    children(material).flatMap((each): Plain[] => {
      const alt = (each.getAttribute('label') ?? material.getAttribute('label') ?? '').trim();
      if (each.localName === 'mattext' || each.localName === 'matemtext') return [plainOfText12(each, use)];
      if (each.localName === 'matimage') return [withMedium({ kind: 'picture', source: imbedded(each) ?? uri(each), alt })];
      if (each.localName === 'mataudio') return [withMedium({ kind: 'sound', source: imbedded(each) ?? uri(each), alt })];
      return /^mat(?:video|applet|application)$/.test(each.localName) ? [withMedium({ kind: 'other', source: uri(each), alt })] : [];
    }),
  );
}

/** A file inside the element itself. */
function imbedded(element: Element): string | undefined {
  if (!/^base64$/i.test(element.getAttribute('embedded') ?? '')) return undefined;
  return `data:;base64,${element.textContent.trim()}`;
}

function plainOfText12(text: Element, use: 'asked' | 'choice'): Plain {
  const type = text.getAttribute('texttype')?.toLowerCase() ?? '';
  if (text.children.length > 0) return plainOfNode(text, use);
  if (/html/.test(type)) return plainOfHtml(text.textContent, use);
  return type === '' ? plainOfMixed(text.textContent, use) : plainOfText(text.textContent, use);
}

const withMedium = (medium: Medium): Plain => ({ text: '', media: [medium], unset: 0, isOneOfSeveral: false });

function together(texts: readonly Plain[]): Plain {
  return {
    text: texts.map(({ text }) => text).filter((text) => text !== '').join('\n'),
    media: texts.flatMap(({ media }) => media),
    unset: texts.reduce((sum, { unset }) => sum + unset, 0),
    isOneOfSeveral: texts.some(({ isOneOfSeveral }) => isOneOfSeveral),
  };
}

function feedbackOf(item: Element, ident: string): Plain {
  const feedback = children(item, 'itemfeedback').filter((each) => each.getAttribute('ident') === ident);
  return together(feedback.flatMap((each) => descendants(each, 'material')).map((material) => plainOfMaterial(material)));
}

/** The points and the time, if the item has them. */
function aboutOf(item: Element): Pick<Partial<RawQuestion>, 'points' | 'timeLimit'> {
  const points = ['points_possible', 'qmd_weighting', 'max_score'].map((label) => fieldOf(item, label)).find((value) => value !== '');
  const [, hours = '0', minutes = '0', seconds = '0'] = /^P(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)$/.exec(textBelow(item, 'duration')) ?? [];
  const time = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return { ...(points !== undefined && { points: plainNumber(points) ?? points }), ...(time > 0 && { timeLimit: time }) };
}

function besidesOf(item: Element): Beside[] {
  const idents = children(item, 'itemfeedback').map((each) => each.getAttribute('ident') ?? '');
  const isLost = idents.some((ident) => ident !== GENERAL && feedbackOf(item, ident).text !== '');
  const isExact = descendants(item, 'varequal').some((each) => each.getAttribute('case')?.toLowerCase() === 'yes') && descendants(item, 'render_fib').length > 0;
  return [...(isLost ? ['feedback' as const] : []), ...(isExact ? ['case' as const] : [])];
}
