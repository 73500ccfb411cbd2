import type { CalendarDay } from './read-date.ts';

/**
 * A reader of dates in a format of YYYY or YY, MMMM, MMM, MM or M, DD or D, and (read, not compared) HH, mm and ss;
 * any other character stands for itself. Undefined if the format does not name a year, a month and a day, each
 * once.
 */
export function compileDateFormat(format: string): ((text: string) => CalendarDay | undefined) | undefined {
  const seen: string[] = [];
  let source = '';
  for (const [part] of format.matchAll(TOKEN)) {
    const token = TOKENS.get(part);
    if (token === undefined) source += part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
    else {
      source += token.part === undefined ? token.pattern : `(?<${token.part}>${token.pattern})`;
      if (token.part !== undefined) seen.push(token.part);
    }
  }
  if (seen.toSorted().join(' ') !== 'day month year') return undefined;
  const pattern = new RegExp(`^${source}$`, 'iu');
  return (text) => readParts(pattern.exec(text)?.groups);
}

const TOKEN = /YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|mm|ss|[^]/gu;

interface Token {
  readonly part?: keyof CalendarDay;
  readonly pattern: string;
}

const TOKENS: ReadonlyMap<string, Token> = new Map<string, Token>([
  ['YYYY', { part: 'year', pattern: String.raw`\d{4}` }],
  ['YY', { part: 'year', pattern: String.raw`\d{2}` }],
  ['MMMM', { part: 'month', pattern: '[a-z]+' }],
  ['MMM', { part: 'month', pattern: '[a-z]+' }],
  ['MM', { part: 'month', pattern: String.raw`\d{2}` }],
  ['M', { part: 'month', pattern: String.raw`\d{1,2}` }],
  ['DD', { part: 'day', pattern: String.raw`\d{2}` }],
  ['D', { part: 'day', pattern: String.raw`\d{1,2}` }],
  ['HH', { pattern: String.raw`\d{2}` }],
  ['mm', { pattern: String.raw`\d{2}` }],
  ['ss', { pattern: String.raw`\d{2}` }],
]);

function readParts(parts: Readonly<Record<string, string>> | undefined): CalendarDay | undefined {
  if (parts === undefined) return undefined;
  const { year, month, day } = parts as { year: string; month: string; day: string };
  const monthNumber = /^\d/.test(month) ? Number(month) : MONTHS.get(month.toLowerCase());
  if (monthNumber === undefined) return undefined;
  return {
    year: readYear(year),
    month: monthNumber,
    day: Number(day),
  };
}

/** As POSIX reads two digits: 69 to 99 are the last century. */
export function readYear(digits: string): number {
  const year = Number(digits);
  if (digits.length !== 2) return year;
  return year >= 69 ? 1900 + year : 2000 + year;
}

const NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** English names and their first three letters, and `sept`. */
export const MONTHS: ReadonlyMap<string, number> = new Map([
  ...NAMES.flatMap((name, index) => [[name, index + 1] as const, [name.slice(0, 3), index + 1] as const]),
  ['sept', 9] as const,
]);
