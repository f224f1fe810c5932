// QTI 1.2 (`questestinterop`), as Canvas, Blackboard and others export it: assessments, their sections and banks of questions.
// Sections are rounds. qti1item.ts reads each item. Called by qtipackage.ts.

import type { Remark } from '$sdk/quizrounds.ts';

import { child, children, textBelow } from './elements.ts';
import { interopItem } from './qti1item.ts';
import type { Package, Part } from './qtiparts.ts';
import type { Contents } from './qtipackage.ts';
import { type Beside, type Found, soundly } from './readquiz.ts';

/** Whether a root element is one of these files. */
export const isInterop = (root: string): boolean => root === 'questestinterop';

/** Elements that hold items. */
const HOLDERS = new Set(['assessment', 'section', 'objectbank']);

/** The properties of a whole quiz that Canvas writes into a separate file. */
interface Meta {
  readonly isShuffled: boolean;
  readonly hasTime: boolean;
}

/** The properties that apply to everything below an element. */
interface Around {
  readonly path: string;
  readonly round: string;
  readonly meta: Meta;
  readonly beside: readonly Beside[];
}

/** Reads all items of these parts. */
export function readInterop(parts: readonly Part[], whole: Package): Contents {
  const reader = new InteropReader(parts, whole);
  for (const part of parts) reader.read(part);
  return reader;
}

class InteropReader implements Contents {
  readonly found: Found[] = [];
  readonly remarks: Remark[] = [];
  readonly title: string;
  readonly #whole: Package;
  readonly #isOne: boolean;
  readonly #items = new Map<string, Element>();
  readonly #banks: ReadonlySet<string>;

  constructor(parts: readonly Part[], whole: Package) {
    this.#whole = whole;
    const tops = parts.flatMap(({ root }) => children(root));
    const titled = tops.filter(({ localName }) => localName === 'assessment');
    this.#isOne = titled.length < 2;
    this.#banks = new Set(tops.flatMap((top) => top.getAttribute('ident') ?? []));
    this.title = (titled[0]?.getAttribute('title') ?? '').trim();
  }

  read({ path, root }: Part): void {
    const meta = metaOf(this.#whole, path);
    for (const item of root.getElementsByTagNameNS('*', 'item')) this.#items.set(item.getAttribute('ident') ?? '', item);
    this.#below(root, { path, round: '', meta, beside: meta.hasTime ? ['time'] : [] });
  }

  #below(parent: Element, around: Around): void {
    for (const each of children(parent)) {
      const name = each.localName;
      if (name === 'item') this.#take(each, around);
      else if (HOLDERS.has(name)) this.#below(each, { ...around, round: this.#roundOf(each, around.round), beside: [...around.beside, ...besideOf(each)] });
      else if (name === 'itemref') this.#refer(each, around);
      else if (name === 'sectionref') this.#miss(each.getAttribute('linkrefid') ?? '');
      else if (name === 'selection_ordering') {
        for (const bank of each.getElementsByTagNameNS('*', 'sourcebank_ref')) this.#miss(bank.textContent.trim());
      }
    }
  }

  #take(item: Element, { path, round, meta, beside }: Around): void {
    const read = soundly(item.getAttribute('title') ?? '', () => interopItem(item, (media) => this.#whole.shown(media, path), meta.isShuffled));
    this.found.push({ ...read, at: this.found.length + 1, round, beside: [...(read.beside ?? []), ...beside] });
  }

  #refer(reference: Element, around: Around): void {
    const id = reference.getAttribute('linkrefid') ?? '';
    const item = this.#items.get(id);
    if (item) this.#take(item, around);
    else this.#miss(id);
  }

  /** Questions that are drawn from a bank are reported where the bank is not in the package. */
  #miss(name: string): void {
    if (!this.#banks.has(name)) this.remarks.push({ reason: 'missing_part', params: { name: name.slice(-60) }, dropped: true });
  }

  /** A section without a title belongs to the round around it. If there is one assessment, it is the quiz and not a round. */
  #roundOf(holder: Element, around: string): string {
    const title = holder.getAttribute('title')?.trim() ?? '';
    const bank = holder.localName === 'objectbank' ? bankTitle(holder) : '';
    return (holder.localName === 'assessment' && this.#isOne ? '' : title || bank) || around;
  }
}

function besideOf(holder: Element): Beside[] {
  const isDrawn = child(holder, 'selection_ordering')?.getElementsByTagNameNS('*', 'selection_number').length;
  const hasTime = textBelow(holder, 'duration') !== '' || fieldOf(holder, 'qmd_timelimit') !== '';
  return [...(isDrawn ? ['selection' as const] : []), ...(hasTime ? ['time' as const] : [])];
}

const bankTitle = (bank: Element): string => fieldOf(bank, 'bank_title');

/** A field of the metadata of an element. */
export function fieldOf(element: Element, label: string): string {
  const holders = ['itemmetadata', 'qtimetadata'].flatMap((name) => children(element, name));
  const fields = holders.flatMap((holder) => [...holder.getElementsByTagNameNS('*', 'qtimetadatafield')]);
  return textBelow(fields.find((field) => textBelow(field, 'fieldlabel').toLowerCase() === label), 'fieldentry');
}

function metaOf({ parts }: Package, path: string): Meta {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const own = path.split('/').at(-1)?.replace(/\..*$/, '') ?? '';
  const part = parts.find((each) => each.path === `${folder}assessment_meta.xml` || each.path === `${own}/assessment_meta.xml`);
  return { isShuffled: textBelow(part?.root, 'shuffle_answers') === 'true', hasTime: textBelow(part?.root, 'time_limit') !== '' };
}
