import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { EvaluatorScore } from '../../base/model/page-data.ts';
import type { AssertionRecord } from '../../base/model/record.ts';

/** A run has many rows: what a list can filter by is bounded. */
const MOST = 40;
const LONGEST = 200;
const DEEPEST = 4;

/** Each evaluator once: of several with one name, the one that says the worst. */
export function evaluatorScores(assertions: readonly AssertionRecord[]): readonly EvaluatorScore[] {
  const byName = new Map<string, EvaluatorScore>();
  for (const { form, name, kind, score, passed } of assertions) {
    if (form !== 'evaluator') continue;
    const known = byName.get(name);
    if (known === undefined && byName.size === MOST) continue;
    if (known !== undefined && badness(known) >= badness({ name, score, passed })) continue;
    byName.set(name, {
      name: name.slice(0, LONGEST),
      ...(kind === name ? {} : { kind }),
      ...(score === undefined ? {} : { score }),
      ...(passed === undefined ? {} : { passed }),
    });
  }
  return [...byName.values()];
}

/** Failed is worse than not measured, and that is worse than any score that passed. */
function badness({ score = 0, passed }: EvaluatorScore): number {
  return passed === false ? 3 - score : passed === undefined ? 1.5 : 1 - score;
}

/** The texts, numbers and flags in the metadata of a test, each with its path. */
export function metadataFields(
  metadata: JsonObject | undefined,
): readonly (readonly [path: string, value: string])[] | undefined {
  if (!isJsonObject(metadata)) return undefined;
  const fields: (readonly [string, string])[] = [];
  addFields(metadata, [], fields);
  return fields.length === 0 ? undefined : fields;
}

function addFields(value: Json, path: readonly string[], fields: (readonly [string, string])[]): void {
  if (fields.length >= MOST) return;
  if (isJsonObject(value) || Array.isArray(value)) {
    if (path.length >= DEEPEST) return;
    // The values of a list have the path of the list.
    if (Array.isArray(value)) for (const one of value) addFields(one as Json, path, fields);
    else for (const [key, one] of Object.entries(value)) addFields(one, [...path, key], fields);
    return;
  }
  if (value === null) return;
  fields.push([path.join('.').slice(0, LONGEST), String(value).slice(0, LONGEST)]);
}
