import type { RunCounts } from '../../src/base/model/page-data.ts';
import type { RunDetail } from '../source/source.ts';
import { useNow } from '../parts/use-now.ts';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { formatDuration, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { timeLeft } from './time-left.ts';

const MAX_SHOWN = 8;

/** A run in progress: how far it is, and what runs now. */
export function LivePanel({ detail: { run, live } }: { readonly detail: RunDetail }) {
  const now = useNow(1000);
  const { summary } = run;
  const planned = live?.planned;
  const running = live?.running ?? [];
  return (
    <section class="card stack live" aria-label="Running now">
      <p class="visually-hidden" role="status">
        {milestone(summary, planned)}
      </p>
      <p class="live-line">
        <span class="pulse" aria-hidden="true" />
        {timeLeft(live ?? {}, summary.attempts)}
      </p>
      <VerdictBar counts={summary} planned={planned} />
      {running.length > 0 && (
        <ul class="running">
          {running.slice(0, MAX_SHOWN).map(({ id, test, started_at }) => (
            <li key={id} class="cut">
              <Text value={test} />{' '}
              <span class="dim">{formatDuration(Math.max(1, now - Date.parse(started_at)))}</span>
            </li>
          ))}
          {running.length > MAX_SHOWN && <li class="dim">and {running.length - MAX_SHOWN} more</li>}
        </ul>
      )}
    </section>
  );
}

/** What is announced: every tenth of the way, and every failure. */
function milestone({ attempts, failed }: RunCounts, planned: number | undefined): string {
  const done = planned === undefined ? '' : `${Math.floor((attempts / planned) * 10) * 10}% done, `;
  return `${done}${plural(failed, 'test')} failed`;
}
