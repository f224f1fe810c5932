// QTI files: one item as XML, or a package (zip) with a manifest, items and perhaps tests that put them into sections. A part of
// a package that is broken or missing is named, and the others are read. qti.ts reads each item, qtitest.ts finds the places of
// the items in a test, qti1.ts reads files of QTI 1.2. QTI 3.0 is another format and is refused by its name.

import { nothing, type Remark } from '$sdk/quizrounds.ts';

import { Damaged } from './damaged.ts';
import { children, descendants, rootName, rootOf } from './elements.ts';
import { itemOf } from './qti.ts';
import { isInterop, readInterop } from './qti1.ts';
import { isXml, Package, type Part, resolved } from './qtiparts.ts';
import { ITEM, Places, type Place, TEST } from './qtitest.ts';
import { type Found, quizOf, type ReadQuiz, soundly, whereTheyDiffer } from './readquiz.ts';
import type { Source } from './source.ts';

const MANIFEST = 'imsmanifest.xml';

/** The contents of a package: its questions, the remarks about the whole, and a title if it has one. */
export interface Contents {
  readonly found: readonly Found[];
  readonly remarks: readonly Remark[];
  readonly title: string;
}

/** Whether it is an item, or a package with a manifest or items. */
export function isQti({ text, zip }: Source): boolean {
  // Documents of office programs are also archives of XML.
  if (zip) return zip.names.some(isXml) && !zip.names.includes('[Content_Types].xml') && !zip.names.includes('mimetype');
  const root = rootName(text);
  return root === ITEM || root === TEST || isInterop(root) || isLater(root);
}

/** Reads all items; the sections of tests are rounds. Throws `Damaged`. */
export function readQti({ text, title, zip }: Source): ReadQuiz {
  const whole = zip ? new Package(zip) : new Package(null, rootOf(text));
  if (whole.parts.some(({ root }) => isLater(root.localName))) return nothing('unsupported_version', { version: 'QTI 3.0' });
  const interop = whole.parts.filter(({ root }) => isInterop(root.localName));
  const read = interop.length > 0 ? readInterop(interop, whole) : readTests(whole);
  // If nothing in an archive can be read, there are no further remarks.
  if (read.found.length === 0 && whole.broken.size > 0) throw new Damaged();
  const remarks = [...whole.broken.values(), ...read.remarks];
  return quizOf(read.title || title, whereTheyDiffer(read.found), remarks, whole.media.files);
}

/** Elements of QTI 3 have names of their own. */
const isLater = (root: string): boolean => /^qti-assessment-(?:item|test|section)$/.test(root);

function readTests(whole: Package): Contents {
  const items = new Map(whole.parts.filter(({ root }) => root.localName === ITEM).map((part) => [part.path, part.root]));
  const tests = inListedOrder(whole, TEST);
  const places = tests.length > 0 ? new Places(whole.parts, tests) : null;
  const wanted: readonly Place[] = places?.all ?? listed(whole, items).map((path) => ({ path, round: '' }));
  const found: Found[] = [];
  const missing = new Set(places?.missing);
  for (const { path, round, roundTime, raw = {}, beside = [], weight = 1 } of wanted) {
    const item = items.get(path);
    if (!item) missing.add(path);
    else {
      const read = soundly(item.getAttribute('title') ?? '', () => itemOf(item, (media) => whole.shown(media, path)));
      const points = weight === 1 || typeof read.raw.points === 'string' ? {} : { points: Number(read.raw.points ?? 1) * weight };
      found.push({ ...read, at: found.length + 1, round, roundTime, raw: { ...read.raw, ...raw, ...points }, beside: [...(read.beside ?? []), ...beside] });
    }
  }
  const used = new Set(wanted.map(({ path }) => path));
  const remarks = [
    ...[...missing].filter((path) => !whole.broken.has(path)).map((path) => named('missing_part', path)),
    ...[...items.keys()].filter((path) => !used.has(path)).map((path) => named('unused_part', path)),
  ];
  return { found, remarks, title: tests[0]?.root.getAttribute('title')?.trim() ?? '' };
}

const named = (reason: 'missing_part' | 'unused_part', path: string): Remark => ({ reason, params: { name: path.slice(-60) }, dropped: true });

/** The paths that the manifest lists as resources, in its order. */
function resources({ parts }: Package): { readonly path: string; readonly type: string }[] {
  const [manifest] = parts.filter(({ path }) => path.split('/').at(-1)?.toLowerCase() === MANIFEST).sort((one, other) => one.path.length - other.path.length);
  return (manifest ? descendants(manifest.root, 'resource') : []).map((resource) => {
    const href = resource.getAttribute('href') ?? children(resource, 'file')[0]?.getAttribute('href') ?? '';
    return { path: resolved(href, manifest?.path ?? ''), type: resource.getAttribute('type') ?? '' };
  });
}

/** The items in the order of the manifest, otherwise by name. */
function listed(whole: Package, items: ReadonlyMap<string, Element>): string[] {
  const paths = resources(whole).filter(({ type }) => /imsqti_item/.test(type)).map(({ path }) => path);
  return paths.length > 0 ? paths : [...items.keys()].sort();
}

/** Parts with such a root, in the order of the manifest, then of their names. */
function inListedOrder(whole: Package, root: string): Part[] {
  const order = resources(whole).map(({ path }) => path);
  const place = ({ path }: Part): number => (order.includes(path) ? order.indexOf(path) : order.length);
  const all = whole.parts.filter((part) => part.root.localName === root);
  return all.sort((one, other) => place(one) - place(other) || (one.path < other.path ? -1 : 1));
}
