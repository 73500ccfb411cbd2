/** Replaces secrets in everything that is shown or written. */
export interface Redactor {
  text(text: string): string;
  /** The value with its texts redacted; the same object when nothing had to be. */
  value<T>(value: T): T;
}

const REPLACEMENT = '[redacted]';
/** A shorter value would be found in ordinary text. */
const SHORTEST = 8;
const LOOKS_SECRET =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)|APIKEY/i;

/** Secrets are the values of variables whose names say so, and of those that are named. */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [],
): Redactor {
  return redactorOf(
    Object.entries(env).flatMap(([name, value = '']) =>
      LOOKS_SECRET.test(name) || names.includes(name) ? [value] : [],
    ),
  );
}

/** For secrets that are known. */
export function redactorOf(known: readonly string[]): Redactor {
  const secrets = known.filter((secret) => secret.length >= SHORTEST);
  if (secrets.length === 0) return { text: (text) => text, value: (value) => value };
  const forms = [...new Set(secrets.flatMap(spellings))].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escapePattern).join('|'), 'g');
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

/** Plain, as part of a URL, and in base64 wherever in a longer text it begins. */
function spellings(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64Forms(secret)];
}

/** Three bytes are four characters: what a text becomes depends on where it begins. The ends depend on neighbours, and are cut. */
function base64Forms(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((shift) => {
    const padded = new Uint8Array(shift + bytes.length);
    padded.set(bytes, shift);
    const encoded = btoa(String.fromCharCode(...padded)).replace(/=+$/, '');
    const core = encoded.slice(
      shift === 0 ? 0 : shift + 1,
      padded.length % 3 === 0 ? encoded.length : encoded.length - 1,
    );
    return core.length < SHORTEST ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
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

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
