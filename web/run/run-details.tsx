import { isJsonObject, type Json } from '../../src/base/model/json.ts';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { GateList } from '../headline/gate-list.tsx';
import { Fact, Facts } from '../parts/fact.tsx';
import { VerdictCounts } from '../parts/verdict-counts.tsx';
import type { RunDetail } from '../source/source.ts';
import { formatDuration, formatPercent, formatTime } from '../text/format.ts';
import { jsonText } from '../text/json/json-text.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { Text } from '../text/text.tsx';
import { RunCost } from './run-cost.tsx';
import { RunOrigin } from './run-origin.tsx';

/** Everything else about a run: gates, numbers, options, and its description as it is stored. */
export function RunDetails({ detail: { run, description } }: { readonly detail: RunDetail }) {
  return (
    <div class="stack gap-3">
      <GateList run={run} />
      {(run.left_out ?? []).map((left) => (
        <p key={left}>
          <Text value={left} />
        </p>
      ))}
      <Facts>
        {run.name !== undefined && (
          <Fact name="Name">
            <Text value={run.name} />
          </Fact>
        )}
        <Fact name="Started">{formatTime(run.started_at)}</Fact>
        <Fact name="Duration">{formatDuration(run.summary.duration_ms)}</Fact>
        <Fact name="Verdicts">
          <VerdictCounts counts={run.summary} />
        </Fact>
        <Tries run={run} />
        {run.latency_ms !== undefined && (
          <Fact name="Latency">
            {formatDuration(run.latency_ms.median)} median, {formatDuration(run.latency_ms.p95)} p95
          </Fact>
        )}
        <Fact name="Cost">
          <RunCost run={run} />
        </Fact>
        {run.git_revision !== undefined && (
          <Fact name="Commit">
            <RunOrigin run={run} />
          </Fact>
        )}
        {run.exit_code !== undefined && <Fact name="Exit code">{run.exit_code}</Fact>}
        {run.merged_from !== undefined && (
          <Fact name="Merged from">
            <Text value={run.merged_from.join(', ')} />
          </Fact>
        )}
        <Fact name="Run">
          <code>
            <Text value={run.run_id} />
          </code>
        </Fact>
        <Options options={description?.['options']} />
      </Facts>
      {description !== undefined && (
        <details class="not-printed">
          <summary class="dim">run.json</summary>
          <JsonView value={description} label="run.json" />
        </details>
      )}
    </div>
  );
}

/** In the words of the terminal. */
function Tries({ run: { summary } }: { readonly run: RunRow }) {
  const one = summary.pass_at_k?.at(-1);
  const all = summary.pass_hat_k?.at(-1);
  if (one === undefined || all === undefined || all.k < 2) return null;
  return (
    <Fact name={`In ${all.k} tries`}>
      at least one passes {formatPercent(one.value)} (pass@{one.k}), all pass {formatPercent(all.value)}{' '}
      (pass^
      {all.k})
    </Fact>
  );
}

/** Those that were given. */
function Options({ options }: { readonly options: Json | undefined }) {
  if (options === undefined || !isJsonObject(options)) return null;
  const given = Object.entries(options).filter(([, value]) => !isEmpty(value));
  return (
    <>
      {given.map(([name, value]) => (
        <Fact key={name} name={name}>
          <code>
            <Text value={typeof value === 'string' ? value : jsonText(value)} />
          </code>
        </Fact>
      ))}
    </>
  );
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
