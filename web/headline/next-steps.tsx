import type { RunRow } from '../../src/base/model/page-data.ts';
import { Command } from '../parts/command.tsx';
import { linkTo } from '../route/route.ts';
import type { RunDetail } from '../source/source.ts';
import { plural } from '../text/format.ts';
import { nextCommand } from './next-command.ts';

/** What to do about a run: the command that goes on from here, and the way to what is new. */
export function NextSteps({
  run,
  description,
  since,
  hasButton,
}: {
  readonly run: RunRow;
  readonly description: RunDetail['description'];
  /** A button runs the failures again, and shows the command first. */
  readonly hasButton: boolean;
  readonly since?: { readonly runId: string; readonly new_failures: number } | undefined;
}) {
  const next = nextCommand(run, description);
  return (
    <>
      {next !== undefined && !(hasButton && next.isOfFailures === true) && (
        <span class="next-command">
          <span class="label">{next.why}</span>
          <Command line={next.line} />
        </span>
      )}
      {since !== undefined && (
        <a href={linkTo(['compare', since.runId, run.run_id])}>
          {since.new_failures > 0
            ? `See ${plural(since.new_failures, 'new failure')}`
            : 'Compare with the last run'}
        </a>
      )}
    </>
  );
}
