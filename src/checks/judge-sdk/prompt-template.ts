import type { PromptTemplateInput } from './judge-types.ts';
import { runScript } from './run-script.ts';

export type PromptTemplateHandler = (input: PromptTemplateInput) => string | Promise<string>;

/** Turns a function that returns a prompt into a script for the `prompt` of an `llm_judge`. */
export function definePromptTemplate(write: PromptTemplateHandler): Promise<void> {
  return runScript(async (input) => {
    const prompt: unknown = await write(input);
    if (typeof prompt !== 'string' || prompt.trim() === '')
      throw new Error(
        `a prompt template must return the text of a prompt, not ${String(prompt) || 'an empty one'}`,
      );
    return prompt;
  });
}
