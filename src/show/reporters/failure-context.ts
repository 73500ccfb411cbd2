import { resolve } from 'node:path';
import type { BuiltInContext } from './built-in-context.ts';
import type { FailureContext } from './failure-text.ts';
import type { RunStart } from './reporter.ts';
import { rerunCommand } from '../../base/model/rerun-command.ts';
import { shellWord } from '../../base/model/shell-word.ts';

type Surroundings = Pick<BuiltInContext, 'colors' | 'excerptAt' | 'program'> &
  Pick<FailureContext, 'isVerbose'>;

/** What the text of a failure needs to know about the run: where its files are, and its options. */
export function failureContext(
  { colors, excerptAt, program, isVerbose }: Surroundings,
  { run_id, cwd, asked }: Pick<RunStart, 'run_id' | 'cwd' | 'asked'>,
): FailureContext {
  return {
    colors,
    isVerbose,
    excerptAt: ({ file, line }) => excerptAt({ file: resolve(cwd, file), line }),
    namesTarget: asked?.has_many_targets,
    // A recording cannot run again: the command would call an agent.
    rerun: (record) =>
      record.source === undefined ? `${program} ${rerunCommand(record, asked)}` : undefined,
    whole: run_id === '' ? undefined : `${program} view ${shellWord(run_id)}`,
  };
}
