import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { UNSUPPORTED_EVALUATORS } from '../../../checks/contract/unsupported-evaluators.ts';
import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';

/**
 * Whether a file, a list of cases or a line of a dataset is written as only AgentV 4 and newer write it. Some evaluators mean
 * something else there.
 */
export function isWrittenForAgentv(document: Json, kinds: AssertionKinds): boolean {
  const names = namesOf(kinds);
  if (isJsonList(document)) return document.some((item) => hasSpelling(item, CASE_FIELDS, names));
  return hasSpelling(document, FILE_FIELDS, names);
}

function hasSpelling(value: Json, fields: ReadonlySet<string>, names: EvaluatorNames): boolean {
  if (!isJsonObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (fields.has(key)) return true;
    const inside = value[key]!;
    if (isJsonList(inside)) {
      if (EVALUATOR_LISTS.has(key) && inside.some((item) => isForeign(item, names))) return true;
      if (inside.some((item) => hasSpelling(item, CASE_FIELDS, names))) return true;
    } else if (NESTED.has(key) && hasSpelling(inside, NO_FIELDS, names)) return true;
  }
  return false;
}

/** A bare text, or a `type` that only differs from ours in its hyphens, or that AgentV alone has. */
function isForeign(evaluator: Json, { own, spelled }: EvaluatorNames): boolean {
  if (typeof evaluator === 'string') return true;
  const type = isJsonObject(evaluator) ? evaluator['type'] : undefined;
  if (typeof type !== 'string' || own.has(type)) return false;
  const plain = type.replace(/^not-/, '');
  return own.has(plain.replaceAll('-', '_')) || spelled.has(plain.replaceAll('_', '-'));
}

interface EvaluatorNames {
  readonly own: ReadonlySet<string>;
  readonly spelled: ReadonlySet<string>;
}

/** Made once: a dataset may have a million lines. */
const known = new WeakMap<AssertionKinds, EvaluatorNames>();

function namesOf(kinds: AssertionKinds): EvaluatorNames {
  let names = known.get(kinds);
  if (names === undefined) {
    names = {
      own: new Set(kinds.evaluators.map(({ kind }) => kind)),
      spelled: new Set([
        ...kinds.spellings.flatMap(({ names: others }) => others),
        ...Object.keys(UNSUPPORTED_EVALUATORS).filter((name) => /[-:]/.test(name)),
      ]),
    };
    known.set(kinds, names);
  }
  return names;
}

const EVALUATOR_LISTS: ReadonlySet<string> = new Set(['evaluators', 'assertions', 'assert']);
const NESTED: ReadonlySet<string> = new Set(['execution', 'default_test']);
const NO_FIELDS: ReadonlySet<string> = new Set();
const CASE_FIELDS: ReadonlySet<string> = new Set([
  'turns',
  'on_turn_failure',
  'input_files',
  'metric',
  'min_score',
]);
/** A dataset's line is a case, and has none of these. */
const FILE_FIELDS: ReadonlySet<string> = new Set([
  ...CASE_FIELDS,
  'prompts',
  'default_test',
  'evaluate_options',
  'providers',
]);
