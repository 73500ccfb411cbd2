import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { runHeadline, type Reasons } from '../../src/base/model/run-headline.ts';
import { CompareChoice } from '../compare/compare-choice.tsx';
import { UnmetGates } from '../headline/gate-list.tsx';
import { Headline } from '../headline/headline.tsx';
import { NextSteps } from '../headline/next-steps.tsx';
import { useSince } from '../headline/use-since.ts';
import { LargeRate } from '../parts/rate-range.tsx';
import { readSetting, writeSetting } from '../parts/settings.ts';
import { VerdictBar } from '../parts/verdict-bar.tsx';
import { useSource } from '../source/source-context.ts';
import type { RunDetail } from '../source/source.ts';
import { formatDuration, formatTime, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';
import { FindingList } from './finding-list.tsx';
import { RunAgain } from './run-again.tsx';
import { RunCost } from './run-cost.tsx';
import { RunDetails } from './run-details.tsx';
import { RunOrigin } from './run-origin.tsx';
import type { Estimate } from './test-row.ts';
import './run-head.css';

type Drawer = 'charts' | 'details' | 'files';
const SETTING = 'assay-drawer';

/** What a run came to: a sentence with its reason, a number, what to do next; everything else is in drawers. */
export function RunHead({
  detail,
  reasons,
  failures,
  charts,
  children,
}: {
  readonly detail: RunDetail;
  readonly reasons: Reasons | undefined;
  /** What the tests that did not pass took. */
  readonly failures: Estimate;
  readonly charts: ComponentChildren;
  /** More buttons. */
  readonly children?: ComponentChildren;
}) {
  const { run, description, live, findings = [] } = detail;
  const source = useSource();
  const since = useSince(run);
  const [drawer, setDrawer] = useDrawer(run, findings.length > 0);
  const { outcome, sentence } = runHeadline(run, { planned: live?.planned, since, reasons });
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const buttons: readonly (readonly [Drawer, string] | false)[] = [
    findings.length > 0 && [
      'files',
      errors > 0 ? `${plural(errors, 'error')} in files` : plural(findings.length, 'warning'),
    ],
    ['charts', 'Charts'],
    ['details', 'Details'],
  ];
  return (
    <section class="run-head" aria-label="Summary">
      <div class="stack gap-1">
        <Headline outcome={outcome} sentence={sentence} />
        {run.damage !== undefined && <Damage messages={run.damage} />}
        <RunFacts run={run} />
        <div class="run-actions">
          <NextSteps run={run} description={description} since={since} hasButton={detail.can_run === true} />
          {source.holds === 'all runs' && <CompareChoice run={run} />}
          {buttons.map(
            (button) =>
              button !== false && (
                <button
                  key={button[0]}
                  type="button"
                  class="quiet"
                  aria-expanded={drawer === button[0]}
                  onClick={() => setDrawer(drawer === button[0] ? undefined : button[0])}
                >
                  {button[1]}
                </button>
              ),
          )}
          {detail.can_run === true && run.summary.failed + run.summary.error > 0 && (
            <RunAgain
              name="Run the failures again"
              runId={run.run_id}
              request={{ what: 'failures' }}
              estimate={failures}
            />
          )}
          {children}
        </div>
      </div>
      <div class="run-rate">
        <LargeRate rate={run.pass_rate} />
        {run.state !== 'running' && <VerdictBar counts={run.summary} />}
      </div>
      {drawer !== undefined && (
        <div class="card run-drawer">
          {drawer === 'charts' && charts}
          {drawer === 'details' && <RunDetails detail={detail} />}
          {drawer === 'files' && <FindingList findings={findings} />}
        </div>
      )}
    </section>
  );
}

/** Charts stay open for the next run. What is wrong in the files is shown at once if it left nothing else. */
function useDrawer(
  run: RunRow,
  hasFindings: boolean,
): readonly [Drawer | undefined, (drawer: Drawer | undefined) => void] {
  const remembered = readSetting(SETTING) === 'charts' ? 'charts' : undefined;
  const isEmpty = hasFindings && run.summary.tests === 0;
  const [drawer, setDrawer] = useState<Drawer | undefined>(isEmpty ? 'files' : remembered);
  return [
    drawer,
    (next) => {
      writeSetting(SETTING, next === 'charts' ? next : undefined);
      setDrawer(next);
    },
  ];
}

/** In one line; the rest is in a drawer. */
function RunFacts({ run }: { readonly run: RunRow }) {
  const { name, targets, summary, left_out = [] } = run;
  return (
    <p class="run-facts dim">
      <UnmetGates run={run} />
      {name !== undefined && <Text value={name} />}
      <span>{formatTime(run.started_at)}</span>
      <span>{formatDuration(summary.duration_ms)}</span>
      <span>{run.cost_usd === undefined ? 'cost unknown' : <RunCost run={run} />}</span>
      {targets.length === 1 && <Text value={targets[0]!} />}
      {left_out.length > 0 && (
        <span class="mark-error">
          <Text value={left_out.join('; ')} />
        </span>
      )}
      {run.git_revision !== undefined && <RunOrigin run={run} />}
    </p>
  );
}

/** Missing results must not be taken for passes. */
function Damage({ messages }: { readonly messages: readonly string[] }) {
  return (
    <ul class="damage" role="alert" aria-label="Damage">
      {messages.map((message) => (
        <li key={message}>
          <Text value={message} />
        </li>
      ))}
    </ul>
  );
}
