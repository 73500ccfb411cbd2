import type { BuiltInContext } from './built-in-context.ts';
import type { Reporter } from './reporter.ts';

/** The page of a run in one file. It is made of the journal, so it begins when the run has ended. */
export function createReporter({ write, htmlOf }: Pick<BuiltInContext, 'write' | 'htmlOf'>): Reporter {
  return {
    async onRunEnd({ directory }) {
      if (directory === undefined)
        throw new Error('an HTML report shows a run as it was recorded, and this one was not');
      for await (const piece of htmlOf(directory)) await write(piece);
    },
  };
}
