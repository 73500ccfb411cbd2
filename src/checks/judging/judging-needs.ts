import type { CheckNeeds } from '../contract/check-needs.ts';
import type { JudgingParameters } from './judge-evidence.ts';
import { templateOf } from './prompt-template.ts';
import { promptFile } from './resolve-prompt.ts';

/** The judge, and where its prompt comes from. */
export function judgingNeeds({ prompt, target }: JudgingParameters): CheckNeeds {
  const judges = [target];
  if (typeof prompt === 'object' && 'script' in prompt)
    return { judges, programs: [{ script: prompt.script }] };
  const file = prompt === undefined ? undefined : promptFile(templateOf(prompt));
  return { judges, files: file === undefined ? [] : [file] };
}
