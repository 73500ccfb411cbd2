import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import { groupBy } from '../../../base/model/group-by.ts';
import { printJson } from '../../../base/model/print-json.ts';
import type { ForeignValue } from '../foreign-value.ts';
import { mapTexts } from './map-texts.ts';
import type { PromptShape } from './prompt-shape.ts';
import type { Prompt } from './prompts.ts';
import { lookUp, namesOf, parseTemplate } from './templates.ts';
import type { TestPlan } from './test-plan.ts';
import type { Variables } from './variables.ts';

/** One row of promptfoo: a test with one prompt and one combination of variables. */
export interface Unit {
  readonly plan: TestPlan;
  readonly prompt: Prompt;
  readonly vars: Variables;
  /** The values that tell the combinations of one test apart. */
  readonly combination: string;
  /** The id of its row. */
  readonly rowId?: string | undefined;
}

/** Those with the same prompt, checks and settings, in the order of the first of each. */
export function groupUnits(units: readonly Unit[]): readonly (readonly Unit[])[] {
  return [...groupBy(units, keyOf).values()];
}

/** Those of one test with the same variables: only their prompts differ. */
export function sameButPrompt(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const keyOfTest = ({ plan, vars }: Unit): string =>
    printJson([plan.number, plan.targets ?? null, vars.values]);
  return [...groupBy(units, keyOfTest).values()];
}

function keyOf({ plan, prompt, vars }: Unit): string {
  const {
    threshold = null,
    metadata = {},
    prefix,
    suffix,
    targets = null,
    repeats = null,
    blocked = null,
  } = plan;
  return printJson([
    prompt.label,
    prompt.raw,
    prefix,
    suffix,
    threshold,
    metadata,
    targets,
    repeats,
    blocked,
    plan.test.asserts.map(({ value }) => value),
    Object.keys(vars.values),
  ]);
}

/** Names that mean something else in a row. */
const RESERVED: ReadonlySet<string> = new Set(['id', 'vars']);

export function isPromptGroupable(units: readonly Unit[], shape: PromptShape): boolean {
  const [{ plan, vars, prompt: authored }] = units as readonly [Unit, ...Unit[]];
  const names = Object.keys(vars.values);
  if (plan.blocked !== undefined || vars.unusable.size > 0 || names.some((name) => RESERVED.has(name)))
    return false;
  if (authored.problem !== undefined || !hasDifferentRows(units) || plan.test.asserts.length === 0)
    return false;
  const prompt = 'text' in shape ? [shape.text] : 'messages' in shape ? textsIn(shape.messages) : undefined;
  if (prompt === undefined) return false;
  const checks = textsOfChecks(plan.test.asserts);
  if (checks === undefined) return false;
  return units.every(
    (unit) =>
      prompt.every((text) => isSame(text, unit, { isEmptyFine: true })) &&
      checks.every((text) => isSame(text, unit, { isEmptyFine: false })),
  );
}

/** Two rows with one id are an error. */
function hasDifferentRows(units: readonly Unit[]): boolean {
  const rows = units.map(({ vars, rowId }) => rowId ?? printJson(vars.values));
  return new Set(rows).size === rows.length;
}

/** Whether Assay fills in a template as promptfoo does. */
function isSame(text: string, { vars }: Unit, { isEmptyFine }: { readonly isEmptyFine: boolean }): boolean {
  const template = parseTemplate(text);
  if ('why' in template) return false;
  return namesOf(template).every((name) => {
    const value = lookUp(vars.values, name);
    if (typeof value === 'string') return isEmptyFine || value.trim() !== '';
    // A text that is one variable keeps its type, and only a text can be an input.
    return (typeof value === 'number' || typeof value === 'boolean') && template.parts.length > 1;
  });
}

/** The types whose value stays one text, whatever is filled in. */
const TEXT_TYPES = /^(?:not-)?(?:contains|icontains|starts-with|equals|llm-rubric|model-graded-closedqa)$/;

/** The templates in the checks; undefined if one of them has to be written out. */
function textsOfChecks(asserts: readonly ForeignValue[]): readonly string[] | undefined {
  const texts: string[] = [];
  for (const { value } of asserts) {
    if (!isJsonObject(value)) return undefined;
    const inner = value['assert'];
    if (inner !== undefined) {
      const below = isJsonList(inner)
        ? textsOfChecks(inner.map((each) => ({ value: each, path: [] })))
        : undefined;
      if (below === undefined) return undefined;
      texts.push(...below);
    }
    const own = [...textsIn(value['value'] ?? null), ...textsIn(value['metric'] ?? null)];
    const hasTemplates = own.some((text) => /\{[{%#]/.test(text));
    const isText = TEXT_TYPES.test(String(value['type'])) && !String(value['value']).startsWith('file://');
    if (hasTemplates && !isText) return undefined;
    if (isText) texts.push(...own);
  }
  return texts;
}

function textsIn(value: Json): readonly string[] {
  const texts: string[] = [];
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
