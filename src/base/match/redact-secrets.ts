import { redactCut } from './cut-secret.ts';
import { printJson } from '../model/print-json.ts';
import { looksSecret } from './secret-names.ts';
import { secretsInText } from './sent-secrets.ts';
import {
  codedSecretPattern,
  joinLines,
  readCodes,
  secretPattern,
  secretTraces,
  SHORTEST_SECRET,
} from './secret-pattern.ts';

/** Replaces secrets in everything that is shown or written. */
export interface Redactor {
  text(text: string): string;
  /** The value with its texts redacted; the same object if nothing changed. */
  value<T>(value: T): T;
  /**
   * The same, with the JSON that was searched; undefined if something was redacted, or nothing had to be searched.
   */
  printed<T>(value: T): Printed<T>;
  /** The same secrets, each replaced by its own words. */
  marking(markOf: (secret: KnownSecret) => string): Redactor;
}

interface KnownSecret {
  readonly value: string;
  /** The variables that have this value, sorted. */
  readonly names: readonly string[];
}

interface Printed<T> {
  readonly value: T;
  readonly json: string | undefined;
}

export const REPLACEMENT = '[redacted]';

/**
 * Secrets are the values of variables whose names say so, of the variables that are listed, passwords in addresses and
 * connection strings, and other known values.
 */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [],
  values: readonly string[] = [],
): Redactor {
  const variables = Object.entries(env).flatMap(([name, value = '']) =>
    looksSecret(name) || names.includes(name) ? [value] : secretsInText(value),
  );
  return redactorOf([...variables, ...values], env);
}

/** For secrets that are known. */
export function redactorOf(
  known: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Redactor {
  const secrets = [...new Set(known)]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    // Of two secrets that start alike, the longer one is searched first.
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => new Secret(secret));
  if (secrets.length === 0) return NOTHING_SECRET;
  const namesOf = (value: string): readonly string[] =>
    Object.keys(env)
      .filter((name) => env[name] === value)
      .sort();
  return {
    ...replacing(secrets, () => REPLACEMENT),
    marking(markOf) {
      const marks = new Map(
        secrets.map(({ secret: value }) => [value, markOf({ value, names: namesOf(value) })]),
      );
      return { ...replacing(secrets, (secret) => marks.get(secret)!), marking: () => NOTHING_SECRET };
    },
  };
}

function replacing(
  secrets: readonly Secret[],
  replacementOf: (secret: string) => string,
): Omit<Redactor, 'marking'> {
  const text = (shown: string): string => {
    const read = readCodes(shown);
    return secrets.reduce((safe, secret) => secret.redact(safe, read, replacementOf(secret.secret)), shown);
  };
  const printed = <T>(value: T): Printed<T> => {
    const json = printJson(value);
    const read = readCodes(json);
    if (!secrets.some((secret) => secret.isIn(json, read))) return { value, json };
    return { value: redactValue(value, text), json: undefined };
  };
  return { text, value: (value) => printed(value).value, printed };
}

const NOTHING_SECRET: Redactor = {
  text: (text) => text,
  value: (value) => value,
  printed: (value) => ({ value, json: undefined }),
  marking: () => NOTHING_SECRET,
};

const BREAK = /[\r\n\0]|\\[rn]|u0000|x00|%00/;

class Secret {
  readonly secret: string;
  private readonly traces: readonly string[] | undefined;
  private compiled: RegExp | undefined;
  private compiledCoded: RegExp | undefined;

  constructor(secret: string) {
    this.secret = secret;
    this.traces = secretTraces(secret);
  }

  /** `read`: the text with numeric escapes decoded, if there are any. */
  isIn(text: string, read: string | undefined): boolean {
    if (this.mayBeIn(text, read) && text.search(this.pattern(read)) !== -1) return true;
    return redactCut(text, this.secret, '') !== text;
  }

  redact(text: string, read: string | undefined, replacement: string): string {
    const safe = this.mayBeIn(text, read) ? text.replace(this.pattern(read), () => replacement) : text;
    return redactCut(safe, this.secret, replacement);
  }

  private mayBeIn(text: string, read: string | undefined): boolean {
    const { traces } = this;
    if (traces === undefined) return true;
    for (const trace of traces) if (text.includes(trace)) return true;
    if (read !== undefined && traces.some((trace) => read.includes(trace))) return true;
    if (!BREAK.test(text)) return false;
    const joined = joinLines(text);
    return traces.some((trace) => joined.includes(trace));
  }

  /** Created on demand: it takes longer than a test. */
  private pattern(read: string | undefined): RegExp {
    if (read === undefined) return (this.compiled ??= new RegExp(secretPattern(this.secret), 'g'));
    return (this.compiledCoded ??= new RegExp(codedSecretPattern(this.secret), 'g'));
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
