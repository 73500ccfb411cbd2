import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../../base/model/json.ts';

/**
 * Replaces `{$ref: '#/assertionTemplates/polite'}` by what it names. One that names nothing in this file is data, such as
 * a part of a JSON Schema; one that names itself stays too.
 */
export function resolveLocalReferences(root: Json): Json {
  return resolve(root, { root, left: MOST_REFERENCES }, []);
}

/** References in references can double with each level. */
const MOST_REFERENCES = 20_000;

interface Document {
  readonly root: Json;
  left: number;
}

function resolve(value: Json, document: Document, chain: readonly string[]): Json {
  if (isJsonList(value)) return value.map((item) => resolve(item, document, chain));
  if (!isJsonObject(value)) return value;
  const reference = ownValue(value, '$ref');
  if (
    typeof reference === 'string' &&
    reference.startsWith('#/') &&
    !chain.includes(reference) &&
    document.left-- > 0
  ) {
    const found = lookUp(document.root, reference);
    if (found !== undefined) return resolve(found, document, [...chain, reference]);
  }
  const resolved: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(resolved, key, resolve(value[key]!, document, chain));
  return resolved;
}

function lookUp(root: Json, reference: string): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of reference.slice(2).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonList(value ?? null)) value = (value as readonly Json[])[Number(key)];
    else if (isJsonObject(value ?? null)) value = ownValue(value as JsonObject, key);
    else return undefined;
  }
  return value;
}
