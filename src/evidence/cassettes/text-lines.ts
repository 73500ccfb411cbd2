import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';

/*
 * A text of several lines is a list of lines in a cassette, so that a diff shows which of them changed: `{"$lines": [...]}`. An object that
 * looks like that already is wrapped: `{"$object": {...}}`.
 */

const LINES = '$lines';
const OBJECT = '$object';

export function splitLines(value: Json): Json {
  if (typeof value === 'string') return value.includes('\n') ? { [LINES]: value.split('\n') } : value;
  if (isJsonList(value)) return value.map(splitLines);
  if (!isJsonObject(value)) return value;
  const split = mapFields(value, splitLines);
  return isMarked(value) ? { [OBJECT]: split } : split;
}

/** The other way round. Throws for a mark without its value. */
export function joinLines(value: Json): Json {
  if (isJsonList(value)) return value.map(joinLines);
  if (!isJsonObject(value)) return value;
  if (!isMarked(value)) return mapFields(value, joinLines);
  const { [LINES]: lines, [OBJECT]: object } = value;
  if (isJsonObject(object)) return mapFields(object, joinLines);
  if (isJsonList(lines) && lines.every((line) => typeof line === 'string')) return lines.join('\n');
  throw new Error(`\`${LINES}\` must be a list of lines`);
}

function isMarked(value: JsonObject): boolean {
  const [key, second] = Object.keys(value);
  return second === undefined && (key === LINES || key === OBJECT);
}

function mapFields(object: JsonObject, change: (value: Json) => Json): JsonObject {
  const changed: Record<string, Json> = {};
  for (const key of Object.keys(object)) setOwn(changed, key, change(object[key]!));
  return changed;
}
