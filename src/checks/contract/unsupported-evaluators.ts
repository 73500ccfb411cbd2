/** Evaluators of other tools that Assay does not have: what each needs, and what to write instead. */
export const UNSUPPORTED_EVALUATORS: Readonly<Record<string, string>> = {
  'agent-rubric':
    'a judge that works with tools is not supported; use `llm_judge`, or `code_judge` with a program',
  'trajectory:step-count':
    'steps that are not tool calls are not counted; use `tool_trajectory` with `max_calls`',
  'trajectory:goal-success': 'write the goal as `expected_outcome`, and judge it with `llm_judge`',
  javascript: 'run the code as a program: `code_judge`',
  python: 'run the code as a program: `code_judge`',
  webhook: 'call the address from a program: `code_judge`',
  similar: 'compare meanings with a judge: `llm_judge`',
  pairwise: 'compare two runs with `assay compare`',
  jury: 'ask one judge several times: `llm_judge` with `samples`',
};
