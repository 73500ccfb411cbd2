import { findJson, type FoundJson } from '../../base/match/find-json.ts';
import { compileDateFormat } from '../../base/match/date-format.ts';
import { parseFieldPath, valueAtFieldPath } from '../../base/match/field-path.ts';
import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import type { Json } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import { asData, matchesAbsent } from '../../base/match/matchers/read-matcher.ts';
import { sampleValues } from '../../base/match/matchers/sample-values.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { list } from '../../base/schema/list.ts';
import { complete, object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import { boolean, number, oneOf, text } from '../../base/schema/values.ts';
import { givenContent, replyContent } from '../message-content.ts';
import { unmeasured } from '../unmeasured.ts';
import { withMisses } from '../with-misses.ts';
import { fieldBreaks } from './field-breaks.ts';
import { fieldWeaknesses } from './field-weaknesses.ts';
import { compareField, UnreadableField, type FieldRule } from './compare-field.ts';

const field = refine(
  complete(
    object(
      {
        path: {
          schema: text({ nonEmpty: true }),
          doc: 'The path of the value: `a.b[0].c`.',
          missing: 'missing_path',
        },
        match: {
          schema: oneOf(['exact', 'numeric_tolerance', 'date']),
          doc: 'How to compare it.',
          missing: 'missing_match',
        },
        required: { schema: boolean(), doc: 'An absent value scores 0 (default), or is left out (`false`).' },
        weight: { schema: number({ min: 0 }), doc: 'Default: 1.' },
        tolerance: { schema: number({ min: 0 }), doc: 'For numbers. Default: 0.' },
        relative: { schema: boolean(), doc: 'The tolerance is a share of the expected number.' },
        formats: { schema: list(text({ nonEmpty: true })), doc: 'For dates: their formats.' },
      },
      { what: 'a field' },
    ),
  ),
  checkField,
);

export const fieldAccuracy = defineEvaluator({
  kind: 'field_accuracy',
  doc: 'Compares fields of a structured answer with the expected ones.',
  example: { fields: [{ path: 'total', match: 'exact' }] },
  reads: ['output'],
  fields: {
    fields: {
      schema: list(field, { nonEmpty: true, label: 'list of fields' }),
      doc: 'What to compare.',
      missing: 'missing_fields',
    },
    aggregation: {
      schema: oneOf(['weighted_average', 'all_or_nothing']),
      doc: 'Default: `weighted_average`.',
    },
  },
  partialScore({ fields, aggregation }) {
    const weights = fields.map(({ weight = 1 }) => weight).filter((weight) => weight > 0);
    if (aggregation === 'all_or_nothing' || weights.length === 0) return 0;
    return 1 - Math.min(...weights) / weights.reduce((sum, weight) => sum + weight, 0);
  },
  evaluate: ({ fields, aggregation }, evidence) => {
    return compareFields(fields, evidence, aggregation === 'all_or_nothing');
  },
  oracle({ fields }, { expected_messages }) {
    const expected = expectedJson(expected_messages);
    if (expected === undefined) return { impossible: whyImpossible(fields, undefined) };
    const [value] = sampleValues(expected.value);
    return {
      json: value === undefined ? undefined : { value },
      impossible: whyImpossible(fields, expected.value),
      matcher_breaks: value === undefined ? [] : fieldBreaks(fields, expected.value, value),
    };
  },
  weaknesses: ({ fields }, { expected_messages }) =>
    fieldWeaknesses(fields, expectedJson(expected_messages)?.value),
});

function checkField(_authored: Json, reader: Reader, rule: FieldRule): void {
  const { path, formats = [] } = rule;
  if (parseFieldPath(path) === undefined) {
    reader.error({
      code: 'path',
      message: `"${path}" is not a path`,
      hint: 'write it like a.b[0].c',
      at: ['path'],
    });
  }
  warnAboutUnusedOptions(rule, reader);
  for (const [index, format] of formats.entries()) {
    if (compileDateFormat(format) !== undefined) continue;
    const hint = 'a format is made of YYYY, MM (or M, MMM, MMMM) and DD (or D): DD-MMM-YYYY';
    reader.error({
      code: 'format',
      message: `"${format}" does not name a year, a month and a day`,
      hint,
      at: ['formats', index],
    });
  }
}

/** Options of another kind of comparison. */
function warnAboutUnusedOptions(rule: FieldRule, reader: Reader): void {
  for (const [option, match] of OPTIONS) {
    if (rule[option] === undefined || rule.match === match) continue;
    reader.warning({
      code: 'without_effect',
      message: `\`${option}\` has no effect with match: ${rule.match}`,
      hint: `write match: ${match}, or remove it`,
      at: [option],
      onKey: true,
    });
  }
}

const OPTIONS = [
  ['tolerance', 'numeric_tolerance'],
  ['relative', 'numeric_tolerance'],
  ['formats', 'date'],
] as const;

interface GradedField {
  readonly path: string;
  readonly weight: number;
  /** Undefined: an optional field that is absent, or for which nothing is expected. */
  readonly score: number | undefined;
  readonly note: string;
}

function compareFields(
  rules: readonly FieldRule[],
  evidence: Evidence,
  isAllOrNothing: boolean,
): AssertionOutcome {
  const expected = expectedJson(evidence.expected_messages);
  if (expected === undefined)
    return unmeasured(
      'there is no expected value: no expected message of the assistant has structured content',
    );
  if (rules.every((rule) => isLeftOut(rule, expected.value)))
    return unmeasured(`nothing was checked: ${noneExpected(rules)}`);
  const found = structured(replyContent(evidence));
  const actual = found.kind === 'one' ? found.value : undefined;
  const graded: GradedField[] = [];
  for (const rule of rules) {
    const result = gradeField(rule, expected.value, actual);
    if (typeof result === 'string') return unmeasured(result);
    graded.push(result);
  }
  return summarize(graded, {
    isAllOrNothing,
    problem: describeProblem(found),
    actual: actual ?? replyContent(evidence),
    expected: expected.value,
  });
}

/** The last answer that is JSON: what is expected before and behind it may be words and tool calls. */
function expectedJson(messages: readonly Message[]): { readonly value: Json } | undefined {
  for (const message of messages.filter(({ role }) => role === 'assistant').toReversed()) {
    const content = givenContent(message);
    const found = structured(content);
    if (found.kind === 'one')
      return { value: typeof content === 'string' ? asData(found.value) : found.value };
    // Nobody means an earlier answer by a mistake in the last one.
    if (found.kind !== 'none') return undefined;
  }
  return undefined;
}

/** JSON, if need be out of a text or a code fence. */
function structured(content: Json | undefined): FoundJson {
  if (content === undefined) return { kind: 'none' };
  return typeof content === 'string' ? findJson(content) : { kind: 'one', value: content };
}

function describeProblem(found: FoundJson): string | undefined {
  switch (found.kind) {
    case 'one':
      return undefined;
    case 'several':
      return `the reply contains ${found.count} different JSON values, so it is unclear which one is the answer`;
    case 'broken':
      return 'the reply contains JSON that is invalid or cut off';
    case 'none':
      return 'the reply contains no JSON';
  }
}

function whyImpossible(rules: readonly FieldRule[], expected: Json | undefined): string | undefined {
  const compared = expected === undefined ? rules : rules.filter((rule) => !isLeftOut(rule, expected));
  if (compared.length === 0) return noneExpected(rules);
  return compared.every(({ weight }) => weight === 0) ? 'all its weights are 0' : undefined;
}

/** An optional field for which nothing is expected. Evaluators are shared by tests that expect different fields. */
function isLeftOut({ path, required = true }: FieldRule, expected: Json): boolean {
  return !required && valueAtFieldPath(expected, parseFieldPath(path)!) === undefined;
}

function noneExpected(rules: readonly FieldRule[]): string {
  return `there is no expected value at ${rules.map(({ path }) => path).join(', ')}`;
}

function gradeField(rule: FieldRule, expected: Json, actual: Json | undefined): GradedField | string {
  const { path, weight = 1, required = true } = rule;
  const segments = parseFieldPath(path)!;
  const wanted = valueAtFieldPath(expected, segments);
  if (wanted === undefined) {
    const note = `there is no expected value at ${path}`;
    return required ? note : { path, weight, score: undefined, note };
  }
  const found = actual === undefined ? undefined : valueAtFieldPath(actual, segments);
  if (found === undefined && matchesAbsent(wanted) && actual !== undefined)
    return { path, weight, score: 1, note: `${path} is absent, as expected` };
  if (found === undefined)
    return { path, weight, score: required ? 0 : undefined, note: `${path} is absent` };
  try {
    const { holds, note } = compareField(rule, wanted, found);
    return { path, weight, score: holds ? 1 : 0, note };
  } catch (error) {
    if (error instanceof UnreadableField) return `${path}: ${error.message}`;
    throw error;
  }
}

interface Summary {
  readonly isAllOrNothing: boolean;
  /** Why no JSON could be read. */
  readonly problem: string | undefined;
  readonly actual: Json;
  readonly expected: Json;
}

function summarize(
  graded: readonly GradedField[],
  { isAllOrNothing, problem, actual, expected }: Summary,
): AssertionOutcome {
  const counted = graded.filter(({ score }) => score !== undefined);
  if (counted.length === 0 && problem === undefined)
    return unmeasured('no field could be compared: all expected fields are optional and absent');
  const weights = counted.reduce((sum, { weight }) => sum + weight, 0);
  const reached = counted.reduce((sum, { weight, score }) => sum + weight * score!, 0);
  const mean = weights === 0 ? 0 : reached / weights;
  const right = counted.filter(({ score }) => score === 1);
  const misses = counted.filter(({ score }) => score === 0).map(({ note }) => note);
  return {
    score: isAllOrNothing ? (weights > 0 && reached === weights ? 1 : 0) : mean,
    message: problem ?? withMisses(`${right.length} of ${counted.length} fields are right`, misses),
    expected,
    actual,
    hits: right.map(({ note }) => note),
    misses,
    details: {
      fields: graded.map(({ path, weight, score, note }) => ({
        path,
        weight,
        ...(score === undefined ? { left_out: true } : { score }),
        note,
      })),
    },
  };
}
