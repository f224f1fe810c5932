// The kinds of files to which a quiz can be written, by their names in the menus. export.ts, which is loaded when one is chosen, writes
// them.

/** Endings of the files, with the names of the formats. */
export const FILE_KINDS = { json: 'JSON', csv: 'CSV', xlsx: 'Excel (xlsx)', gift: 'GIFT', aiken: 'Aiken' } as const;

/** One of them. */
export type FileKind = keyof typeof FILE_KINDS;

/** All of them with their names. */
export const EACH_KIND = Object.entries(FILE_KINDS) as [FileKind, string][];

/** The media type of a spreadsheet. */
export const XLSX_MIME = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
