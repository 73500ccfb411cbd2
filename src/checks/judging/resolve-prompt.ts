import type { JsonObject } from '../../base/model/json.ts';
import { lastPrinted } from '../../base/model/last-printed.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import { hasVariables } from './fill-template.ts';
import { JudgingProblem } from './judging-problem.ts';
import { templateOf, type AuthoredPrompt } from './prompt-template.ts';

/** A program that prints the prompt. */
export interface PromptScript {
  readonly script: readonly string[];
  readonly config?: JsonObject;
  /** It expects what newer AgentV releases give it. */
  readonly stdin?: 'agentv';
}

export interface PromptText {
  readonly text: string;
  /** It may contain variables. A script that got texts with braces in them has printed a finished prompt. */
  readonly isTemplate: boolean;
  /** Printed by a script, which may have put the answer into it. */
  readonly isPrinted: boolean;
  /** It is in a file of its own. */
  readonly isFile: boolean;
  /** The variables of the test, if it has any. */
  readonly vars?: JsonObject | undefined;
}

interface Payload {
  /** What a script gets on stdin. */
  readonly stdin: (config: JsonObject | undefined) => string;
  /** Whether anything in it looks like a variable. */
  readonly holdsVariables: boolean;
}

/** The author's prompt, given as text, as a file, or as a script that prints it. */
export async function resolvePrompt(
  prompt: AuthoredPrompt | PromptScript,
  payload: Payload,
  tools: EvaluationTools,
): Promise<PromptText> {
  if (typeof prompt === 'object' && 'script' in prompt)
    return {
      text: await printedPrompt(prompt, payload, tools),
      isTemplate: !payload.holdsVariables,
      isPrinted: true,
      isFile: false,
    };
  const template = templateOf(prompt);
  return {
    text: await readTemplate(template, tools),
    isTemplate: true,
    isPrinted: false,
    isFile: promptFile(template) !== undefined,
    vars: typeof prompt === 'object' ? prompt.vars : undefined,
  };
}

/** A prompt as text, or the text of the file that it names. */
export async function readTemplate(
  prompt: string,
  tools: Pick<EvaluationTools, 'readFile'>,
): Promise<string> {
  const path = promptFile(prompt);
  if (path === undefined) return prompt;
  try {
    return await tools.readFile(path);
  } catch (error) {
    throw new JudgingProblem(
      isProse(path)
        ? `the prompt does not show the judge the answer\nwrite \`rubrics: [${JSON.stringify(path)}]\` instead of \`prompt\`, or put {{candidate_answer}} into the prompt`
        : `the prompt file cannot be read: ${(error as Error).message}`,
    );
  }
}

/** A question or an instruction, and not the path of a file. */
function isProse(text: string): boolean {
  return /[\s?!]/.test(text) && !/\.\w{1,5}$/.test(text);
}

/** The file that a prompt names, if it is not text itself. */
export function promptFile(prompt: string): string | undefined {
  // A text without a variable would show the judge nothing, so it can only be a file name.
  if (prompt.trim().includes('\n') || hasVariables(prompt)) return undefined;
  return prompt.trim().replace(/^file:\/\//, '');
}

async function printedPrompt(
  { script, config }: PromptScript,
  { stdin }: Payload,
  tools: EvaluationTools,
): Promise<string> {
  const result = await tools.runScript({ script, stdin: stdin(config) }).catch((error: Error) => {
    throw new JudgingProblem(`the prompt script could not run: ${error.message}`);
  });
  if (result.exitCode !== 0)
    throw new JudgingProblem(
      `the prompt script ended with ${result.signal ?? `code ${result.exitCode}`}${lastPrinted(result)}`,
    );
  if (result.stdout.trim() === '')
    throw new JudgingProblem(`the prompt script printed nothing${lastPrinted(result)}`);
  return result.stdout;
}
