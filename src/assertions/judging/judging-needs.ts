import { isJsonObject } from '../../model/json.ts';
import type { ScriptRequest } from '../contract/script.ts';
import type { CheckNeeds } from '../contract/check-needs.ts';
import type { JudgingParameters } from './judge-evidence.ts';
import { promptFile } from './resolve-prompt.ts';

/** The judge, and where its prompt comes from. */
export function judgingNeeds({ prompt, target }: JudgingParameters): CheckNeeds {
  const judges = [target];
  if (isJsonObject(prompt))
    return { judges, programs: [{ script: prompt['script'] as ScriptRequest['script'] }] };
  const file = prompt === undefined ? undefined : promptFile(prompt as string);
  return { judges, files: file === undefined ? [] : [file] };
}
