// The text that a cell with a number shows: dates, times, shares, money and fractions are numbers with a format. Used by sheets.ts. Pure.

import { format, getFormatFromId, isDateFormat, isPercentFormat } from 'numfmt';

import { child, children } from './elements.ts';

/** A number as its cell shows it. */
export interface Shown {
  readonly text: string;
  /** Whether the text is the number itself, perhaps with a unit or fewer digits; a date or a share is not. */
  readonly isNumber: boolean;
}

/** The format by which each style of a workbook shows numbers. */
export type Formats = readonly string[];

const GENERAL = 'General';

/** Formats with this number or a larger one are defined in the file. */
const FIRST_OWN = 164;

/** The text for short dates in the format of the computer, which no file contains; every country reads this text in the same way. */
const ANYWHERE: Readonly<Record<number, string>> = { 14: 'yyyy-mm-dd', 22: 'yyyy-mm-dd h:mm' };
const EAST_ASIAN_DATES = new Set([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);

/** The days between the first days of the two calendars. */
const FROM_1904 = 1_462;

/** The digits that a spreadsheet keeps of a number. Further digits come from binary fractions. */
const DIGITS = 15;

/** The formats of `cellXfs`, by the index that cells name. */
export function formatsOf(styles: Element | undefined): Formats {
  const own = new Map<number, string>();
  const declared = child(styles, 'numFmts');
  for (const each of declared ? children(declared, 'numFmt') : []) {
    own.set(Number(each.getAttribute('numFmtId')), each.getAttribute('formatCode') ?? GENERAL);
  }
  const cells = child(styles, 'cellXfs');
  return (cells ? children(cells, 'xf') : []).map((xf) => {
    const id = Number(xf.getAttribute('numFmtId') ?? 0);
    return own.get(id) ?? builtIn(id);
  });
}

function builtIn(id: number): string {
  if (EAST_ASIAN_DATES.has(id)) return ANYWHERE[14] ?? GENERAL;
  return ANYWHERE[id] ?? (id < FIRST_OWN ? (getFormatFromId(id) ?? GENERAL) : GENERAL);
}

/** The text shown for a number; null when there is no such format, or the number is no date that it could show. */
export function shownAs(value: number, code: string, isFrom1904: boolean): Shown | null {
  if (/^general$/i.test(code) || code === '@') return { text: plain(value), isNumber: true };
  try {
    const isDate = isDateFormat(code);
    const date = isDate && isFrom1904 ? value + FROM_1904 : value;
    const text = format(code, date, { dateErrorThrows: true }).replace(/\s+/g, ' ').trim();
    return { text, isNumber: !isDate && !isPercentFormat(code) && !/[\d?#]\s*\/\s*[\d?#]/.test(code) };
  } catch {
    return null;
  }
}

/** A date as the format of the file has it in the sheet: days since the end of 1899. */
export function serialOf(date: string, isFrom1904: boolean): number {
  const days = Date.parse(/[zZ]$|T.*[+-]\d/.test(date) ? date : `${date.includes('T') ? date : `${date}T00:00`}Z`) / 86_400_000;
  return days + 25_569 - (isFrom1904 ? FROM_1904 : 0);
}

/** All digits, without an exponent where people write none. */
function plain(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}
