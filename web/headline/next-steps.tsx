import type { RunRow } from '../../src/model/page-data.ts';
import { Command } from '../parts/command.tsx';
import { linkTo } from '../route/route.ts';
import type { RunDetail } from '../source/source.ts';
import { plural } from '../text/format.ts';
import { nextCommand } from './next-command.ts';

/** What to do about a run: the command that goes on from here, and links to what needs a look. */
export function NextSteps({
  run,
  description,
  since,
}: {
  readonly run: RunRow;
  readonly description: RunDetail['description'];
  readonly since?: { readonly runId: string; readonly new_failures: number } | undefined;
}) {
  const next = nextCommand(run, description);
  const { failed, error, flaky } = run.summary;
  const linkOf = (verdict: string): string => linkTo(['runs', run.run_id], { verdict });
  return (
    <div class="next-steps">
      {next !== undefined && (
        <p class="next-command">
          <span class="label">{next.why}</span>
          <Command line={next.line} />
        </p>
      )}
      <p class="next-links">
        {since !== undefined && (
          <a href={linkTo(['compare', since.runId, run.run_id])}>
            {since.new_failures > 0
              ? `See ${plural(since.new_failures, 'new failure')}`
              : 'Compare with the last run'}
          </a>
        )}
        {failed > 0 && <a href={linkOf('failed')}>{plural(failed, 'failure')}</a>}
        {error > 0 && <a href={linkOf('error')}>{plural(error, 'error')}</a>}
        {flaky > 0 && <a href={linkOf('flaky')}>{flaky} flaky</a>}
      </p>
    </div>
  );
}
