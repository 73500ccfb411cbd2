import { secretPattern, SHORTEST_SECRET } from './secret-pattern.ts';

/** Replaces secrets in everything that is shown or written. */
export interface Redactor {
  text(text: string): string;
  /** The value with its texts redacted; the same object when nothing had to be. */
  value<T>(value: T): T;
}

export const REPLACEMENT = '[redacted]';
const LOOKS_SECRET =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)|APIKEY/i;

/** Secrets are the values of variables whose names say so and of those that are named, and other values that are known. */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [],
  values: readonly string[] = [],
): Redactor {
  const variables = Object.entries(env).flatMap(([name, value = '']) =>
    LOOKS_SECRET.test(name) || names.includes(name) ? [value] : [],
  );
  return redactorOf([...variables, ...values]);
}

/** For secrets that are known. */
export function redactorOf(known: readonly string[]): Redactor {
  const secrets = [...new Set(known)].filter(({ length }) => length >= SHORTEST_SECRET);
  if (secrets.length === 0) return { text: (text) => text, value: (value) => value };
  // Of two secrets that begin alike the longer one is looked for first.
  const sources = secrets.toSorted((a, b) => b.length - a.length).map(secretPattern);
  const pattern = new RegExp(sources.join('|'), 'g');
  const redactText = (text: string): string => text.replace(pattern, REPLACEMENT);
  const isSuspicious = (value: unknown): boolean => {
    const text = tryPrint(value);
    return text === undefined || text.search(pattern) !== -1;
  };
  return {
    text: redactText,
    value: (value) => (isSuspicious(value) ? redactValue(value, redactText) : value),
  };
}

/** Searching one text is many times cheaper than walking a value; undefined for one that JSON.stringify refuses. */
function tryPrint(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return undefined;
  }
}

function redactValue<T>(value: T, redactText: (text: string) => string): T {
  if (typeof value === 'string') return redactText(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactValue(item, redactText));
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const safeKey = redactText(key);
    const safe = redactValue(item as unknown, redactText);
    changed ||= safeKey !== key || safe !== item;
    return [safeKey, safe] as const;
  });
  return changed ? (Object.fromEntries(entries) as T) : value;
}
