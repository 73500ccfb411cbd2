import type { Json } from './json.ts';
import { endOfString } from './json-text.ts';
import { parseJson } from './parse-json.ts';

/**
 * JSON without duplicate keys: in `{"score":0.1,"score":1}` it is unclear which one is meant. Throws a SyntaxError.
 */
export function parseStrictJson(text: string): Json {
  const value = parseJson(text);
  refuseDuplicateKeys(text);
  return value;
}

/** For text that is JSON. */
export function refuseDuplicateKeys(text: string): void {
  const key = findDuplicateKey(text);
  if (key === undefined) return;
  throw new DuplicateKeyError(`it has the key ${JSON.stringify(key.slice(0, 80))} twice in one object`);
}

export class DuplicateKeyError extends SyntaxError {}

/** Reads text that is JSON. */
function findDuplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '{':
        open.push(new Set());
        isKey = true;
        break;
      case '[':
        open.push(undefined);
        isKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        isKey = open.at(-1) !== undefined;
        break;
      case '"': {
        const end = endOfString(text, index);
        if (isKey) {
          // A key with escapes is the same key.
          const key = JSON.parse(text.slice(index, end + 1)) as string;
          const keys = open.at(-1)!;
          if (keys.has(key)) return key;
          keys.add(key);
          isKey = false;
        }
        index = end;
      }
    }
  }
  return undefined;
}
