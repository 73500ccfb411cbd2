import { resolve } from 'node:path';
import type { BuiltInContext } from './built-in-context.ts';
import type { FailureContext } from './failure-text.ts';
import type { RunStart } from './reporter.ts';
import { rerunCommand } from './rerun-command.ts';

/** What the text of a failure needs to know of the run: where its files are, and how it was asked. */
export function failureContext(
  { colors, excerptAt }: Pick<BuiltInContext, 'colors' | 'excerptAt'>,
  { cwd, asked }: Pick<RunStart, 'cwd' | 'asked'>,
): FailureContext {
  return {
    colors,
    excerptAt: ({ file, line }) => excerptAt({ file: resolve(cwd, file), line }),
    rerun: (record) => rerunCommand(record, asked),
  };
}
