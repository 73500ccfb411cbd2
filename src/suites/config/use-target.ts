import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import type { Environment } from '../../agents/llm/create-model.ts';

const VARIABLE = /^\$\{\{\s*(\w+)\s*\}\}$/;

interface UsedTargets {
  readonly targets: readonly Json[];
  /** By position: the position of the target whose fields stand there. */
  readonly usedAt: ReadonlyMap<number, number>;
}

/**
 * AgentV's `use_target` names another target of the file, in words or in a variable. The fields of that target stand in its place.
 * A target whose chain ends nowhere stays as it is, and is an error when it is used.
 */
export function withUsedTargets(targets: readonly Json[], environment: () => Environment): UsedTargets {
  const usedAt = new Map<number, number>();
  const filled = targets.map((target, index) => {
    const seen = new Set([index]);
    for (let used = usedBy(target, environment); used !== undefined;) {
      const at = targets.findIndex((each) => nameOf(each) === used);
      if (at < 0 || seen.has(at)) return target;
      seen.add(at);
      used = usedBy(targets[at]!, environment);
      if (used !== undefined) continue;
      usedAt.set(index, at);
      return { ...(targets[at] as object), name: nameOf(target) } as Json;
    }
    return target;
  });
  return { targets: filled, usedAt };
}

function usedBy(target: Json, environment: () => Environment): string | undefined {
  const written = isJsonObject(target) ? ownValue(target, 'use_target') : undefined;
  if (typeof written !== 'string') return undefined;
  const variable = VARIABLE.exec(written.trim())?.[1];
  return (variable === undefined ? written : (environment()[variable] ?? '')).trim();
}

function nameOf(target: Json): Json {
  return (isJsonObject(target) ? ownValue(target, 'name') : undefined) ?? null;
}
