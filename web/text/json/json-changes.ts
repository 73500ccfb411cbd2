import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../src/base/model/json.ts';
import { diffSequences } from '../../../src/base/match/diff-sequences.ts';
import { joinPath } from './json-path.ts';
import { jsonText } from './json-text.ts';

/** A changed value, and its path; the path of a whole value is empty. */
export interface JsonChange {
  readonly path: string;
  /** Undefined: it did not exist. */
  readonly before?: Json | undefined;
  /** Undefined: it no longer exists. */
  readonly after?: Json | undefined;
}

/** Lists longer than this are compared item by item, without looking for what was moved. */
const MAX_ALIGNED = 2000;

/**
 * The differences between two values. Objects and lists are entered; an item that was put into a list does not change the
 * ones behind it. A matcher (`{ $gte: 5 }`) is one value.
 */
export function jsonChanges(before: Json, after: Json, path = ''): readonly JsonChange[] {
  if (isJsonObject(before) && isJsonObject(after) && !isMatcher(before))
    return objectChanges(before, after, path);
  if (isJsonList(before) && isJsonList(after)) return listChanges(before, after, path);
  return jsonText(before) === jsonText(after) ? [] : [{ path, before, after }];
}

function objectChanges(before: JsonObject, after: JsonObject, path: string): readonly JsonChange[] {
  const changes: JsonChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    const young = Object.hasOwn(after, key) ? after[key] : undefined;
    changes.push(...changesAt(old, young, joinPath(path, key)));
  }
  return changes;
}

function changesAt(before: Json | undefined, after: Json | undefined, path: string): readonly JsonChange[] {
  if (before === undefined || after === undefined) return [{ path, before, after }];
  return jsonChanges(before, after, path);
}

function listChanges(before: readonly Json[], after: readonly Json[], path: string): readonly JsonChange[] {
  const changes: JsonChange[] = [];
  const pair = (old: readonly number[], young: readonly number[]): void => {
    for (let index = 0; index < Math.max(old.length, young.length); index++) {
      const [from, to] = [old[index], young[index]];
      changes.push(
        ...changesAt(
          from === undefined ? undefined : before[from],
          to === undefined ? undefined : after[to],
          joinPath(path, to ?? from!),
        ),
      );
    }
  };
  if (Math.max(before.length, after.length) > MAX_ALIGNED) {
    pair([...before.keys()], [...after.keys()]);
    return changes;
  }
  const texts = (list: readonly Json[]): readonly string[] => list.map((item) => jsonText(item));
  let [at, to] = [0, 0];
  let old: number[] = [];
  let young: number[] = [];
  for (const { kind, items } of diffSequences(texts(before), texts(after))) {
    if (kind === 'same') {
      pair(old, young);
      [old, young] = [[], []];
      at += items.length;
      to += items.length;
    } else {
      for (const _ of items) (kind === 'removed' ? old : young).push(kind === 'removed' ? at++ : to++);
    }
  }
  pair(old, young);
  return changes;
}

function isMatcher(value: JsonObject): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}
