import { AssertionKinds } from './contract/assertion-kinds.ts';
import type { EvaluatorKind } from './contract/evaluator-kind.ts';
import { evaluatorList } from './contract/evaluator-list.ts';
import { EvaluatorNames } from './contract/evaluator-names.ts';
import { agentvSpellings } from './agentv/spellings.ts';
import { approvalsAsked, approvalsAskedExcludes, approvalsAskedIncludes } from './claims/approvals-asked.ts';
import { expected } from './claims/expected.ts';
import { memoryPath } from './claims/memory-path.ts';
import { outputEquals } from './claims/output-equals.ts';
import { outputIncludes } from './claims/output-includes.ts';
import { outputMatches } from './claims/output-matches.ts';
import { outputNotEquals } from './claims/output-not-equals.ts';
import { outputNotIncludes } from './claims/output-not-includes.ts';
import { outputNotMatches } from './claims/output-not-matches.ts';
import { toolsUsedExcludes } from './claims/tools-used-excludes.ts';
import { toolsUsedInOrder } from './claims/tools-used-in-order.ts';
import { toolsUsedIncludes } from './claims/tools-used-includes.ts';
import { toolsUsed } from './claims/tools-used.ts';
import { explainReference, splitReference } from './custom/evaluator-reference.ts';
import { fileEvaluator } from './custom/file-evaluator.ts';
import { codeJudge } from './evaluators/code-judge.ts';
import { createComposite } from './evaluators/composite.ts';
import { containsAll } from './evaluators/contains-all.ts';
import { containsAny } from './evaluators/contains-any.ts';
import { command } from './evaluators/command.ts';
import { contains } from './evaluators/contains.ts';
import { diff } from './evaluators/diff.ts';
import { files } from './evaluators/files.ts';
import { cost } from './evaluators/cost.ts';
import { endsWith } from './evaluators/ends-with.ts';
import { equals } from './evaluators/equals.ts';
import { executionMetrics } from './evaluators/execution-metrics.ts';
import { fieldAccuracy } from './evaluators/field-accuracy.ts';
import { icontains } from './evaluators/icontains.ts';
import { icontainsAll } from './evaluators/icontains-all.ts';
import { icontainsAny } from './evaluators/icontains-any.ts';
import { isJson } from './evaluators/is-json.ts';
import { latency } from './evaluators/latency.ts';
import { llmJudge } from './evaluators/llm-judge.ts';
import { match } from './evaluators/match.ts';
import { memory } from './evaluators/memory.ts';
import { regex } from './evaluators/regex.ts';
import { rubric } from './evaluators/rubric.ts';
import { skillUsed } from './evaluators/skill-used.ts';
import { startsWith } from './evaluators/starts-with.ts';
import { tokenUsage } from './evaluators/token-usage.ts';
import { toolTrajectory } from './evaluators/tool-trajectory.ts';

/** The custom evaluators of a project. */
export interface CustomKinds {
  /** Those that the config of a suite registers. */
  readonly named: readonly EvaluatorKind[];
  /** Built-in evaluators that share their name with a custom one: suites cannot use them. */
  readonly withheld?: ReadonlySet<string> | undefined;
  /** Stands in for an evaluator whose code was not read. */
  readonly unread?: ((type: string) => EvaluatorKind | undefined) | undefined;
  /** Why a type may be unknown. */
  readonly explain?: ((type: string) => string | undefined) | undefined;
  /** One of any config, for what is graded. */
  readonly find?: ((source: string, kind: string) => EvaluatorKind | undefined) | undefined;
}

const NO_CUSTOM_KINDS: CustomKinds = { named: [] };

/** Every kind of assertion. A new one is a new file and one line here. */
export function createAssertionKinds({
  named,
  withheld,
  unread,
  explain,
  find,
}: CustomKinds = NO_CUSTOM_KINDS): AssertionKinds {
  const ofFile = createFileKinds();
  const nested = evaluatorList(() => names);
  const composite = createComposite(nested);
  const evaluators: readonly EvaluatorKind[] = [
    contains,
    icontains,
    containsAny,
    containsAll,
    icontainsAny,
    icontainsAll,
    startsWith,
    endsWith,
    equals,
    regex,
    isJson,
    match,
    toolTrajectory,
    fieldAccuracy,
    latency,
    cost,
    tokenUsage,
    executionMetrics,
    skillUsed,
    memory,
    files,
    diff,
    command,
    codeJudge,
    llmJudge,
    rubric,
    composite,
    ...named,
  ];
  const spellings = agentvSpellings(composite);
  const usable = evaluators.filter(({ kind }) => withheld?.has(kind) !== true);
  const names = new EvaluatorNames(usable, spellings, {
    other: (type) => ofFile(type) ?? unread?.(type),
    explain: (type) => explainReference(type) ?? explain?.(type),
  });
  return new AssertionKinds({
    claims: [
      outputIncludes,
      outputNotIncludes,
      outputMatches,
      outputNotMatches,
      outputEquals,
      outputNotEquals,
      toolsUsed,
      toolsUsedIncludes,
      toolsUsedExcludes,
      toolsUsedInOrder,
      approvalsAsked,
      approvalsAskedIncludes,
      approvalsAskedExcludes,
      memoryPath,
    ],
    expected,
    rubric,
    evaluators,
    spellings,
    evaluatorList: nested,
    evaluatorOf: (type) => names.kindOf(type),
    custom: ({ kind, source }) => (source === undefined ? ofFile(kind) : find?.(source, kind)),
  });
}

/** The most that are kept: each line of a dataset may name its own. */
const MOST_FILE_KINDS = 1000;

/** The kinds that suites name by a file. */
function createFileKinds(): (type: string) => EvaluatorKind | undefined {
  const known = new Map<string, EvaluatorKind>();
  return (type) => {
    let kind = known.get(type);
    if (kind === undefined && splitReference(type) !== undefined) {
      if (known.size >= MOST_FILE_KINDS) known.clear();
      known.set(type, (kind = fileEvaluator(type)));
    }
    return kind;
  };
}
