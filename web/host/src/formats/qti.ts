// One question of QTI 2.x (IMS Question and Test Interoperability): an `assessmentItem` with one interaction. qtipackage.ts
// finds the items of a package and calls this for each.

import type { RawQuestion } from '$sdk/quizcheck.ts';

import { child, children, descendants } from './elements.ts';
import { choiceKey, inOrder, isCrowded, type Key, mostOf, numberKey, orderKey, plainNumber, selectKey, textKey } from './keys.ts';
import { GAP, type Medium, type Plain, plainOfNode } from './markup.ts';
import type { Shown } from './media.ts';
import { type Found, type Kind, MALFORMED, unsupported } from './readquiz.ts';

/** The names of interactions that Quizhall lacks; other interactions are reported by their own names. */
const UNSUPPORTED: Readonly<Record<string, Kind>> = {
  associateInteraction: 'matching',
  drawingInteraction: 'picture',
  extendedTextInteraction: 'essay',
  gapMatchInteraction: 'gaps',
  graphicAssociateInteraction: 'picture',
  graphicGapMatchInteraction: 'picture',
  graphicOrderInteraction: 'picture',
  hotspotInteraction: 'picture',
  hottextInteraction: 'gaps',
  matchInteraction: 'matching',
  positionObjectInteraction: 'picture',
  selectPointInteraction: 'picture',
  uploadInteraction: 'essay',
};

/** The interactions that Quizhall has. */
const KEYS: Readonly<Record<string, (response: Response, choices: readonly Choice[]) => Key>> = {
  choiceInteraction: chosen,
  inlineChoiceInteraction: chosen,
  orderInteraction: ordered,
  textEntryInteraction: written,
};

/** Interactions inside a sentence. */
const INLINE = new Set(['textEntryInteraction', 'inlineChoiceInteraction', 'hottextInteraction', 'endAttemptInteraction']);

const ASIDE = new Set(['rubricBlock', 'feedbackInline', 'feedbackBlock', 'modalFeedback', 'infoControl']);

/** The information of an item about the right answers. */
interface Response {
  readonly interaction: Element;
  readonly cardinality: string;
  readonly baseType: string;
  readonly correct: ReadonlySet<string>;
  /** Answers that earn points, with their points. */
  readonly mapped: ReadonlyMap<string, number>;
  /** The most points that one of them earns. */
  readonly most: number;
  /** For numbers: the margin of an answer, for each value. */
  readonly margin: (value: number) => number;
}

/** A choice as it was read. */
interface Choice {
  readonly id: string;
  readonly plain: Plain;
  readonly isFixed: boolean;
}

/** The contents of an item. */
export type Item = Omit<Found, 'at' | 'round'>;

/** Reads an item. `show` finds the picture or sound among those in its texts. */
export function itemOf(item: Element, show: (media: readonly Medium[]) => Shown): Item {
  const body = child(item, 'itemBody');
  const interactions = body ? [...body.getElementsByTagName('*')].filter(({ localName }) => /Interaction$/.test(localName)) : [];
  const [interaction] = interactions;
  const asked = askedIn(body ?? item, interaction);
  const raw = { text: asked.text || (item.getAttribute('title') ?? '') };
  if (!body || !interaction) return { raw, remarks: [body ? unsupported('information') : MALFORMED] };
  if (interactions.length > 1) return { raw, remarks: [unsupported('several_parts')] };
  if (child(item, 'templateDeclaration')) return { raw, remarks: [unsupported('calculated')] };
  const name = interaction.localName;
  const read = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  const own = Object.hasOwn(UNSUPPORTED, name) ? UNSUPPORTED[name] : undefined;
  if (!read) return { raw, remarks: [unsupported(own ?? name)] };
  const choices = choicesIn(interaction);
  if (choices.some(({ plain: { text, media } }) => text === '' && media.length > 0)) return { raw, remarks: [unsupported('pictures')] };
  const key = isCrowded(choices) ? selectKey(choices.map(({ plain: { text } }) => text), []) : read(responseOf(item, interaction), choices);
  const shown = show(asked.media);
  const lost = choices.reduce((sum, { plain: { media } }) => sum + media.length, shown.lost);
  return {
    raw: { ...raw, ...key.raw, ...pointsOf(item), media: shown.media },
    remarks: [...key.remarks, ...shown.remarks],
    beside: hasFeedback(item) ? ['feedback'] : [],
    media: lost,
    texts: [asked, ...choices.map(({ plain }) => plain)],
  };
}

/** The body without its interaction. If the interaction is inside a sentence, its place is marked. */
function askedIn(body: Element, interaction: Element | undefined): Plain {
  const isInline = interaction !== undefined && INLINE.has(interaction.localName);
  const prompt = isInline ? undefined : child(interaction, 'prompt');
  const within = prompt ? plainOfNode(prompt) : undefined;
  const read = plainOfNode(body, 'asked', (element) => {
    if (ASIDE.has(element.localName)) return '';
    if (element !== interaction) return undefined;
    return isInline ? GAP : '\n\ufdd3\n';
  });
  const sentence = read.text.replace('\ufdd3', () => within?.text ?? '').replace(/\n{3,}/g, '\n\n').trim();
  // A place at the very end is not inside a sentence.
  const text = isInline && sentence.endsWith(GAP) ? sentence.slice(0, -GAP.length).trim() : sentence;
  return {
    text,
    media: [...read.media, ...(within?.media ?? [])],
    unset: read.unset + (within?.unset ?? 0),
    isOneOfSeveral: read.isOneOfSeveral || (within?.isOneOfSeveral ?? false),
  };
}

function choicesIn(interaction: Element): Choice[] {
  const all = ['simpleChoice', 'inlineChoice'].flatMap((name) => descendants(interaction, name));
  return all.map((choice) => ({
    id: choice.getAttribute('identifier') ?? '',
    plain: plainOfNode(choice, 'choice', (element) => (ASIDE.has(element.localName) ? '' : undefined)),
    isFixed: choice.getAttribute('fixed') === 'true',
  }));
}

function responseOf(item: Element, interaction: Element): Response {
  const id = interaction.getAttribute('responseIdentifier');
  const declaration = children(item, 'responseDeclaration').find((each) => each.getAttribute('identifier') === id);
  const correct = child(declaration, 'correctResponse');
  const entries = declaration ? descendants(declaration, 'mapEntry') : [];
  const mapped = new Map(entries.map((entry) => [entry.getAttribute('mapKey') ?? '', Number(entry.getAttribute('mappedValue'))]));
  return {
    interaction,
    cardinality: declaration?.getAttribute('cardinality') ?? '',
    baseType: declaration?.getAttribute('baseType') ?? '',
    correct: new Set(correct ? children(correct, 'value').map(({ textContent }) => textContent.trim()) : []),
    mapped,
    most: mostOf(mapped.values()),
    margin: marginOf(item),
  };
}

/** The tolerance with which the item compares numbers, equal on both sides. */
function marginOf(item: Element): Response['margin'] {
  const equal = descendants(item, 'equal')[0];
  const [low = 0, high = low] = (equal?.getAttribute('tolerance') ?? '').split(/\s+/).map(Number).filter(Number.isFinite);
  const size = low === high ? low : 0;
  const mode = equal?.getAttribute('toleranceMode');
  if (mode === 'absolute') return () => size;
  return mode === 'relative' ? (value) => Number(Math.abs((value * size) / 100).toPrecision(12)) : () => 0;
}

/** The share of an answer: all points for a right answer or the best of a mapping, otherwise a part of them or none. */
function shareOf({ correct, mapped, most }: Response, answer: string): number {
  if (correct.has(answer)) return 100;
  const points = mapped.get(answer) ?? 0;
  if (points <= 0) return 0;
  return correct.size === 0 && points === most ? 100 : 50;
}

function chosen(response: Response, choices: readonly Choice[]): Key {
  const key = response.cardinality === 'multiple' ? several(response, choices) : choiceKey(optionsOf(response, choices), false);
  const isShuffled = response.interaction.getAttribute('shuffle') === 'true' && !choices.some(({ isFixed }) => isFixed);
  return isShuffled ? { ...key, raw: { ...key.raw, choices: inOrder(key.raw.choices ?? []) } } : key;
}

const optionsOf = (response: Response, choices: readonly Choice[]) =>
  choices.map(({ id, plain: { text } }) => ({ text, share: shareOf(response, id) }));

/** All right choices together, as the item names them; otherwise those that earn points. */
function several({ correct, mapped }: Response, choices: readonly Choice[]): Key {
  const right = choices.filter(({ id }) => (correct.size > 0 ? correct.has(id) : (mapped.get(id) ?? 0) > 0));
  const key = selectKey(choices.map(({ plain }) => plain.text), right.map(({ plain }) => plain.text));
  const isUneven = new Set(right.map(({ id }) => mapped.get(id) ?? 0)).size > 1;
  return isUneven ? { ...key, remarks: [{ reason: 'uneven_answers', params: {}, dropped: false }] } : key;
}

/** Only where every choice that is offered has a place. */
function ordered({ correct }: Response, choices: readonly Choice[]): Key {
  const steps = [...correct].flatMap((id) => choices.find((choice) => choice.id === id) ?? []);
  if (correct.size > 0 && new Set(steps).size < choices.length) return { raw: {}, remarks: [unsupported('ordering')] };
  return orderKey(steps.map(({ plain }) => plain.text));
}

function written(response: Response): Key {
  const answers = [...new Set([...response.correct, ...response.mapped.keys()])];
  const options = answers.map((text) => ({ text: text.replaceAll('*', '\\*'), share: shareOf(response, text) }));
  if (response.baseType !== 'float' && response.baseType !== 'integer') return textKey(options);
  const full = options.filter(({ share }) => share >= 100).map(({ text }) => ({ text: text.trim(), value: plainNumber(text) }));
  const accepted = full.flatMap(({ text, value }) => (value === undefined ? [] : [{ text, value, margin: response.margin(value) }]));
  if (accepted.length < full.length) return { raw: { type: 'numeric' }, remarks: [MALFORMED] };
  return numberKey(accepted, options.some(({ share }) => share > 0 && share < 100));
}

/** The most points of the item, if it states them. */
function pointsOf(item: Element): Pick<Partial<RawQuestion>, 'points'> {
  const outcome = (id: string) => children(item, 'outcomeDeclaration').find((each) => each.getAttribute('identifier') === id);
  const most = child(outcome('MAXSCORE'), 'defaultValue')?.textContent.trim() || outcome('SCORE')?.getAttribute('normalMaximum');
  return most ? { points: plainNumber(most) ?? most } : {};
}

function hasFeedback(item: Element): boolean {
  return ['modalFeedback', 'feedbackInline', 'feedbackBlock'].some((name) => descendants(item, name).length > 0);
}
