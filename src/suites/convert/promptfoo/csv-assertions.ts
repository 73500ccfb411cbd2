import type { JsonObject } from '../../../base/model/json.ts';
import { ASSERTION_NAMES, SCORED_IN_CSV } from './assertion-names.ts';

/** `contains: Paris` in a cell, as an assertion of a test. */
export function parseExpected(cell: string): JsonObject {
  const code = /^(?:javascript|fn|eval):\s*([\s\S]*)$/.exec(cell)?.[1];
  if (code !== undefined) return { type: 'javascript', value: code };
  if (/^file:\/\/.*\.[cm]?[jt]s(?::\w+)?$/.test(cell)) return { type: 'javascript', value: cell };
  if (/^file:\/\/.*\.py(?::\w+)?$/.test(cell)) return { type: 'python', value: cell };
  const rubric = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(cell)?.[1];
  if (rubric !== undefined) return { type: 'llm-rubric', value: rubric };
  const python = /^python:\s*([\s\S]*)$/.exec(cell)?.[1];
  if (python !== undefined) return { type: 'python', value: python };
  const match = /^(not-)?([a-z][a-z:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(cell);
  const base = match?.[2];
  if (match === null || base === undefined || !ASSERTION_NAMES.has(base))
    return { type: 'equals', value: cell };
  const [, not = '', , threshold, value] = match;
  const isList = /^i?contains-(?:any|all)$/.test(base);
  const scored = SCORED_IN_CSV[base];
  return {
    type: not + base,
    ...(value === undefined ? {} : { value: isList ? value : value.trim() }),
    ...(scored === undefined ? {} : { threshold: threshold === undefined ? scored : Number(threshold) }),
  };
}

/** `"a, b",c` is two texts. Undefined if a quote is never closed. */
export function splitValues(text: string): readonly string[] | undefined {
  const values: string[] = [];
  const item = /\s*(?:"((?:\\["\\]|""|[^"])*)"\s*(?=,|$)|([^",][^,]*|))(?:,|$)/y;
  for (let at = 0; at < text.length; at = item.lastIndex) {
    item.lastIndex = at;
    const match = item.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = ''] = match;
    if (quoted !== undefined)
      values.push(quoted.replaceAll(/\\(["\\])|""/g, (_all, character?: string) => character ?? '"'));
    else if (plain.trim() !== '') values.push(plain.trim());
  }
  return values;
}
