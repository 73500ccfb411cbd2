import { parseFieldPath, valueAtPath } from '../../match/field-path.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { formatPath, type PathSegment } from '../../model/place.ts';
import { didYouMean } from '../../schema/did-you-mean.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, needsOneOf } from '../../schema/refine.ts';
import { warnAboutVacuousCheck } from '../vacuous-check.ts';

/** What the schema of a `tool_trajectory` cannot say: fields that need each other, and claims that ask for nothing. */
export function checkTrajectory(authored: Json, reader: Reader): void {
  needsOneOf(['expected', 'minimums', 'maximums', 'forbidden', 'max_calls'])(authored, reader);
  if (!isJsonObject(authored)) return;
  checkMode(authored, reader);
  checkKeys(authored, reader);
  warnAboutEmptyClaims(authored, reader);
  warnAboutUnusedOptions(authored, reader);
}

function checkMode(authored: JsonObject, reader: Reader): void {
  const { mode } = authored;
  if (given(authored, 'expected') && !given(authored, 'mode')) {
    reader.error({
      code: 'missing_mode',
      message: '`expected` needs a `mode`',
      hint: 'add mode: in_order, or one of exact, any_order, superset, unordered, subset',
    });
  }
  const needsNone = mode === 'any_order' || mode === 'superset';
  if (given(authored, 'mode') && !needsNone && !given(authored, 'expected')) {
    reader.error({ code: 'missing_expected', message: `the mode ${String(mode)} needs \`expected\`` });
  }
}

interface AuthoredCall {
  readonly index: number;
  readonly own: JsonObject;
  readonly args: Json;
}

function authoredCalls({ expected }: JsonObject): readonly AuthoredCall[] {
  return (Array.isArray(expected) ? (expected as readonly JsonObject[]) : []).map((own, index) => ({
    index,
    own,
    args: own['args'] ?? own['input'] ?? 'any',
  }));
}

/**
 * A list of keys that are not in the expected arguments would compare nothing with nothing, and hold. A key of one call must
 * be in its `args`, a key of the whole evaluator in those of one call at least.
 */
function checkKeys(authored: JsonObject, reader: Reader): void {
  const calls = authoredCalls(authored);
  const inheriting: Json[] = [];
  for (const { index, own, args } of calls) {
    if (Array.isArray(own['args_match']))
      checkKeyList(own['args_match'] as readonly string[], {
        reader,
        args: [args],
        at: ['expected', index, 'args_match'],
      });
    else if (!given(own, 'args_match')) inheriting.push(args);
  }
  const { args_match: keys } = authored;
  if (Array.isArray(keys))
    checkKeyList(keys as readonly string[], { reader, args: inheriting, at: ['args_match'] });
}

interface KeyPlace {
  readonly reader: Reader;
  /** The arguments in which the keys can be. */
  readonly args: readonly Json[];
  readonly at: readonly PathSegment[];
}

function checkKeyList(keys: readonly string[], { reader, args, at }: KeyPlace): void {
  for (const [index, key] of keys.entries()) {
    const path = parseFieldPath(key);
    const place = [...at, index];
    if (path === undefined) {
      reader.error({
        code: 'path',
        message: `"${key}" is not a path`,
        hint: 'write it like time.start or items[0].id',
        at: place,
      });
    } else if (!args.some((one) => valueAtPath(one, path) !== undefined)) {
      reader.error({
        code: 'missing_argument',
        message: `the key ${key} is not in \`args\`, so nothing would be compared`,
        hint:
          didYouMean(
            key,
            args.flatMap((one) => pathsIn(one)),
          ) ?? 'add it to `args`, or remove it from `args_match`',
        at: place,
      });
    }
  }
}

function pathsIn(value: Json, path: readonly PathSegment[] = []): readonly string[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const here = [...path, key];
    return [formatPath(here), ...pathsIn(value[key]!, here)];
  });
}

/** What asks for nothing: no calls where others are allowed, no call at least, a list of no tools. */
function warnAboutEmptyClaims(authored: JsonObject, reader: Reader): void {
  const { mode, expected, minimums } = authored;
  const allowsOthers = mode === 'in_order' || mode === 'any_order' || mode === 'superset';
  if (allowsOthers && Array.isArray(expected) && expected.length === 0)
    warnAboutVacuousCheck(authored, reader, {
      why: `\`expected: []\` asks for no call, and \`${mode}\` allows others`,
      hint: 'list the expected calls; for no calls at all write mode: exact',
      at: ['expected'],
    });
  for (const name of ['minimums', 'maximums', 'forbidden']) {
    const claims = authored[name] ?? null;
    if (claims !== null && typeof claims === 'object' && Object.keys(claims).length === 0)
      warnAboutVacuousCheck(authored, reader, { why: `\`${name}\` names no tool`, at: [name] });
  }
  for (const [tool, least] of Object.entries(isJsonObject(minimums) ? minimums : {}))
    if (least === 0)
      warnAboutVacuousCheck(authored, reader, {
        why: `every reply calls ${tool} at least 0 times`,
        hint: 'for no call of it write `forbidden`',
        at: ['minimums', tool],
      });
}

/** Options that change nothing here: their author meant something that is not checked. */
function warnAboutUnusedOptions(authored: JsonObject, reader: Reader): void {
  const { mode, args_match: inherited } = authored;
  const warn = (message: string, hint: string, at: readonly PathSegment[]): void =>
    reader.warning({ code: 'without_effect', message, hint, at, onKey: true });
  const modeText = mode === undefined ? 'without a mode' : `with mode: ${String(mode)}`;
  if (given(authored, 'parallel') && mode !== 'exact' && mode !== 'in_order')
    warn(`\`parallel\` has no effect ${modeText}`, 'write mode: exact or in_order, or remove it', [
      'parallel',
    ]);
  if (authored['counts'] === true && mode !== 'subset')
    warn(`\`counts\` has no effect ${modeText}`, 'write mode: subset, or remove it', ['counts']);
  for (const { index, own, args } of authoredCalls(authored)) {
    const argsMatch = own['args_match'] ?? inherited;
    const isChecked = isJsonObject(args);
    if (isChecked && argsMatch === 'ignore')
      warn('`args` has no effect with args_match: ignore', 'remove one of them', [
        'expected',
        index,
        given(own, 'args') ? 'args' : 'input',
      ]);
    const hasArgs = given(own, 'args') || given(own, 'input');
    if (!hasArgs && given(own, 'args_match') && argsMatch !== 'ignore')
      warn('`args_match` has no effect without `args`', 'add `args`, or remove it', [
        'expected',
        index,
        'args_match',
      ]);
    if (isChecked && isInheritedList(own, inherited) && !hasOneOf(args, inherited as readonly string[]))
      warn('`args` has none of the keys of `args_match`', 'give this call an `args_match` of its own', [
        'expected',
        index,
        given(own, 'args') ? 'args' : 'input',
      ]);
  }
}

function isInheritedList(own: JsonObject, inherited: Json | undefined): boolean {
  return !given(own, 'args_match') && Array.isArray(inherited);
}

function hasOneOf(args: Json, keys: readonly string[]): boolean {
  return keys.some((key) => {
    const path = parseFieldPath(key);
    return path !== undefined && valueAtPath(args, path) !== undefined;
  });
}

export function warnAboutCopiedFields(authored: Json, reader: Reader): void {
  if (given(authored, 'input')) {
    reader.warning({
      code: 'read_as_args',
      message: '`input` is read as `args`',
      hint: 'write `args`',
      at: ['input'],
      onKey: true,
    });
  }
  if (given(authored, 'input') && given(authored, 'args')) {
    reader.error({
      code: 'given_twice',
      message: '`input` and `args` are the same field; give one of them',
      at: ['input'],
      onKey: true,
    });
  }
  if (given(authored, 'output')) {
    reader.warning({
      code: 'not_judged',
      message: '`output` is kept and not judged',
      at: ['output'],
      onKey: true,
    });
  }
}
