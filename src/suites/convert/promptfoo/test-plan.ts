import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { fieldOf, itemsOf, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import type { Prompt } from './prompts.ts';
import { mergedFields, optionOf, testField, toObject, type AuthoredTest } from './read-tests.ts';
import { nameOf, type At, type Report } from './report.ts';
import type { Targets } from './targets.ts';

/** What is the same for every prompt and every combination of variables of a test. */
export interface TestPlan {
  readonly test: AuthoredTest;
  /** From 1. */
  readonly number: number;
  readonly description?: string | undefined;
  readonly threshold?: number | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Around every prompt. */
  readonly prefix: string;
  readonly suffix: string;
  readonly prompts: readonly Prompt[];
  /** The targets, if they are not the suite's. */
  readonly targets?: readonly string[] | undefined;
  readonly repeats?: number | undefined;
  /** Why the test would not mean the same; it is skipped. */
  readonly blocked?: string | undefined;
}

export interface PlanContext {
  readonly prompts: readonly Prompt[];
  readonly targets: Targets;
  readonly report: Report;
}

const TEST_FIELDS: ReadonlySet<string> = new Set([
  'description',
  'vars',
  'assert',
  'options',
  'threshold',
  'metadata',
  'provider',
  'providers',
  'prompts',
  'providerOutput',
  'assertScoringFunction',
]);

const OPTION_FIELDS: ReadonlySet<string> = new Set([
  'prefix',
  'suffix',
  'transform',
  'postprocess',
  'transformVars',
  'provider',
  'rubricPrompt',
  'disableVarExpansion',
  'disableDefaultAsserts',
  'storeOutputAs',
  'repeat',
  'runSerially',
]);

/** Reads the settings of a test. `at` is the first case that it becomes. */
export function planTest(
  test: AuthoredTest,
  number: number,
  context: PlanContext & { readonly at: At },
): TestPlan {
  const { report, at } = context;
  const blocked: string[] = [];
  const lose = (field: ForeignValue, why: string, isBlocking: boolean): void => {
    report.lost({ what: nameOf(field), why, from: field.path, value: field.value }, at);
    if (isBlocking) blocked.push(`${nameOf(field)} is not converted`);
  };
  reportUnknownFields(test, report, at);
  const scoring = testField(test, 'assertScoringFunction');
  if (scoring !== undefined)
    lose(scoring, 'Assay has no function that combines scores: use weights and a threshold', true);
  const varsTransform = optionOf(test.layers, 'transformVars');
  if (varsTransform !== undefined) lose(varsTransform, 'write the variables as they should be', true);
  const stored = optionOf(test.layers, 'storeOutputAs');
  if (stored !== undefined)
    lose(stored, 'tests do not see the output of others: write the steps of one test', false);
  const rubricPrompt = optionOf(test.layers, 'rubricPrompt');
  if (rubricPrompt !== undefined)
    lose(rubricPrompt, 'write the prompt of the judge as an `llm_judge` with `prompt`', false);
  const targets = context.targets.ofTest(test, (field, why) => lose(field, why, true));
  const threshold = testField(test, 'threshold');
  if (threshold !== undefined && typeof threshold.value !== 'number')
    lose(threshold, 'it is not a number', true);
  const metadata = toObject(mergedFields(test.layers, 'metadata'));
  const repeat = optionOf(test.layers, 'repeat')?.value;
  return {
    test,
    number,
    description: descriptionOf(test),
    threshold: typeof threshold?.value === 'number' ? threshold.value : undefined,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    prefix: textOf(optionOf(test.layers, 'prefix')) ?? '',
    suffix: textOf(optionOf(test.layers, 'suffix')) ?? '',
    prompts: choosePrompts(test, context),
    targets,
    repeats: typeof repeat === 'number' && Number.isSafeInteger(repeat) && repeat > 1 ? repeat : undefined,
    blocked: blocked[0] ?? (targets === undefined ? context.targets.blocked : undefined),
  };
}

function descriptionOf({ layers }: AuthoredTest): string | undefined {
  const value = fieldOf(layers.at(-1)!, 'description')?.value;
  return value === undefined || typeof value === 'object' || value === '' ? undefined : String(value);
}

/** `asserts` is easily written for `assert`; promptfoo ignores it, and the test passes with score 1. */
function reportUnknownFields({ layers }: AuthoredTest, report: Report, at: At): void {
  for (const layer of layers) {
    for (const other of otherFields(layer, TEST_FIELDS)) {
      const isTypo = /^(?:asserts|assertions?|asert)$/.test(nameOf(other));
      report.lost(
        {
          what: nameOf(other),
          why: isTypo
            ? 'promptfoo ignores it and the test passes unchecked: write `assert`'
            : 'promptfoo has no such field in a test, or Assay has no counterpart',
          from: other.path,
          value: other.value,
        },
        at,
      );
    }
    const options = fieldOf(layer, 'options');
    for (const other of options === undefined ? [] : otherFields(options, OPTION_FIELDS))
      report.lost(
        {
          what: `options.${nameOf(other)}`,
          why: 'Assay has no such setting',
          from: other.path,
          value: other.value,
        },
        at,
      );
  }
}

/** A test may name its prompts. */
function choosePrompts(test: AuthoredTest, { prompts, report }: PlanContext): readonly Prompt[] {
  const field = testField(test, 'prompts');
  const wanted = textsOf(field);
  const chosen = prompts.filter(
    (prompt) =>
      wanted === undefined || wanted.some((name) => prompt.names.includes(name) || prompt.label === name),
  );
  if (chosen.length === 0)
    report.lost(
      { what: 'a test', why: 'no prompt has the name that it asks for', from: field?.path ?? test.from },
      [],
    );
  return chosen;
}

export function textsOf(field: ForeignValue | undefined): readonly string[] | undefined {
  if (field === undefined) return undefined;
  const values: readonly Json[] = isJsonList(field.value)
    ? itemsOf(field).map(({ value }) => value)
    : [field.value];
  return values.map((value) => (isJsonObject(value) ? String(value['id'] ?? value['label']) : String(value)));
}
