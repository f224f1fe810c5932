// One question of QTI 2.x (IMS Question and Test Interoperability): an `assessmentItem` with one interaction. qtipackage.ts
// finds the items of a package and calls this for each.

import { child, children, descendants } from './elements.ts';
import { choiceKey, inOrder, type Key, numberKey, plainNumber, textKey } from './keys.ts';
import { GAP, plainOfNode } from './markup.ts';
import { type Found, type Kind, MALFORMED, unsupported } from './readquiz.ts';

/** Interactions that Quizhall lacks; others are named as they are. */
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
  orderInteraction: 'ordering',
  positionObjectInteraction: 'picture',
  selectPointInteraction: 'picture',
  uploadInteraction: 'essay',
};

/** The interactions that Quizhall has. */
const KEYS: Readonly<Record<string, (interaction: Element, response: Response) => Key>> = {
  choiceInteraction: (interaction, response) => choices(interaction, 'simpleChoice', response),
  inlineChoiceInteraction: (interaction, response) => choices(interaction, 'inlineChoice', response),
  textEntryInteraction: (_, response) => written(response),
};

/** Interactions inside a sentence. */
const INLINE = new Set(['textEntryInteraction', 'inlineChoiceInteraction', 'hottextInteraction', 'endAttemptInteraction']);

const ASIDE = new Set(['rubricBlock', 'feedbackInline', 'feedbackBlock', 'modalFeedback', 'infoControl']);

/** What an item says of the right answers. */
interface Response {
  readonly isSeveral: boolean;
  readonly baseType: string;
  readonly correct: readonly string[];
  /** Answers that earn points, with how many. */
  readonly mapped: ReadonlyMap<string, number>;
  /** Of numbers: how far off an answer may be, for each value. */
  readonly margin: (value: number) => number;
}

/** Reads an item. */
export function itemOf(item: Element): Pick<Found, 'raw' | 'remarks' | 'beside' | 'media'> {
  const body = child(item, 'itemBody');
  const interactions = body ? [...body.getElementsByTagName('*')].filter(({ localName }) => /Interaction$/.test(localName)) : [];
  const [interaction] = interactions;
  const { text, media } = askedIn(body ?? item, interaction);
  const raw = { text: text || (item.getAttribute('title') ?? '') };
  if (!body || !interaction) return { raw, remarks: [body ? unsupported('information') : MALFORMED] };
  if (interactions.length > 1) return { raw, remarks: [unsupported('several_parts')] };
  const name = interaction.localName;
  const read = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  const own = Object.hasOwn(UNSUPPORTED, name) ? UNSUPPORTED[name] : undefined;
  if (!read) return { raw, remarks: [unsupported(own ?? name)] };
  const key = read(interaction, responseOf(item, interaction));
  return { raw: { ...raw, ...key.raw }, remarks: key.remarks, beside: hasFeedback(item) ? ['feedback'] : [], media };
}

/** The body without its interaction; of one that is inside a sentence the place is marked. */
function askedIn(body: Element, interaction: Element | undefined): { text: string; media: number } {
  const isInline = interaction !== undefined && INLINE.has(interaction.localName);
  const read = plainOfNode(body, (element) => {
    if (ASIDE.has(element.localName)) return '';
    if (element !== interaction) return undefined;
    return isInline ? GAP : `\n${plainOfNode(child(element, 'prompt') ?? element.ownerDocument.createElement('p')).text}\n`;
  });
  // A place at the end of all is no place inside a sentence.
  const text = isInline && read.text.endsWith(GAP) ? read.text.slice(0, -GAP.length).trim() : read.text;
  const inside = interaction && !isInline ? plainOfNode(interaction).media : 0;
  return { text, media: read.media + inside };
}

function responseOf(item: Element, interaction: Element): Response {
  const id = interaction.getAttribute('responseIdentifier');
  const declaration = children(item, 'responseDeclaration').find((each) => each.getAttribute('identifier') === id);
  const correct = child(declaration, 'correctResponse');
  const entries = declaration ? descendants(declaration, 'mapEntry') : [];
  return {
    isSeveral: declaration?.getAttribute('cardinality') === 'multiple',
    baseType: declaration?.getAttribute('baseType') ?? '',
    correct: correct ? children(correct, 'value').map(({ textContent }) => textContent.trim()) : [],
    mapped: new Map(entries.map((entry) => [entry.getAttribute('mapKey') ?? '', Number(entry.getAttribute('mappedValue'))])),
    margin: marginOf(item),
  };
}

/** The tolerance by which the item compares numbers, of the same size to both sides. */
function marginOf(item: Element): Response['margin'] {
  const equal = descendants(item, 'equal')[0];
  const [low = 0, high = low] = (equal?.getAttribute('tolerance') ?? '').split(/\s+/).map(Number).filter(Number.isFinite);
  const size = low === high ? low : 0;
  const mode = equal?.getAttribute('toleranceMode');
  if (mode === 'absolute') return () => size;
  return mode === 'relative' ? (value) => Number(Math.abs((value * size) / 100).toPrecision(12)) : () => 0;
}

/** The share of an answer: all of the points for a right one or the best of a mapping, else a part of them or none. */
function shareOf({ correct, mapped }: Response, answer: string): number {
  if (correct.includes(answer)) return 100;
  const points = mapped.get(answer) ?? 0;
  const most = Math.max(0, ...mapped.values());
  if (points <= 0) return 0;
  return correct.length === 0 && points === most ? 100 : 50;
}

function choices(interaction: Element, name: string, response: Response): Key {
  const options = descendants(interaction, name).map((choice) => ({
    text: plainOfNode(choice, (element) => (ASIDE.has(element.localName) ? '' : undefined)).text,
    share: shareOf(response, choice.getAttribute('identifier') ?? ''),
  }));
  const key = choiceKey(options, response.isSeveral);
  const isShuffled = interaction.getAttribute('shuffle') === 'true' && !descendants(interaction, name).some((choice) => choice.getAttribute('fixed') === 'true');
  return isShuffled ? { ...key, raw: { ...key.raw, choices: inOrder(key.raw.choices ?? []) } } : key;
}

function written(response: Response): Key {
  const answers = [...new Set([...response.correct, ...response.mapped.keys()])];
  const options = answers.map((text) => ({ text: text.replaceAll('*', '\\*'), share: shareOf(response, text) }));
  if (response.baseType !== 'float' && response.baseType !== 'integer') return textKey(options);
  const full = options.filter(({ share }) => share >= 100).map(({ text }) => plainNumber(text));
  if (full.includes(undefined)) return { raw: { type: 'numeric' }, remarks: [MALFORMED] };
  const accepted = full.map((value = 0) => ({ value, margin: response.margin(value) }));
  return numberKey(accepted, options.some(({ share }) => share > 0 && share < 100));
}

function hasFeedback(item: Element): boolean {
  return ['modalFeedback', 'feedbackInline', 'feedbackBlock'].some((name) => descendants(item, name).length > 0);
}
