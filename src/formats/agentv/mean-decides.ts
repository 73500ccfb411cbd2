import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import type { EvaluatorKind } from '../../assertions/contract/evaluator-kind.ts';
import type { Assertion } from '../../model/assertion.ts';
import type { Finding } from '../../model/finding.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Test } from '../../model/test.ts';
import { DEFAULT_THRESHOLD, reaches } from '../../model/threshold.ts';
import type { Reader } from '../../schema/reader.ts';

/** In AgentV's own files the mean of the evaluators alone decides, as it does there. A claim that may break unnoticed gets a warning. */
export class AgentvVerdicts {
  private readonly kinds: AssertionKinds;
  private readonly isProject: () => boolean;
  private readonly warned = new Set<string>();
  private names: EvaluatorNames | undefined;
  private known: { readonly document: Json; readonly isAgentv: boolean } | undefined;

  constructor(kinds: AssertionKinds, isProject: () => boolean = () => false) {
    this.kinds = kinds;
    this.isProject = isProject;
  }

  /** `document`: the file, or the line of a dataset, that the test stands in. */
  apply(test: Test, document: Json, reader: Reader): Test {
    const lists = [...test.steps.map((step) => step.assertions), test.assertions];
    if (!lists.some((list) => list.some(isFullClaim)) || !this.isAgentv(document)) return test;
    if (test.threshold === undefined) for (const list of lists) this.warn(list, reader);
    return {
      ...test,
      steps: test.steps.map((step) => ({ ...step, assertions: step.assertions.map(asScore) })),
      assertions: test.assertions.map(asScore),
    };
  }

  private isAgentv(document: Json): boolean {
    if (this.known?.document === document) return this.known.isAgentv;
    this.names ??= namesOf(this.kinds);
    const isAgentv = this.isProject() || hasAgentvSpelling(document, this.names);
    this.known = { document, isAgentv };
    return isAgentv;
  }

  private warn(list: readonly Assertion[], reader: Reader): void {
    const total = list.reduce((sum, { form, weight }) => sum + (form === 'evaluator' ? weight : 0), 0);
    for (const assertion of list.filter(isFullClaim)) {
      const { partialScore } = this.kinds.of(assertion) as EvaluatorKind;
      const lost = (assertion.weight / total) * (1 - partialScore!(assertion.parameters));
      const finding = partialCredit(assertion);
      const key = `${finding.file} ${finding.line} ${finding.column}`;
      if (!reaches(1 - lost, DEFAULT_THRESHOLD) || this.warned.has(key)) continue;
      this.warned.add(key);
      reader.findings.push(finding);
    }
  }
}

function isFullClaim({ needsFullScore }: Assertion): boolean {
  return needsFullScore === true;
}

function asScore(assertion: Assertion): Assertion {
  return isFullClaim(assertion) ? { ...assertion, needsFullScore: undefined } : assertion;
}

function partialCredit({ name, place }: Assertion): Finding {
  return {
    severity: 'warning',
    code: 'partial_credit',
    message: `\`${name}\` may fail in part and the test still passes: in files of AgentV the mean alone decides`,
    hint: 'set `required: 1` to demand all of it, or `partial_credit: true` or a `threshold` if this is meant',
    file: place.file,
    line: place.line,
    column: place.column,
    path: name,
  };
}

interface EvaluatorNames {
  readonly own: ReadonlySet<string>;
  readonly spelled: ReadonlySet<string>;
}

function namesOf(kinds: AssertionKinds): EvaluatorNames {
  return {
    own: new Set(kinds.evaluators.map(({ kind }) => kind)),
    spelled: new Set(kinds.spellings.flatMap(({ names }) => names)),
  };
}

/** Whether a file is written as only AgentV 4 and newer write it. */
function hasAgentvSpelling(document: Json, { own, spelled }: EvaluatorNames): boolean {
  const isForeign = (evaluator: Json): boolean => {
    if (typeof evaluator === 'string') return true;
    const { type } = isJsonObject(evaluator) ? evaluator : {};
    if (typeof type !== 'string' || own.has(type)) return false;
    const plain = type.replace(/^not-/, '');
    return own.has(plain.replaceAll('-', '_')) || spelled.has(plain.replaceAll('_', '-'));
  };
  const isInItem = (item: Json): boolean => isJsonObject(item) && isInside(item, CASE_FIELDS);
  const isInside = (value: JsonObject, foreign: readonly string[]): boolean => {
    for (const key of Object.keys(value)) {
      if (foreign.includes(key)) return true;
      const inside = value[key]!;
      if (isJsonList(inside)) {
        if ((EVALUATOR_LISTS.has(key) && inside.some(isForeign)) || inside.some(isInItem)) return true;
      } else if (NESTED.has(key) && isJsonObject(inside) && isInside(inside, [])) return true;
    }
    return false;
  };
  return isJsonObject(document) && isInside(document, FILE_FIELDS);
}

const EVALUATOR_LISTS: ReadonlySet<string> = new Set(['evaluators', 'assertions', 'assert']);
const NESTED: ReadonlySet<string> = new Set(['execution', 'default_test']);
const CASE_FIELDS = ['turns', 'on_turn_failure', 'input_files', 'metric', 'min_score'];
/** A dataset's line is a case, and has neither of them. */
const FILE_FIELDS = [...CASE_FIELDS, 'prompts', 'default_test', 'evaluate_options'];
