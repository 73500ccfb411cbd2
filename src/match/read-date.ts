import { compileDateFormat, MONTHS } from './date-format.ts';

/** A day of the calendar, as written: no time zone moves it. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * The day a text names. ISO 8601 is always read, since it can mean one day only; other ways of writing a date by the
 * formats given, or else where the month is a word. `03/04/2025` is nobody's guess: it needs a format.
 */
export function readDate(text: string, formats: readonly string[]): CalendarDay | undefined {
  const trimmed = text.trim();
  for (const format of formats) {
    const read = compileDateFormat(format)?.(trimmed);
    if (read !== undefined && isReal(read)) return read;
  }
  const plain = readPattern(ISO, trimmed) ?? (formats.length === 0 ? readWords(trimmed) : undefined);
  return plain !== undefined && isReal(plain) ? plain : undefined;
}

export function isSameDay(a: CalendarDay, b: CalendarDay): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day;
}

const ISO =
  /^(?<year>\d{4})(?<separator>[-/]?)(?<month>\d{2})\k<separator>(?<day>\d{2})(?:[T ]\d{2}(?::?\d{2}){0,2}(?:[.,]\d+)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const DAY_FIRST = /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-\s/.]+(?<month>[a-z]+)[-\s/.,]+(?<year>\d{4})$/i;
const MONTH_FIRST = /^(?<month>[a-z]+)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/i;

function readWords(text: string): CalendarDay | undefined {
  return readPattern(DAY_FIRST, text) ?? readPattern(MONTH_FIRST, text);
}

function readPattern(pattern: RegExp, text: string): CalendarDay | undefined {
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const month = /^\d/.test(parts['month']!)
    ? Number(parts['month'])
    : MONTHS.get(parts['month']!.toLowerCase());
  return month === undefined ? undefined : { year: Number(parts['year']), month, day: Number(parts['day']) };
}

function isReal({ year, month, day }: CalendarDay): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lengths[month - 1] ?? 0);
}
