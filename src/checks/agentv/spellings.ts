import type { EvaluatorKind } from '../contract/evaluator-kind.ts';
import type { EvaluatorSpelling } from '../contract/evaluator-spelling.ts';
import { createAssertSet } from './assert-set.ts';
import { codeGrader, llmGrader, llmRubric, rubrics } from './judges.ts';
import { skillTrigger, skillUsedHyphened } from './skills.ts';
import { hyphenedTrajectory, toolArgsMatch, toolSequence, toolUsed } from './trajectories.ts';

/** Evaluators that newer AgentV files write with other names and fields. Other names differ only in their hyphens. */
export function agentvSpellings(composite: EvaluatorKind): readonly EvaluatorSpelling[] {
  return [
    llmGrader,
    llmRubric,
    rubrics,
    codeGrader,
    createAssertSet(composite),
    hyphenedTrajectory,
    toolUsed,
    toolSequence,
    toolArgsMatch,
    skillTrigger,
    skillUsedHyphened,
  ];
}
