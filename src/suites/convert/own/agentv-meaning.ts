import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';

const LISTS: ReadonlySet<string> = new Set(['evaluators', 'assertions', 'assert']);

/**
 * An eval file of AgentV with what its evaluators mean there written out: in a result without spellings of AgentV, they would
 * mean something else.
 */
export function withAgentvMeaning(value: Json, kinds: AssertionKinds): Json {
  if (isJsonList(value)) return value.map((item) => withAgentvMeaning(item, kinds));
  if (!isJsonObject(value)) return value;
  const written: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const inner = withAgentvMeaning(value[key]!, kinds);
    if (LISTS.has(key) && isJsonList(inner)) setOwn(written, key, writtenOut(inner, kinds));
    else setOwn(written, key, inner);
  }
  return written;
}

function writtenOut(list: readonly Json[], kinds: AssertionKinds): readonly Json[] {
  const rubrics = list.filter((item) => typeof item === 'string').map((item) => item.trim());
  const first = list.findIndex((item) => typeof item === 'string');
  return list.flatMap((item, index) => {
    if (typeof item === 'string')
      return index === first ? [{ type: 'rubric', rubrics, weight: rubrics.length, share: true }] : [];
    return [isJsonObject(item) ? meant(item, kinds) : item];
  });
}

function meant(evaluator: JsonObject, kinds: AssertionKinds): JsonObject {
  const type = evaluator['type'];
  if (typeof type !== 'string') return evaluator;
  const name = type.replace(/^not-/, '').replaceAll('-', '_');
  const kind = kinds.evaluators.find((each) => each.kind === name);
  const isOther = kinds.spellings.some(({ names }) => names.includes(type.replace(/^not-/, '')));
  if (kind?.inAgentv === undefined || isOther) return evaluator;
  const missing = Object.entries(kind.inAgentv).filter(([key]) => !Object.hasOwn(evaluator, key));
  return { ...evaluator, ...Object.fromEntries(missing) };
}
