import type { Json } from './json.ts';
import { endOfString } from './json-text.ts';
import { parseJson } from './parse-json.ts';

/** JSON in which no key is there twice: of `{"score":0.1,"score":1}` nobody knows which one is meant. Throws a SyntaxError. */
export function parseStrictJson(text: string): Json {
  const value = parseJson(text);
  refuseDuplicateKeys(text);
  return value;
}

/** Of text that is JSON. */
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
          // Written with escapes it is the same key.
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
