import type { RunRow } from '../../src/base/model/page-data.ts';
import { runHeadline } from '../../src/base/model/run-headline.ts';
import { Sparklines } from '../charts/sparklines.tsx';
import { LargeRate } from '../parts/rate-range.tsx';
import { linkTo } from '../route/route.ts';
import { runName } from '../run/run-name.ts';
import { formatAgo, formatTime } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { Headline } from './headline.tsx';
import './run.css';

/** What the newest run came to, above the list of all of them. */
export function NewestRun({ runs, now }: { readonly runs: readonly RunRow[]; readonly now: number }) {
  const [newest] = runs;
  if (newest === undefined) return null;
  const { outcome, sentence } = runHeadline(newest);
  // The rate of a few tests must not be taken for that of all.
  const isWhole = newest.comparable !== undefined || newest.state === 'running';
  return (
    <section class="newest" aria-label="Newest run">
      <Headline outcome={outcome} sentence={sentence}>
        <p class="next-links">
          <a href={linkTo(['runs', newest.run_id])}>Open the newest run</a>
          <span class="dim">
            <span title={formatTime(newest.started_at)}>{formatAgo(newest.started_at, now)}</span> ·{' '}
            <Text value={[runName(newest), newest.targets.join(', ')].filter(Boolean).join(' · ')} />
          </span>
        </p>
        {(newest.left_out ?? []).map((left) => (
          <p key={left} class="hint">
            <Text value={left} />
          </p>
        ))}
      </Headline>
      <div class="run-rate">
        {isWhole && <LargeRate rate={newest.pass_rate} />}
        {!isWhole && (
          <p class="dim">Not in the trends: this run is not complete, or too little of it was measured.</p>
        )}
        <Sparklines runs={runs} />
      </div>
    </section>
  );
}
