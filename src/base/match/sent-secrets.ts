import { looksSecret } from './secret-names.ts';
import { urlCredentials } from './url-credentials.ts';

/**
 * The secrets in a text that holds more than one: the password of an address or a connection string, and parameters whose
 * names say that they are keys.
 */
export function secretsInText(text: string): readonly string[] {
  if (!/[=:]/.test(text)) return [];
  const found: string[] = [];
  // Of an address that is not complete too: `jdbc:postgresql://user:password@host/db?x`.
  for (const [address] of text.matchAll(/[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi)) {
    const password = urlCredentials(address)?.password ?? /\/\/[^/?#@:]*:([^/?#@]+)@/.exec(address)?.[1];
    if (password !== undefined) found.push(password, encodeURIComponent(password));
  }
  for (const pattern of [PARAMETER, HEADER])
    for (const [, name, value] of text.matchAll(pattern))
      if (looksSecret(name!) || /^pwd$/i.test(name!))
        found.push(...withDecoded(value!.replaceAll(/^["']|["']$/g, '')));
  return found;
}

/** `?api_key=x&y=z`, `Server=h;Password=x;`, `host=h password=x`, `--api-key=x`. */
const PARAMETER = /([\w.-]+)\s*=\s*(?:(?:Bearer|Basic)\s+)?("[^"]*"|'[^']*'|[^\s;&#"']+)/gi;
/** A text or a quoted word that is a header: `curl -H 'X-Api-Key: x'`. */
const HEADER = /(?:^|["'])([\w-]+):\s*(?:(?:Bearer|Basic)\s+)?([^\s"']+)(?=$|["'])/gi;

function withDecoded(value: string): readonly string[] {
  try {
    return [value, decodeURIComponent(value)];
  } catch {
    return [value];
  }
}

/** Fields of a target that describe what comes back, and other texts that nobody sends. */
const NOT_SENT = new Set(['reply', 'response', 'replies', 'tools', 'prices', 'secrets', 'mcp', 'scripts']);

/**
 * The secrets that a config contains and therefore sends: fields and headers whose names say so, and what its addresses and
 * arguments contain. `read` fills in variables; undefined if one is not set.
 */
export function sentSecrets(config: unknown, read: (text: string) => string | undefined): readonly string[] {
  const found: string[] = [];
  const take = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      const text = read(value);
      if (text === undefined) return;
      found.push(...secretsInText(text));
      // `api_key_env: OPENAI_API_KEY` is a name.
      if (looksSecret(name) && !/env(?:var)?$/i.test(name)) found.push(...partsOf(text));
    } else if (Array.isArray(value)) takeList(value, name);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) if (!NOT_SENT.has(key)) take(item, key);
  };
  // In the arguments of a program, an option stands before its value.
  const takeList = (list: readonly unknown[], name: string): void => {
    for (const [index, item] of list.entries()) {
      const before: unknown = list[index - 1];
      const isOption = typeof before === 'string' && /^--?[a-z][\w-]*$/i.test(before);
      take(item, isOption && typeof item === 'string' ? before : name);
    }
  };
  take(config, '');
  return found;
}

/** A header is quoted without its first word (`Bearer x`), a cookie by its parts, and a user's password is in base64. */
function partsOf(text: string): readonly string[] {
  const words = text.split(/[\s;,]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const [, basic] = /^Basic\s+([\w+/=-]+)$/i.exec(text) ?? [];
  return [text, ...words, ...(basic === undefined ? [] : passwordOf(basic))];
}

function passwordOf(basic: string): readonly string[] {
  try {
    const pair = atob(basic);
    return [pair, pair.slice(pair.indexOf(':') + 1)];
  } catch {
    return [];
  }
}
