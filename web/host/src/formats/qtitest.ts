// The places of the items of a QTI 2 package in its tests: sections as rounds, sections in separate files, time limits and weights. Called
// by qtipackage.ts.

import type { RawQuestion } from '$sdk/quizcheck.ts';

import { Damaged } from './damaged.ts';
import { child, children } from './elements.ts';
import { plainNumber } from './keys.ts';
import { type Part, resolved } from './qtiparts.ts';
import type { Beside } from './readquiz.ts';

export const ITEM = 'assessmentItem';
export const TEST = 'assessmentTest';
const SECTION = 'assessmentSection';

/** The most places of items and sections in all tests: sections that refer to each other must not multiply without end. */
const MOST = 5_000;

/** The place of an item: its path, its round, and its properties in the test. */
export interface Place {
  readonly path: string;
  readonly round: string;
  readonly roundTime?: number | undefined;
  readonly raw?: Partial<RawQuestion>;
  readonly beside?: readonly Beside[];
  /** The factor of its points. */
  readonly weight?: number;
}

/** The properties that apply to everything below a part of a test. */
interface Around {
  readonly from: string;
  readonly round: string;
  readonly roundTime: number | undefined;
  readonly beside: readonly Beside[];
  /** The paths of the enclosing sections. */
  readonly within: readonly string[];
}

/** The places of the items, in the order of the tests. */
export class Places {
  readonly all: Place[] = [];
  /** The paths of missing sections. */
  readonly missing: string[] = [];
  readonly #parts: readonly Part[];
  #count = 0;

  /** Throws `Damaged` where the sections have no end. */
  constructor(parts: readonly Part[], tests: readonly Part[]) {
    this.#parts = parts;
    for (const { path, root } of tests) {
      const round = tests.length > 1 ? (root.getAttribute('title')?.trim() ?? '') : '';
      this.#below(root, { from: path, round, roundTime: undefined, beside: timeOf(root) === undefined ? [] : ['time'], within: [] });
    }
  }

  #below(parent: Element, around: Around): void {
    for (const each of children(parent)) {
      this.#count += 1;
      if (this.#count > MOST) throw new Damaged();
      const name = each.localName;
      if (name === 'assessmentItemRef') this.all.push(placeOf(each, around));
      else if (name === 'testPart') this.#below(each, timeOf(each) === undefined ? around : { ...around, beside: [...around.beside, 'time'] });
      else if (name === SECTION) this.#section(each, around);
      else if (name === 'assessmentSectionRef') this.#elsewhere(resolved(each.getAttribute('href') ?? '', around.from), around);
    }
  }

  #section(section: Element, around: Around): void {
    const time = timeOf(section);
    this.#below(section, {
      ...around,
      round: section.getAttribute('title')?.trim() || around.round,
      roundTime: time ?? around.roundTime,
      beside: [...around.beside, ...(child(section, 'selection') ? ['selection' as const] : [])],
    });
  }

  #elsewhere(path: string, around: Around): void {
    const part = this.#parts.find((each) => each.path === path && each.root.localName === SECTION);
    if (!part || around.within.includes(path)) this.missing.push(path);
    else this.#section(part.root, { ...around, from: path, within: [...around.within, path] });
  }
}

function placeOf(item: Element, { from, round, roundTime, beside }: Around): Place {
  const time = timeOf(item);
  const weight = plainNumber(child(item, 'weight')?.getAttribute('value') ?? '');
  return {
    path: resolved(item.getAttribute('href') ?? '', from),
    round,
    roundTime,
    raw: time === undefined ? {} : { timeLimit: time },
    beside,
    ...(weight !== undefined && { weight }),
  };
}

/** Seconds after which a part of a test closes. */
function timeOf(part: Element): number | undefined {
  return plainNumber(child(part, 'timeLimits')?.getAttribute('maxTime') ?? '');
}
