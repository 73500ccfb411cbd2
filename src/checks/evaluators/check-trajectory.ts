import { parseFieldPath, valueAtFieldPath } from '../../base/match/field-path.ts';
import { isMatcher } from '../../base/match/matchers/read-matcher.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { formatPath, type PathSegment } from '../../base/model/place.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { needsOneOf } from '../../base/schema/refine.ts';
import { warnAboutVacuousCheck } from '../vacuous-check.ts';
import type { AuthoredCall, AuthoredTrajectory } from './trajectory-fields.ts';

/** What the schema of a `tool_trajectory` cannot say: fields that need each other, and claims that ask for nothing. */
export function checkTrajectory(authored: Json, reader: Reader, trajectory: AuthoredTrajectory): void {
  needsOneOf(['expected', 'minimums', 'maximums', 'forbidden', 'max_calls'])(authored, reader);
  checkMode(trajectory, reader);
  checkKeys(trajectory, reader);
  warnAboutEmptyClaims(authored, reader, trajectory);
  warnAboutUnusedOptions(trajectory, reader);
}

function checkMode({ mode, expected }: AuthoredTrajectory, reader: Reader): void {
  if (expected !== undefined && mode === undefined) {
    reader.error({
      code: 'missing_mode',
      message: '`expected` needs a `mode`',
      hint: 'add mode: in_order, or one of exact, any_order, superset, unordered, subset',
    });
  }
  const needsNone = mode === 'any_order' || mode === 'superset';
  if (mode !== undefined && !needsNone && expected === undefined) {
    reader.error({ code: 'missing_expected', message: `the mode ${mode} needs \`expected\`` });
  }
}

/**
 * A list of keys that are not in the expected arguments would compare nothing with nothing, and hold. A key of one call must
 * be in its `args`, a key of the whole evaluator in those of one call at least, and each call with `args` must have one of
 * the keys.
 */
function checkKeys({ expected = [], args_match: inherited }: AuthoredTrajectory, reader: Reader): void {
  const inheriting: Json[] = [];
  for (const [index, call] of expected.entries()) {
    const args = argsOf(call);
    if (call.args_match === undefined) {
      inheriting.push(args);
      if (typeof inherited === 'object' && isJsonObject(args) && !hasOneOf(args, inherited))
        reader.error({
          code: 'missing_argument',
          message: '`args` has none of the keys of `args_match`, so nothing of it would be compared',
          hint: 'add one of them, or give this call its own `args_match`',
          at: ['expected', index, call.args === undefined ? 'input' : 'args'],
          onKey: true,
        });
    } else if (typeof call.args_match !== 'string')
      checkKeyList(call.args_match, { reader, args: [args], at: ['expected', index, 'args_match'] });
  }
  if (inherited !== undefined && typeof inherited !== 'string')
    checkKeyList(inherited, { reader, args: inheriting, at: ['args_match'] });
}

function argsOf({ args, input }: AuthoredCall): Json {
  return args ?? input ?? 'any';
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
    } else if (!args.some((one) => valueAtFieldPath(one, path) !== undefined)) {
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
function warnAboutEmptyClaims(authored: Json, reader: Reader, trajectory: AuthoredTrajectory): void {
  const { mode, expected, minimums = {}, maximums = {}, forbidden = [], max_calls } = trajectory;
  // Beside limits, an empty list is the mode without its calls.
  const hasLimits =
    max_calls !== undefined ||
    [minimums, maximums, forbidden].some((claims) => Object.keys(claims).length > 0);
  const allowsOthers = mode === 'in_order' || mode === 'any_order' || mode === 'superset';
  if (allowsOthers && expected?.length === 0 && !hasLimits)
    warnAboutVacuousCheck(authored, reader, {
      why: `\`expected: []\` asks for no call, and \`${mode}\` allows others`,
      hint: 'list the expected calls; for no calls at all write mode: exact',
      at: ['expected'],
    });
  for (const name of ['minimums', 'maximums', 'forbidden'] as const) {
    const claims = trajectory[name];
    if (claims !== undefined && Object.keys(claims).length === 0)
      warnAboutVacuousCheck(authored, reader, { why: `\`${name}\` has no tool name`, at: [name] });
  }
  for (const [tool, least] of Object.entries(minimums))
    if (least === 0)
      warnAboutVacuousCheck(authored, reader, {
        why: `every reply calls ${tool} at least 0 times`,
        hint: 'for no call of it write `forbidden`',
        at: ['minimums', tool],
      });
}

/** Options that change nothing here: their author meant something that is not checked. */
function warnAboutUnusedOptions(trajectory: AuthoredTrajectory, reader: Reader): void {
  const { mode, parallel, counts, expected = [], args_match: inherited } = trajectory;
  const warn = (message: string, hint: string, at: readonly PathSegment[]): void =>
    reader.warning({ code: 'without_effect', message, hint, at, onKey: true });
  const modeText = mode === undefined ? 'without a mode' : `with mode: ${mode}`;
  if (parallel !== undefined && mode !== 'exact' && mode !== 'in_order')
    warn(`\`parallel\` has no effect ${modeText}`, 'write mode: exact or in_order, or remove it', [
      'parallel',
    ]);
  if (counts === true && mode !== 'subset')
    warn(`\`counts\` has no effect ${modeText}`, 'write mode: subset, or remove it', ['counts']);
  for (const [index, call] of expected.entries()) {
    const args = argsOf(call);
    const argsMatch = call.args_match ?? inherited;
    const isChecked = isJsonObject(args);
    const argsAt = ['expected', index, call.args === undefined ? 'input' : 'args'];
    if (isChecked && argsMatch === 'ignore')
      warn('`args` has no effect with args_match: ignore', 'remove one of them', argsAt);
    if (isMatcher(args) && call.args_match !== undefined && argsMatch !== 'ignore')
      warn('`args_match` has no effect where a matcher replaces all arguments', 'remove it', [
        'expected',
        index,
        'args_match',
      ]);
    const hasArgs = call.args !== undefined || call.input !== undefined;
    if (!hasArgs && call.args_match !== undefined && argsMatch !== 'ignore')
      warn('`args_match` has no effect without `args`', 'add `args`, or remove it', [
        'expected',
        index,
        'args_match',
      ]);
  }
}

function hasOneOf(args: Json, keys: readonly string[]): boolean {
  return keys.some((key) => {
    const path = parseFieldPath(key);
    return path !== undefined && valueAtFieldPath(args, path) !== undefined;
  });
}
