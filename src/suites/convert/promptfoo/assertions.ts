import type { Json, JsonObject } from '../../../base/model/json.ts';
import { fieldOf, given, itemsOf, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { ASSERTION_KINDS, type Made } from './assertion-kinds.ts';
import { ASSERTION_NAMES } from './assertion-names.ts';
import { readValue, type ValueContext } from './assertion-values.ts';
import { codeCheck } from './code-assertion.ts';
import type { CodeChecks } from './code-checks.ts';
import { nameOf, type At, type Report } from './report.ts';
import { formatsIn } from './schema-formats.ts';

export interface AssertionContext extends ValueContext {
  readonly report: Report;
  readonly checks: CodeChecks;
  /** The list of evaluators in the result. */
  readonly at: At;
  /** Whether the test has a threshold: then scores count, else every assertion must pass. */
  readonly isScored: boolean;
  /** The variables of the test, which code gets. */
  readonly varNames: readonly string[];
}

export interface ConvertedAssertions {
  readonly evaluators: readonly JsonObject[];
  /** The types of those that have no counterpart. */
  readonly lost: readonly string[];
  /** Whether some pass with less than the full score, so that `required` decides. */
  readonly hasOwnThresholds: boolean;
}

/** The assertions of a test as evaluators. What has no counterpart is reported. */
export function convertAssertions(
  asserts: readonly ForeignValue[],
  context: AssertionContext,
): ConvertedAssertions {
  const evaluators: JsonObject[] = [];
  const names = new Map<string, number>();
  const lost: string[] = [];
  for (const assertion of asserts) {
    const at = [...context.at, evaluators.length];
    const made = convertAssertion(assertion, { ...context, at });
    if ('why' in made) {
      lost.push(made.type ?? 'without a type');
      const what = typeof made.type === 'string' ? `the assertion ${made.type}` : 'an assertion';
      context.report.lost({ what, why: made.why, from: assertion.path, value: assertion.value }, at);
    } else evaluators.push(withUniqueName(made.evaluator, names));
  }
  const hasOwnThresholds = !context.isScored && evaluators.some((each) => 'required' in each);
  return { evaluators: hasOwnThresholds ? evaluators.map(required) : evaluators, lost, hasOwnThresholds };
}

/** Where one evaluator may pass with less, the others must say that they may not. */
function required(evaluator: JsonObject): JsonObject {
  return 'required' in evaluator || evaluator['weight'] === 0 ? evaluator : { ...evaluator, required: 1 };
}

function withUniqueName(evaluator: JsonObject, names: Map<string, number>): JsonObject {
  const name = evaluator['name'];
  if (typeof name !== 'string') return evaluator;
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  return count === 1 ? evaluator : { ...evaluator, name: `${name}#${count}` };
}

type Converted =
  | { readonly evaluator: JsonObject }
  | { readonly why: string; readonly type?: string | undefined };

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'value',
  'threshold',
  'weight',
  'metric',
  'config',
  'transform',
  'assert',
]);

function convertAssertion(assertion: ForeignValue, context: AssertionContext): Converted {
  const type = textOf(fieldOf(assertion, 'type'));
  if (type === undefined) return { why: 'it has no `type`' };
  const made = type === 'assert-set' ? convertSet(assertion, context) : convertOne(assertion, type, context);
  if ('why' in made) return { ...made, type };
  for (const other of otherFields(assertion, KNOWN_FIELDS))
    context.report.lost(
      {
        what: nameOf(other),
        why: `Assay has no such setting for ${type}`,
        from: other.path,
        value: other.value,
      },
      context.at,
    );
  return withCommonFields(assertion, made.evaluator, context);
}

function withCommonFields(
  assertion: ForeignValue,
  evaluator: JsonObject,
  context: AssertionContext,
): Converted {
  const weight = fieldOf(assertion, 'weight');
  const metric = textOf(fieldOf(assertion, 'metric'));
  const name = metric === undefined || metric === '' ? undefined : context.fill.text(metric);
  if (weight !== undefined && !(typeof weight.value === 'number' && weight.value >= 0))
    return { why: 'its weight is not a number of at least 0' };
  // A set that fails ends the test there, unless the test has a threshold.
  const isDeciding = weight?.value === 0 && evaluator['type'] === 'composite' && !context.isScored;
  if (weight?.value === 0)
    context.report.warn({
      code: 'weight_zero',
      message: isDeciding
        ? '`weight: 0` of a set: promptfoo fails the test if the set fails, so it counts here'
        : '`weight: 0` never changes the verdict; promptfoo shows such an assertion as passed even if it failed, Assay shows how it ended',
      from: weight.path,
      hint: isDeciding ? 'remove `weight`' : 'give it a weight if it should count',
    });
  const { type, ...others } = evaluator;
  return {
    evaluator: given({
      type,
      name: name === undefined || 'why' in name ? undefined : name.text,
      ...others,
      weight: weight === undefined || weight.value === 1 || isDeciding ? undefined : weight.value,
    }),
  };
}

function convertOne(assertion: ForeignValue, type: string, context: AssertionContext): Converted {
  const isNegated = type.startsWith('not-');
  const base = isNegated ? type.slice('not-'.length) : type;
  if (!ASSERTION_NAMES.has(base)) return { why: 'promptfoo has no such type' };
  const transform = fieldOf(assertion, 'transform');
  if (transform !== undefined) return { why: 'the transform of a single assertion has no counterpart' };
  const isCode = base === 'javascript' || base === 'python';
  const config = fieldOf(assertion, 'config');
  if (config !== undefined && !isCode)
    context.report.lost(
      { what: 'config', why: `${type} takes none`, from: config.path, value: config.value },
      context.at,
    );
  if (isCode) return turned(codeCheck(assertion, base, context), isNegated);
  const read = readValue(assertion, context);
  if ('why' in read) return read;
  const threshold = fieldOf(assertion, 'threshold')?.value;
  const made = ASSERTION_KINDS[base]!({
    value: read.value,
    threshold: typeof threshold === 'number' ? threshold : undefined,
  });
  if (base === 'is-json') reportFormats(assertion, read.value, context);
  return turned(context.isScored ? withoutRequired(made) : made, isNegated);
}

/** Where scores count, no single evaluator decides. */
function withoutRequired(made: Made): Made {
  if ('why' in made) return made;
  const { required: _required, ...evaluator } = made.evaluator;
  return { ...made, evaluator };
}

function reportFormats(
  assertion: ForeignValue,
  schema: Json | undefined,
  { report, at }: AssertionContext,
): void {
  for (const format of new Set(formatsIn(schema ?? null)))
    report.lost(
      {
        what: `format: ${format}`,
        why: 'Assay does not check formats of a schema: use `pattern`',
        from: assertion.path,
      },
      at,
    );
}

function turned(made: Made, isNegated: boolean): Converted {
  if ('why' in made || !isNegated) return made;
  const { evaluator, negated } = made;
  if (negated === undefined) return { evaluator: { ...evaluator, negate: true } };
  return 'why' in negated ? { why: String(negated['why']) } : { evaluator: negated };
}

/** A set passes if all of it passes, or if its score reaches its threshold. */
function convertSet(set: ForeignValue, context: AssertionContext): Converted {
  const threshold = fieldOf(set, 'threshold')?.value;
  const hasThreshold = typeof threshold === 'number';
  const { evaluators, lost } = convertAssertions(itemsOf(fieldOf(set, 'assert')), {
    ...context,
    at: [...context.at, 'evaluators'],
    isScored: context.isScored || hasThreshold,
  });
  const config = fieldOf(set, 'config');
  if (config !== undefined)
    context.report.lost(
      {
        what: 'config of an assert-set',
        why: 'promptfoo does not pass it on either',
        from: config.path,
        value: config.value,
      },
      context.at,
    );
  if (evaluators.length === 0) return { why: 'none of its assertions is converted' };
  if (lost.length > 0 && (hasThreshold || context.isScored))
    return { why: 'its score needs all of its assertions, and some are not converted' };
  const named = evaluators.map((each, index) => ({ name: `${index + 1}`, ...each }));
  const weights = Object.fromEntries(
    named
      .filter(({ weight }: JsonObject) => weight !== undefined)
      .map(({ name, weight }: JsonObject) => [name as string, weight!]),
  ) as Record<string, Json>;
  const isWeighted = Object.keys(weights).length > 0;
  return {
    evaluator: given({
      type: 'composite',
      evaluators: (isWeighted ? named : evaluators).map(({ weight: _weight, ...each }: JsonObject) => each),
      aggregator: isWeighted ? { type: 'weighted_average', weights } : undefined,
      required: hasThreshold && !context.isScored ? threshold : undefined,
    }),
  };
}
