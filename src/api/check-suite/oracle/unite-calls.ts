import { jsonEqual } from '../../../match/json-equal.ts';
import { isJsonObject, type Json } from '../../../model/json.ts';
import type { WantedCall } from '../../../model/wanted-reply.ts';

/** One call that is both; undefined when there is none. */
export function unite(a: WantedCall, b: WantedCall): WantedCall | undefined {
  if (a.tool !== b.tool) return undefined;
  if (a.input === undefined) return { ...a, ...b };
  if (b.input === undefined || jsonEqual(a.input, b.input))
    return { ...b, ...a, isExact: a.isExact === true || b.isExact === true };
  const input = uniteInputs(a, b);
  return input === undefined ? undefined : { ...a, input, isExact: a.isExact === true || b.isExact === true };
}

function uniteInputs(a: WantedCall, b: WantedCall): Json | undefined {
  if (!isJsonObject(a.input) || !isJsonObject(b.input)) return undefined;
  const [whole, part] = a.isExact === true ? [a.input, b.input] : [b.input, a.input];
  if (a.isExact === true && b.isExact === true) return undefined;
  const isClosed = a.isExact === true || b.isExact === true;
  for (const key of Object.keys(part)) {
    if (Object.hasOwn(whole, key) ? !jsonEqual(whole[key]!, part[key]!) : isClosed) return undefined;
  }
  return { ...part, ...whole };
}
