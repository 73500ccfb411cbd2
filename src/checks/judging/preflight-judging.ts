import { wrongInFile, type Obstacle, type PreflightTools } from '../contract/preflight.ts';
import { NOTHING_TO_JUDGE, promptProblem } from './build-prompt.ts';
import type { JudgingParameters } from './judge-evidence.ts';
import { JudgingProblem } from './judging-problem.ts';
import { templateOf } from './prompt-template.ts';
import { readTemplate } from './resolve-prompt.ts';

/** Whether there is a judge to call, and something to ask it. */
export async function preflightJudging(
  parameters: JudgingParameters,
  tools: PreflightTools,
): Promise<readonly Obstacle[]> {
  return [...(await tools.findJudge(parameters.target)), ...(await checkPrompt(parameters, tools))];
}

async function checkPrompt(
  { prompt, rubrics, expected_outcome }: JudgingParameters,
  tools: PreflightTools,
): Promise<readonly Obstacle[]> {
  if (prompt === undefined) {
    const isGiven =
      rubrics !== undefined || (expected_outcome ?? tools.test.expected_outcome ?? '').trim() !== '';
    return isGiven ? [] : [wrongInFile('nothing_to_judge', NOTHING_TO_JUDGE)];
  }
  // The output of a script is not known beforehand.
  if (typeof prompt === 'object' && 'script' in prompt) return tools.findProgram({ script: prompt.script });
  try {
    const template = await readTemplate(templateOf(prompt), tools);
    const problem = promptProblem(template, typeof prompt === 'object' ? prompt.vars : undefined);
    return problem === undefined ? [] : [wrongInFile(problem.code, problem.message)];
  } catch (error) {
    if (error instanceof JudgingProblem) return [wrongInFile('prompt_file', error.message)];
    throw error;
  }
}
