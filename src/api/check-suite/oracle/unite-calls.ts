import { jsonEqual } from '../../../base/match/json-equal.ts';
import { jsonMatches } from '../../../base/match/json-matches.ts';
import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { RequiredCall } from '../../../base/model/reply-requirements.ts';

/** One call that is both; undefined if there is none. */
export function unite(a: RequiredCall, b: RequiredCall): RequiredCall | undefined {
  if (a.tool !== b.tool) return undefined;
  if (a.input === undefined) return { ...a, ...b };
  if (b.input === undefined) return { ...b, ...a };
  const input = jsonEqual(a.input, b.input) ? a.input : (matchingInput(a, b) ?? uniteInputs(a, b));
  return input === undefined ? undefined : { ...a, ...freedom(a, b), input };
}

/** Matchers accept more than the one input that was made for them. */
function matchingInput(a: RequiredCall, b: RequiredCall): Json | undefined {
  if (b.fits !== undefined && isAccepted(b, a.input!) && a.fits === undefined) return a.input;
  return a.fits !== undefined && isAccepted(a, b.input!) ? b.input : undefined;
}

function isAccepted({ fits, isExact = false }: RequiredCall, input: Json): boolean {
  return jsonMatches(fits!, input, { partial: !isExact });
}

/** Both leave this open. */
function freedom(a: RequiredCall, b: RequiredCall): Pick<RequiredCall, 'isExact' | 'isDeep' | 'isMost'> {
  const isMost = a.isMost === true && b.isMost === true;
  return {
    // If one input is a minimum and the other a maximum, the maximum is used.
    isExact: !isMost && (isClosed(a) || isClosed(b)),
    isDeep: a.isDeep === true && b.isDeep === true,
    isMost,
  };
}

function uniteInputs(a: RequiredCall, b: RequiredCall): Json | undefined {
  if (!isJsonObject(a.input) || !isJsonObject(b.input)) return undefined;
  if (isClosed(b) && !isClosed(a)) return uniteInputs(b, a);
  if (a.isExact === true && b.isExact === true) return undefined;
  if (a.isMost === true && b.isExact === true) return uniteInputs(b, a);
  if (b.isMost === true) return within(a.input, b.input, { isMost: a.isMost === true });
  return isClosed(a) ? covering(a, b.input, b.isDeep === true) : merged(a, b);
}

function isClosed({ isExact = false, isMost = false }: RequiredCall): boolean {
  return isExact || isMost;
}

/** Two inputs, the second being a maximum: the shared part, or all of the first. */
function within(
  input: JsonObject,
  most: JsonObject,
  { isMost }: { readonly isMost: boolean },
): JsonObject | undefined {
  const shared = Object.keys(input).filter((key) => {
    const allowed = ownValue(most, key);
    return allowed !== undefined && jsonEqual(allowed, input[key]!);
  });
  if (!isMost) return shared.length === Object.keys(input).length ? input : undefined;
  const kept: Record<string, Json> = {};
  for (const key of shared) setOwn(kept, key, input[key]!);
  return kept;
}

/** The closed input, if the other is a part of it. */
function covering(closed: RequiredCall, part: JsonObject, isDeep: boolean): Json | undefined {
  const whole = closed.input as JsonObject;
  return jsonEqual(mergeObjects(whole, part, isDeep) ?? null, whole) ? whole : undefined;
}

function merged(a: RequiredCall, b: RequiredCall): Json | undefined {
  return mergeObjects(b.input as JsonObject, a.input as JsonObject, a.isDeep === true || b.isDeep === true);
}

/** Both objects merged; undefined where they disagree. */
function mergeObjects(a: JsonObject, b: JsonObject, isDeep: boolean): JsonObject | undefined {
  const both: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(b), ...Object.keys(a)])) {
    const [one, other] = [ownValue(a, key), ownValue(b, key)];
    const value = one === undefined || other === undefined ? (one ?? other) : mergeValues(one, other, isDeep);
    if (value === undefined) return undefined;
    setOwn(both, key, value);
  }
  return both;
}

function mergeValues(a: Json, b: Json, isDeep: boolean): Json | undefined {
  if (jsonEqual(a, b)) return a;
  if (!isDeep) return undefined;
  if (isJsonObject(a) && isJsonObject(b)) return mergeObjects(a, b, true);
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return undefined;
  const items = a.map((item: Json, index) => mergeValues(item, b[index] as Json, true));
  return items.every((item) => item !== undefined) ? items : undefined;
}
