import { isJsonList, type Json, type JsonObject } from '../../../base/model/json.ts';
import { given } from '../foreign-value.ts';
import { escapeBraces } from '../with-vars.ts';
import { convertAssertions, type AssertionContext } from './assertions.ts';
import { fillTemplates, fillValues, type Fill, type FillContext } from './fill.ts';
import { isPromptGroupable, type Unit } from './grouping.ts';
import { jsonText, shapeOf, type PromptShape } from './prompt-shape.ts';
import type { At, Report } from './report.ts';
import type { TestPlan } from './test-plan.ts';
import { mapTexts } from './map-texts.ts';

export interface CaseContext extends Pick<AssertionContext, 'files' | 'checks'> {
  readonly report: Report;
  readonly stored: ReadonlySet<string>;
  /** Whether agents in code get the variables, as their memory. */
  readonly passesVars: boolean;
  /** Whether a transform reads the prompt. */
  readonly passesPrompt: boolean;
}

/** One test of promptfoo as a case, with its values written out. */
export function convertUnit(unit: Unit, id: string, context: CaseContext & { readonly at: At }): JsonObject {
  const { plan, vars } = unit;
  const fill = fillValues(vars, fillContext(unit, context));
  const passed = passedMemory(unit, context, vars.values);
  return given({ id, ...caseBody(unit, fill, context), ...settingsOf(plan, passed) });
}

/** Several tests that differ in their variables only, as one case with rows. */
export function convertGroup(
  units: readonly Unit[],
  id: string,
  context: CaseContext & { readonly at: At },
): JsonObject {
  const [first] = units as readonly [Unit, ...Unit[]];
  const fill = fillTemplates(first.vars, fillContext(first, context));
  const names = Object.keys(first.vars.values);
  const passed = Object.fromEntries(names.map((name) => [name, `{{${name}}}`]));
  return given({
    id,
    each: units.map((unit) => ({
      ...(unit.rowId === undefined ? {} : { id: unit.rowId }),
      ...unit.vars.values,
    })),
    ...caseBody(first, fill, context),
    ...settingsOf(withEscapedMetadata(first.plan, fill), passedMemory(first, context, passed, fill)),
  });
}

/** The same test with several prompts, as one case with a row for each. Undefined if a prompt is not one text. */
export function convertPrompts(
  units: readonly Unit[],
  idOf: (unit: Unit) => string,
  context: CaseContext & { readonly at: At },
): JsonObject | undefined {
  // A row has no prompt of its own in its memory.
  if (context.passesPrompt) return undefined;
  const texts = units.map((unit) => filledText(unit, context));
  if (texts.includes(undefined)) return undefined;
  const each = units.map((unit, index) => ({ id: idOf(unit), prompt: texts[index]! }));
  const { id: _id, input: _input, ...others } = convertUnit(units[0]!, '', context);
  return { id: '{{id}}', each, input: '{{prompt}}', ...(escapeBraces(others) as JsonObject) };
}

function filledText(unit: Unit, context: CaseContext): string | undefined {
  const { plan, prompt, vars } = unit;
  const shape = shapeOf(plan.prefix + prompt.raw + plan.suffix);
  if (prompt.problem !== undefined || plan.test.asserts.length === 0 || !('text' in shape)) return undefined;
  const filled = fillValues(vars, fillContext(unit, context)).text(shape.text);
  return 'why' in filled || filled.text.trim() === '' ? undefined : filled.text;
}

/** In a case with rows, braces of the author's own data are not templates. */
function withEscapedMetadata(plan: TestPlan, fill: Fill): TestPlan {
  return plan.metadata === undefined ? plan : { ...plan, metadata: fill.data(plan.metadata) as JsonObject };
}

function fillContext({ prompt, plan }: Unit, { report, stored }: CaseContext): FillContext {
  return {
    stored,
    onUndefined: (name) =>
      report.warn({
        code: 'undefined_variable',
        message: `no test here defines ${JSON.stringify(name)}: promptfoo writes nothing for it, and so does the result`,
        from: plan.test.from.length === 0 ? prompt.from : plan.test.from,
      }),
  };
}

/** What agents in code get beside the prompt. */
function passedMemory(
  { prompt: { raw, shown } }: Unit,
  { passesVars, passesPrompt }: CaseContext,
  vars: JsonObject,
  fill?: Fill,
): JsonObject | undefined {
  const prompt = { raw, label: shown, template: raw };
  const memory = {
    ...(passesVars && Object.keys(vars).length > 0 ? { vars } : {}),
    ...(passesPrompt ? { prompt: fill === undefined ? prompt : fill.data(prompt) } : {}),
  };
  return Object.keys(memory).length === 0 ? undefined : memory;
}

function settingsOf(
  { metadata, targets, repeats }: TestPlan,
  memory: JsonObject | undefined,
): Readonly<Record<string, Json | undefined>> {
  return {
    execution: targets?.length === 1 ? { target: targets[0]! } : undefined,
    targets: targets !== undefined && targets.length > 1 ? targets : undefined,
    memory,
    repeats,
    metadata,
  };
}

/** The input, the evaluators, and why the case cannot run if it cannot. */
function caseBody(
  { plan, prompt, vars }: Unit,
  fill: Fill,
  context: CaseContext & { readonly at: At },
): Readonly<Record<string, Json | undefined>> {
  const { report, at } = context;
  const raw = plan.prefix + prompt.raw + plan.suffix;
  const filled = prompt.problem === undefined ? fillPrompt(shapeOf(raw), fill) : { why: prompt.problem };
  if ('why' in filled)
    report.lost({ what: 'a prompt', why: filled.why, from: prompt.from, value: raw }, [...at, 'input']);
  const isScored = plan.threshold !== undefined;
  const { evaluators, lost, hasOwnThresholds } = convertAssertions(plan.test.asserts, {
    ...context,
    fill,
    isScored,
    at: [...at, 'evaluators'],
    varNames: Object.keys(vars.values),
  });
  const skip = whySkipped(
    { plan, lost, evaluators, promptProblem: 'why' in filled ? filled.why : undefined },
    report,
  );
  return {
    input: 'why' in filled ? raw : filled.input,
    ...(skip === undefined ? {} : { skip }),
    threshold: hasOwnThresholds ? 0 : plan.threshold,
    evaluators: evaluators.length === 0 ? [{ type: 'llm_judge' }] : evaluators,
  };
}

interface Skipping {
  readonly plan: TestPlan;
  /** The types of those that are not converted. */
  readonly lost: readonly string[];
  readonly evaluators: readonly JsonObject[];
  readonly promptProblem: string | undefined;
}

/** A test that would not mean the same, or that checks nothing, must not end green. */
function whySkipped({ plan, lost, evaluators, promptProblem }: Skipping, report: Report): string | undefined {
  if (promptProblem !== undefined) return `its prompt is not converted: ${promptProblem}`;
  if (plan.blocked !== undefined) return plan.blocked;
  if (lost.length > 0 && (evaluators.length === 0 || plan.threshold !== undefined))
    return evaluators.length === 0
      ? `its checks (${[...new Set(lost)].join(', ')}) are not converted`
      : 'its threshold needs checks that are not converted';
  if (lost.length > 0 && evaluators.every(isSideCondition))
    return `its main check (${[...new Set(lost)].join(', ')}) is not converted, and the rest does not say what a good answer is`;
  const isIdle = evaluators.every(({ weight }) => weight === 0);
  if (!isIdle) return undefined;
  const what =
    evaluators.length === 0 ? 'this test has no assertions' : 'every assertion of this test has weight 0';
  report.warn({
    code: 'nothing_to_check',
    message: `${what}: promptfoo passes it with any answer, so it is skipped here`,
    from: plan.test.from,
    hint: 'add an evaluator to it, and remove `skip`',
  });
  return 'nothing to check yet';
}

/** It says how the answer comes, or what it must not contain, but not what a good answer is. */
function isSideCondition({ type, weight, negate, evaluators }: JsonObject): boolean {
  if (weight === 0 || negate === true || type === 'latency' || type === 'cost') return true;
  return (
    type === 'composite' &&
    isJsonList(evaluators) &&
    (evaluators as readonly JsonObject[]).every(isSideCondition)
  );
}

function fillPrompt(shape: PromptShape, fill: Fill): { readonly input: Json } | { readonly why: string } {
  if ('text' in shape) {
    const filled = fill.text(shape.text);
    return 'why' in filled ? filled : { input: filled.text };
  }
  let why: string | undefined;
  const value = mapTexts('messages' in shape ? shape.messages : shape.json, (text) => {
    const filled = fill.text(text);
    if ('text' in filled) return filled.text;
    why ??= filled.why;
    return text;
  });
  if (why !== undefined) return { why };
  return { input: 'messages' in shape ? value : jsonText(value) };
}

/** Whether rows can stand for these tests: the same prompt, the same checks, and values that mean the same in both tools. */
export function canGroup(units: readonly Unit[]): boolean {
  const { plan, prompt } = units[0]!;
  return units.length > 1 && isPromptGroupable(units, shapeOf(plan.prefix + prompt.raw + plan.suffix));
}
