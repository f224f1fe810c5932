// QTI files: one item as XML, or a package (zip) with a manifest, items and perhaps a test that puts them into sections.
// qti.ts reads each item. QTI 1.2 and 3.0 are other formats and are refused by their names.

import type { QuizFile } from '$sdk';
import { nothing, type Remark } from '$sdk/quizrounds.ts';

import { Damaged } from './damaged.ts';
import { decode } from './encoding.ts';
import { descendants, rootName, rootOf } from './elements.ts';
import { itemOf } from './qti.ts';
import { type Found, quizOf } from './readquiz.ts';
import type { Source } from './source.ts';
import type { Zip } from './zip.ts';

const MANIFEST = 'imsmanifest.xml';
const ITEM = 'assessmentItem';
const TEST = 'assessmentTest';

/** Versions of the standard by the names of their elements. */
const OTHER_VERSIONS: Readonly<Record<string, string>> = {
  questestinterop: '1.2',
  'qti-assessment-item': '3.0',
  'qti-assessment-test': '3.0',
};

/** A file of the package. */
interface Part {
  readonly path: string;
  readonly root: Element;
}

/** Where an item is: its path, and the title of its section. */
interface Place {
  readonly path: string;
  readonly round: string;
}

/** Whether it is an item, or a package with a manifest or items. */
export function isQti({ text, zip }: Source): boolean {
  // Documents of office programs are archives of XML, too.
  if (zip) return zip.names.some(isXml) && !zip.names.includes('[Content_Types].xml');
  const root = rootName(text);
  return root === ITEM || root === TEST || Object.hasOwn(OTHER_VERSIONS, root);
}

/** Reads all items; the sections of a test are rounds. Throws `Damaged`. */
export function readQti({ text, title, zip }: Source): QuizFile {
  const parts = zip ? partsOf(zip) : [{ path: '', root: rootOf(text) }];
  const other = parts.map(({ root }) => OTHER_VERSIONS[root.localName]).find((version) => version !== undefined);
  if (other !== undefined) return nothing('unsupported_version', { version: `QTI ${other}` });
  const test = parts.find(({ root }) => root.localName === TEST);
  const items = new Map(parts.filter(({ root }) => root.localName === ITEM).map((part) => [part.path, part.root]));
  const found: Found[] = [];
  const missing: Remark[] = [];
  for (const { path, round } of placesOf(parts, test, items)) {
    const item = items.get(path);
    if (item) found.push({ ...itemOf(item), at: found.length + 1, round });
    else missing.push({ reason: 'missing_part', params: { name: path.slice(-60) }, dropped: true });
  }
  return quizOf(test?.root.getAttribute('title')?.trim() || title, found, missing);
}

const isXml = (name: string): boolean => /\.xml$/i.test(name);

/** All XML files of the package. */
function partsOf(zip: Zip): Part[] {
  return zip.names.filter(isXml).flatMap((path) => {
    const content = zip.read(path);
    if (!content) throw new Damaged();
    return { path, root: rootOf(decode(content).text) };
  });
}

/** The items in the order of the test, else of the manifest, else of their names. */
function placesOf(parts: readonly Part[], test: Part | undefined, items: ReadonlyMap<string, Element>): Place[] {
  if (test) {
    return descendants(test.root, 'assessmentItemRef').map((item) => ({
      path: resolved(item.getAttribute('href') ?? '', test.path),
      round: item.closest('assessmentSection')?.getAttribute('title')?.trim() ?? '',
    }));
  }
  const manifest = parts.find(({ path }) => path.endsWith(MANIFEST));
  const listed = manifest ? descendants(manifest.root, 'resource').filter((each) => /imsqti_item/.test(each.getAttribute('type') ?? '')) : [];
  const paths = listed.map((resource) => resolved(resource.getAttribute('href') ?? '', manifest?.path ?? ''));
  return (paths.length > 0 ? paths : [...items.keys()].sort()).map((path) => ({ path, round: '' }));
}

/** The path in the package that a reference means. */
function resolved(href: string, from: string): string {
  try {
    return decodeURIComponent(new URL(href, `zip://package/${from}`).pathname.slice(1));
  } catch {
    return href;
  }
}
