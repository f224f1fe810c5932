// Recognises files that contain no quiz in a known format, by their beginning or their parts, so that the host reads what the file is and
// what to do. Used by formats.ts. Pure.

import { Damaged } from './damaged.ts';
import { rootName } from './elements.ts';
import type { Source } from './source.ts';
import type { Zip } from './zip.ts';

/** The beginnings of files, by the names that people know them by. */
const BEGINNINGS: readonly (readonly [kind: string, begins: string | RegExp])[] = [
  ['PDF', /^\s*%PDF-\d/],
  ['PNG', '\x89PNG\r\n'],
  ['JPEG', '\xff\xd8\xff'],
  ['GIF', /^GIF8[79]a/],
  ['WebP', /^RIFF[^]{4}WEBP/],
  ['BMP', /^BM[^]{4}\0{4}/],
  ['TIFF', /^(?:II\*\0|MM\0\*)/],
  ['HEIC', /^[^]{4}ftyp(?:heic|heix|hevc|mif1|msf1|avif)/],
  ['MP4', /^[^]{4}ftyp/],
  ['MP3', 'ID3\x03'],
  ['MP3', 'ID3\x04'],
  ['WAV', /^RIFF[^]{4}WAVE/],
  ['Ogg', 'OggS\0'],
  ['WebM', '\x1a\x45\xdf\xa3'],
  ['RTF', /^\{\\rtf\d/],
  ['gzip', '\x1f\x8b\x08'],
  ['RAR', 'Rar!\x1a\x07'],
  ['7z', '7z\xbc\xaf\x27\x1c'],
  ['SQLite', 'SQLite format 3\0'],
];

/** Pages and pictures in markup, by their root elements. */
const ROOTS = new Map([
  ['html', 'HTML'],
  ['svg', 'SVG'],
]);

/** Old office files are folders with entry names in UTF-16, and so are new ones with a password. */
const OLD_OFFICE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const OLD_ENTRIES: readonly (readonly [kind: string, entry: string])[] = [
  ['Office (password)', 'EncryptedPackage'],
  ['Excel 97–2003 (xls)', 'Workbook'],
  ['Excel 5 (xls)', 'Book'],
  ['Word 97–2003 (doc)', 'WordDocument'],
  ['PowerPoint 97–2003 (ppt)', 'PowerPoint Document'],
];

/** Archives, by a part that only they contain. */
const PARTS: readonly (readonly [kind: string, part: RegExp])[] = [
  ['Word (docx)', /^word\//i],
  ['PowerPoint (pptx)', /^ppt\//i],
  ['Excel (xlsb)', /(?:^|\/)workbook\.bin$/i],
  ['Anki (apkg)', /^collection\.anki2/i],
  ['Numbers, Pages, Keynote', /^Index(?:\.zip|\/Document\.iwa)$/i],
];

/** Archives that name their own type. */
const TYPES: readonly (readonly [kind: string, type: RegExp])[] = [
  ['OpenDocument (ods)', /opendocument\.spreadsheet/],
  ['OpenDocument (odt)', /opendocument\.text/],
  ['OpenDocument (odp)', /opendocument\.presentation/],
  ['OpenDocument', /opendocument/],
  ['EPUB', /epub/],
];

/** The number of bytes by which a file is recognised. */
const BEGINNING = 4_096;

/** The kind of a file for which no format is tried; undefined when it may be a quiz. */
export function otherKind({ bytes, zip }: Source): string | undefined {
  const start = lettersOf(bytes.subarray(0, BEGINNING)).replace(/^\xef\xbb\xbf/, '');
  if (start.startsWith(OLD_OFFICE)) return oldOffice(bytes);
  const known = BEGINNINGS.find(([, begins]) => (typeof begins === 'string' ? start.startsWith(begins) : begins.test(start)));
  return known?.[0] ?? ROOTS.get(rootName(start).toLowerCase()) ?? (zip ? archiveKind(zip) : undefined);
}

/** Whether its own program can save it as a readable spreadsheet. */
export const isSpreadsheet = (kind: string): boolean => /\((?:xls|xlsb|ods)\)/.test(kind);

function oldOffice(bytes: Uint8Array): string {
  const letters = lettersOf(bytes);
  const known = OLD_ENTRIES.find(([, entry]) => letters.includes(Array.from(entry).join('\0')));
  return known?.[0] ?? 'Office 97–2003 (xls, doc, ppt)';
}

function archiveKind(zip: Zip): string | undefined {
  const type = typeOf(zip);
  const said = TYPES.find(([, each]) => each.test(type))?.[0];
  return said ?? PARTS.find(([, part]) => zip.names.some((name) => part.test(name)))?.[0];
}

/** The type that the archive names; nothing when that is broken. */
function typeOf(zip: Zip): string {
  try {
    return lettersOf((zip.read('mimetype') ?? new Uint8Array()).subarray(0, BEGINNING));
  } catch (error) {
    if (error instanceof Damaged) return '';
    throw error;
  }
}

/** One letter for each byte. */
function lettersOf(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += BEGINNING) letters += String.fromCharCode(...bytes.subarray(at, at + BEGINNING));
  return letters;
}
