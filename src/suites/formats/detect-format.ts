import { isJsonObject, type Json } from '../../base/model/json.ts';
import { closest, quoteName } from '../../base/schema/did-you-mean.ts';
import type { SchemaProblem } from '../../base/schema/reader.ts';
import { CASE_LISTS } from './eval-file.ts';

export type Detected =
  | { readonly format: 'eval' | 'steps' | 'skill' | 'triggers' }
  | { readonly problem: SchemaProblem };

export const SUPPORTED_FORMATS =
  'a suite is a .jsonl dataset, an eval file (a list under `evalcases`, `tests` or `cases`), or a step test (`steps`, or `input` with `assert`; or a list of such tests)';

/** The format of a document, by its outermost keys. Values below them do not matter. */
export function detectFormat(outline: Json): Detected {
  if (isJsonObject(outline)) return detectObject(Object.keys(outline), outline);
  if (Array.isArray(outline)) {
    if (outline.some((item) => isJsonObject(item) && isStepTest(Object.keys(item))))
      return { format: 'steps' };
    if (outline.some(isTrigger)) return { format: 'triggers' };
    return { problem: unknownFormat('this list contains no tests') };
  }
  return {
    problem: unknownFormat(outline === null ? 'the file is empty' : 'the file does not contain an object'),
  };
}

function detectObject(keys: readonly string[], outline: { readonly [key: string]: Json }): Detected {
  const caseLists = CASE_LISTS.filter((name) => keys.includes(name));
  if (caseLists.some((name) => Array.isArray(outline[name]) || typeof outline[name] === 'string'))
    return { format: 'eval' };
  // A file of newer AgentV whose tests are scenarios: an eval file says what is not supported.
  if (caseLists.length === 0 && Array.isArray(outline['scenarios'])) return { format: 'eval' };
  if (isSkillEvals(keys, outline)) return { format: 'skill' };
  if (isStepTest(keys)) return { format: 'steps' };
  if (caseLists.length > 0) return { format: 'eval' };
  const known = [...CASE_LISTS, 'steps', 'input'];
  for (const key of keys) {
    const meant = closest(key, known);
    if (meant === undefined) continue;
    return {
      problem: {
        ...unknownFormat(
          'there are no tests in this file',
          `did you mean ${quoteName(meant)} instead of ${quoteName(key)}?`,
        ),
        at: [key],
        onKey: true,
      },
    };
  }
  return { problem: unknownFormat('there are no tests in this file') };
}

/** The `evals.json` of an agent skill. */
function isSkillEvals(keys: readonly string[], outline: { readonly [key: string]: Json }): boolean {
  return Array.isArray(outline['evals']) && keys.every((key) => key === 'evals' || key === 'skill_name');
}

/** A list of queries that should trigger a skill, or should not. */
function isTrigger(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, 'query') && Object.hasOwn(item, 'should_trigger');
}

function isStepTest(keys: readonly string[]): boolean {
  return keys.includes('steps') || keys.includes('input');
}

function unknownFormat(message: string, hint?: string): SchemaProblem {
  return {
    code: 'unknown_format',
    message: `${message}: ${SUPPORTED_FORMATS}`,
    ...(hint === undefined ? {} : { hint }),
  };
}
