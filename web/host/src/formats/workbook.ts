// Finds the parts of a spreadsheet package (xlsx) by relationships and content types, because programs name and place them freely; names
// can differ in case, slashes and percent signs. Used by sheets.ts.

import { Damaged } from './damaged.ts';
import { child, children, descendants, rootOf } from './elements.ts';
import { decode } from './encoding.ts';
import type { Zip } from './zip.ts';

/** A part to which another one refers. */
interface Link {
  readonly id: string;
  /** The last word of its type, which the two versions of the standard share: `worksheet`, `styles`. */
  readonly type: string;
  readonly part: string;
}

/** A sheet as the workbook lists it; the root of charts and dialogues is none. */
export interface SheetPart {
  readonly name: string;
  readonly root: Element;
}

const CONTENT_TYPES = '[Content_Types].xml';

/** The place of the workbook in nearly all programs. */
const USUAL = 'xl/workbook.xml';

/** The content types of workbooks, with macros or without. */
const MAIN = /spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template|addin)\.macroEnabled(?:\.\w+)?\.main\+xml/i;

/** The workbook of a package, with the parts to which it refers. */
export class Workbook {
  readonly root: Element;
  readonly #zip: Zip;
  readonly #links: readonly Link[];

  private constructor(zip: Zip, path: string, root: Element) {
    this.#zip = zip;
    this.root = root;
    this.#links = linksOf(zip, path);
  }

  /** Found by the relationships of the package, by its content types, or at the usual place; null when there is none. Throws `Damaged`. */
  static find(zip: Zip): Workbook | null {
    const ways = [() => linked(zip), () => typedAs(zip, MAIN), () => [USUAL]];
    for (const way of ways) {
      for (const path of intact(way, [])) {
        const root = storedAs(zip, path) !== undefined && /\.xml$/i.test(path) ? intact(() => rootIn(zip, path), null) : null;
        // Other documents of the same programs also have a main part.
        if (root?.localName === 'workbook') return new Workbook(zip, path, root);
      }
    }
    if (storedAs(zip, USUAL) !== undefined) throw new Damaged();
    return null;
  }

  /** The part of this type, `sharedStrings` or `styles`; undefined when the workbook has none. */
  part(type: string): Element | undefined {
    const link = this.#links.find((each) => each.type === type);
    return link && rootIn(this.#zip, link.part);
  }

  /** The sheets with cells, in the order of the workbook. */
  get sheets(): SheetPart[] {
    return descendants(this.root, 'sheet').flatMap((sheet) => {
      const id = [...sheet.attributes].find(({ localName, name }) => localName === 'id' && name !== 'id')?.value;
      const link = this.#links.find((each) => each.id === id);
      if (!link) throw new Damaged();
      return link.type === 'worksheet' ? [{ name: sheet.getAttribute('name') ?? '', root: rootIn(this.#zip, link.part) }] : [];
    });
  }

  /** Days count from 1904 in workbooks of old Macs. */
  get isFrom1904(): boolean {
    return /^(?:1|true|on)$/.test(child(this.root, 'workbookPr')?.getAttribute('date1904') ?? '');
  }
}

/** The main part of the package. */
const linked = (zip: Zip): string[] => linksOf(zip, '').flatMap(({ type, part }) => (type === 'officeDocument' ? [part] : []));

/** The parts whose content type is like this. */
function typedAs(zip: Zip, type: RegExp): string[] {
  if (storedAs(zip, CONTENT_TYPES) === undefined) return [];
  const overrides = children(rootIn(zip, CONTENT_TYPES), 'Override');
  return overrides.filter((each) => type.test(each.getAttribute('ContentType') ?? '')).map((each) => each.getAttribute('PartName') ?? '');
}

function intact<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) return otherwise;
    throw error;
  }
}

/** The parts to which a part refers; the package itself is the part without a name. */
function linksOf(zip: Zip, part: string): Link[] {
  const folder = part.replace(/[^/]*$/, '');
  const path = `${folder}_rels/${part.slice(folder.length)}.rels`;
  if (storedAs(zip, path) === undefined) return [];
  return children(rootIn(zip, path), 'Relationship').map((link) => ({
    id: link.getAttribute('Id') ?? '',
    type: (link.getAttribute('Type') ?? '').replace(/^.*\//, ''),
    part: resolved(link.getAttribute('Target') ?? '', folder),
  }));
}

function resolved(target: string, folder: string): string {
  const slashed = target.replaceAll('\\', '/');
  const steps: string[] = [];
  for (const step of (slashed.startsWith('/') ? slashed : `${folder}${slashed}`).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** The name of the part in the archive: case does not matter in names. */
function storedAs(zip: Zip, part: string): string | undefined {
  const plain = (name: string): string => unescaped(name).replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
  const wanted = plain(part);
  return zip.names.find((name) => name === part) ?? zip.names.find((name) => plain(name) === wanted);
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function rootIn(zip: Zip, part: string): Element {
  const name = storedAs(zip, part);
  const content = name === undefined ? undefined : zip.read(name);
  if (!content) throw new Damaged();
  return rootOf(decode(content).text);
}
