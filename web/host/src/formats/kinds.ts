// The kinds of files that a quiz is written to, by the names in the menus. export.ts writes them; it is loaded when one is
// chosen.

/** Endings of the files, with the names of the formats. */
export const FILE_KINDS = { json: 'JSON', csv: 'CSV', xlsx: 'Excel (xlsx)', gift: 'GIFT', aiken: 'Aiken' } as const;

/** One of them. */
export type FileKind = keyof typeof FILE_KINDS;

/** All of them with their names. */
export const EACH_KIND = Object.entries(FILE_KINDS) as [FileKind, string][];

/** What browsers call a spreadsheet. */
export const XLSX_MIME = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
