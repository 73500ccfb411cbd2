import { keepHeapSmall } from '../../base/system/small-heap.ts';
import type { BuiltInContext } from './built-in-context.ts';
import type { Reporter } from './reporter.ts';

/** The page of a run in one file. It is built from the journal, so it starts when the run has ended. */
export function createReporter({ write, htmlOf }: Pick<BuiltInContext, 'write' | 'htmlOf'>): Reporter {
  keepHeapSmall();
  return {
    async onRunEnd({ directory }) {
      if (directory === undefined)
        throw new Error('an HTML report needs a recorded run, but this run was not recorded');
      for await (const piece of htmlOf(directory)) await write(piece);
    },
  };
}
