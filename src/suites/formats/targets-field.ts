import { isJsonList, isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { text, wrongType } from '../../base/schema/values.ts';

const name = text({ nonEmpty: true });

/** `targets`, and AgentV's `providers`: names of targets. A target that is defined here is not supported. */
export const targetList: Schema<readonly string[]> = {
  label: 'names of targets',
  jsonSchema: {
    anyOf: [
      { type: 'array', items: { anyOf: [name.jsonSchema, { type: 'object' }] }, minItems: 1 },
      name.jsonSchema,
    ],
  },
  read(value, reader) {
    if (!isJsonList(value)) {
      const only = readTarget(value, reader);
      return only === undefined ? undefined : [only];
    }
    if (value.length === 0) return wrongType(value, reader, { wanted: 'the name of a target' });
    const names = new Set<string>();
    for (const [index, item] of value.entries()) {
      reader.enter(index);
      const read = readTarget(item, reader);
      reader.leave();
      if (read !== undefined) names.add(read);
    }
    return [...names];
  },
};

export const TARGETS_FIELD = {
  schema: targetList,
  doc: 'The targets that run it: it runs with each of them, in the same run.',
} as const;

/** In eval files; AgentV writes `providers` too. */
export const EVAL_TARGETS_FIELD = {
  ...TARGETS_FIELD,
  aliases: { providers: targetList },
  twice: 'error',
} as const;

/** A name, or an object that only has one. */
function readTarget(value: Json, reader: Reader): string | undefined {
  if (typeof value === 'string' && !value.startsWith('file://') && value.trim() !== '') return value;
  const written = isJsonObject(value) ? (ownValue(value, 'name') ?? ownValue(value, 'id')) : undefined;
  if (isJsonObject(value) && typeof written === 'string' && Object.keys(value).length === 1) return written;
  if (isJsonObject(value) || (typeof value === 'string' && value.trim() !== '')) {
    reader.unsupported({
      message: 'a target that is defined in the suite is not supported',
      hint: 'define it in targets.yaml or assay.config.yaml, and give its name here',
    });
    return undefined;
  }
  return wrongType(value, reader, { wanted: 'the name of a target' });
}

type TargetNames = Pick<Test, 'target' | 'targets'>;

/** What a test or a file says about its targets; undefined if it says nothing. */
export function resolveTargets(
  target: string | undefined,
  ...lists: readonly (readonly string[] | undefined)[]
): TargetNames | undefined {
  if (target !== undefined) return { target };
  const names = lists.find((list) => list !== undefined);
  if (names === undefined) return undefined;
  return names.length === 1 ? { target: names[0] } : { targets: names };
}

/** Two places that name targets: one of them would be ignored, and with it a target that should have run. */
export function refuseTwoTargets(value: Json, reader: Reader): void {
  const [first, second] = PLACES.filter((path) => given(parentOf(value, path), path.at(-1)!));
  if (second === undefined || second.join('.') === 'target') return;
  reader.error({
    code: 'given_twice',
    message: `\`${first!.join('.')}\` and \`${second.join('.')}\` cannot be used together`,
    hint: 'keep one of them',
    at: second,
    onKey: true,
  });
}

/** Every test replaces the targets of its file: somebody who reads the file would think that they are tested. */
export function warnAboutUnusedTargets(value: Json, reader: Reader): void {
  const at = PLACES.find((path) => path.at(-1) !== 'target' && given(parentOf(value, path), path.at(-1)!));
  if (at === undefined) return;
  reader.warning({
    code: 'unused_targets',
    message: 'no test runs with these targets: every test names its own',
    hint: 'remove them here, or in the tests',
    at,
    onKey: true,
  });
}

/** `target` beside `execution.target` is a warning. `providers` beside `targets` is reported where they are read. */
const PLACES: readonly (readonly string[])[] = [
  ['execution', 'target'],
  ['target'],
  ['execution', 'targets'],
  ['targets'],
  ['providers'],
];

function parentOf(value: Json, path: readonly string[]): Json {
  if (path.length === 1) return value;
  return (isJsonObject(value) ? ownValue(value, path[0]!) : undefined) ?? null;
}
