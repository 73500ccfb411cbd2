import type { RunRow } from '../../src/base/model/page-data.ts';
import { RateRange } from '../parts/rate-range.tsx';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import { linkTo } from '../route/route.ts';
import { RunOrigin } from '../run/run-origin.tsx';
import { runLabel, runName } from '../run/run-name.ts';
import { Text } from '../text/text.tsx';

/** Two runs, one above the other: the bars and the ranges share one scale. */
export function ComparedRuns({
  before,
  after,
}: {
  readonly before: RunRow | undefined;
  readonly after: RunRow | undefined;
}) {
  return (
    <dl class="compared">
      <Side name="Before" run={before} />
      <Side name="After" run={after} />
    </dl>
  );
}

function Side({ name, run }: { readonly name: string; readonly run: RunRow | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      {run !== undefined && (
        <dd>
          <a href={linkTo(['runs', run.run_id])}>{runLabel(run)}</a>
          <span class="dim cut compared-name">
            <Text value={runName(run)} /> · <Text value={run.targets.join(', ')} />
            {run.git_revision !== undefined && (
              <>
                {' '}
                · <RunOrigin run={run} />
              </>
            )}
          </span>
          <VerdictBar counts={run.summary} />
          <VerdictCounts counts={run.summary} />
          <RateRange rate={run.pass_rate} />
        </dd>
      )}
    </div>
  );
}
