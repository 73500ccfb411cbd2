import type { AssertionKinds, EvaluatorKind } from '../schema/assertion-kind.ts';
import { evaluatorList } from '../schema/evaluator-list.ts';
import { expected } from './claims/expected.ts';
import { memoryPath } from './claims/memory-path.ts';
import { outputEquals } from './claims/output-equals.ts';
import { outputIncludes } from './claims/output-includes.ts';
import { outputMatches } from './claims/output-matches.ts';
import { toolsUsed } from './claims/tools-used.ts';
import { codeJudge } from './evaluators/code-judge.ts';
import { createComposite } from './evaluators/composite.ts';
import { fieldAccuracy } from './evaluators/field-accuracy.ts';
import { isJson } from './evaluators/is-json.ts';
import { llmJudge } from './evaluators/llm-judge.ts';
import { match } from './evaluators/match.ts';
import { cost, executionMetrics, latency, tokenUsage } from './evaluators/measures.ts';
import { memory } from './evaluators/memory.ts';
import { regex } from './evaluators/regex.ts';
import { rubric } from './evaluators/rubric.ts';
import { contains, containsAll, containsAny, endsWith, equals, icontains, startsWith } from './evaluators/text-values.ts';
import { toolTrajectory } from './evaluators/tool-trajectory.ts';

/** Every kind of assertion there is. A new one is a new file and one line here. */
export function createAssertionKinds(): AssertionKinds {
  const kinds = new Map<string, EvaluatorKind>();
  const nested = evaluatorList(() => kinds);
  const evaluators: readonly EvaluatorKind[] = [
    contains,
    icontains,
    containsAny,
    containsAll,
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
    memory,
    codeJudge,
    llmJudge,
    rubric,
    createComposite(nested),
  ];
  for (const kind of evaluators) kinds.set(kind.kind, kind);
  return { claims: [outputIncludes, outputMatches, outputEquals, toolsUsed, memoryPath], expected, rubric, evaluators, evaluatorList: nested };
}
