import { compileDateFormat, MONTHS, readYear } from './date-format.ts';

/** A day of the calendar, as written: no time zone moves it. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * The day that a text names: by the given formats, in ISO 8601, with the month as a word, or as three numbers. Of
 * those, one above 12 is the day; if none is, the formats say what comes first, and without formats the month does.
 */
export function readDate(text: string, formats: readonly string[]): CalendarDay | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_DATE) return undefined;
  for (const format of formats) {
    const read = compileDateFormat(format)?.(trimmed);
    if (read !== undefined && isReal(read)) return read;
  }
  const plain = withoutClock(trimmed);
  const read = PATTERNS.map((pattern) => readPattern(pattern, plain)).find((day) => day !== undefined);
  const day =
    read ??
    readNumbers(plain, formats) ??
    (formats.length === 0 ? readPattern(SHORT_YEAR, plain) : undefined);
  return day !== undefined && isReal(day) ? day : undefined;
}

/** Whether a text is a date that means one day in America and another one in Europe. */
export function isAmbiguousDate(text: string): boolean {
  if (text.length > LONGEST_DATE) return false;
  const { first, second } = NUMBERS.exec(withoutClock(text.trim()))?.groups ?? {};
  const [one, other] = [Number(first), Number(second)];
  return one <= 12 && other <= 12 && one !== other;
}

export function isSameDay(a: CalendarDay, b: CalendarDay): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day;
}

/** Nobody writes a longer one, and searching a longer text could take forever. */
const LONGEST_DATE = 100;

/** The date alone: without a weekday before it or a time of day after it. */
function withoutClock(text: string): string {
  return text.replace(WEEKDAY, '').replace(CLOCK, '');
}

const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+/i;
const CLOCK =
  /(?:(?<=\d)T\d{2}(?::?\d{2}){0,2}|,?\s+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(?:[ap]m)?\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Year first, with two digits each if nothing separates them; then the three orders with the month as a word. */
const PATTERNS = [
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<year>\d{4})(?<separator>[-/.])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-\s/.]+(?<month>[a-z]+)[-\s/.,]+(?<year>\d{4})$/i,
  /^(?<month>[a-z]+)[-\s/.]+(?<day>\d{1,2})(?:st|nd|rd|th)?[-\s/,]+(?<year>\d{4})$/i,
  /^(?<year>\d{4})[-\s/]+(?<month>[a-z]+)[-\s/]+(?<day>\d{1,2})$/i,
];

const SHORT_YEAR = /^(?<day>\d{1,2})[-\s/]+(?<month>[a-z]+)[-\s/]+(?<year>\d{2})$/i;

const NUMBERS = /^(?<first>\d{1,2})(?<separator>[-/.])(?<second>\d{1,2})\k<separator>(?<year>\d{4}|\d{2})$/;

/** For a year with two digits, only the American order is common enough. */
function readNumbers(text: string, formats: readonly string[]): CalendarDay | undefined {
  const parts = NUMBERS.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const [first, second] = [Number(parts['first']), Number(parts['second'])];
  const order = orderOf(formats) ?? clearOrder(first, second) ?? usualOrder(parts['separator']!, formats);
  const year = readYear(parts['year']!);
  if (order === 'month' && (parts['separator'] === '/' || parts['year']!.length === 4))
    return { year, month: first, day: second };
  return order === 'day' && parts['year']!.length === 4 ? { year, month: second, day: first } : undefined;
}

type First = 'day' | 'month';

/** What formats of three numbers have in common; undefined if they disagree, or none has three numbers. */
function orderOf(formats: readonly string[]): First | undefined {
  const numeric = formats.filter((format) => !format.startsWith('Y') && !format.includes('MMM'));
  const orders = new Set(
    numeric.map((format): First => (format.indexOf('D') < format.indexOf('M') ? 'day' : 'month')),
  );
  return orders.size === 1 ? [...orders][0] : undefined;
}

function clearOrder(first: number, second: number): First | undefined {
  if (first > 12) return 'day';
  return second > 12 || first === second ? 'month' : undefined;
}

/** Without formats the month comes first, except in a date with dots, which is rarely American. */
function usualOrder(separator: string, formats: readonly string[]): First | undefined {
  return formats.length === 0 && separator !== '.' ? 'month' : undefined;
}

function readPattern(pattern: RegExp, text: string): CalendarDay | undefined {
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const month = /^\d/.test(parts['month']!)
    ? Number(parts['month'])
    : MONTHS.get(parts['month']!.toLowerCase());
  return month === undefined
    ? undefined
    : { year: readYear(parts['year']!), month, day: Number(parts['day']) };
}

function isReal({ year, month, day }: CalendarDay): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lengths[month - 1] ?? 0);
}
