import { testKey } from '../../src/base/model/test-key.ts';
import type { FlakyTest } from '../../src/base/model/page-data.ts';
import type { Columns } from '../table/column.ts';
import { Grid } from '../table/grid.tsx';
import { Headline } from '../headline/headline.tsx';
import { Command } from '../parts/command.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { Empty, LoadNotice } from '../parts/trouble.tsx';
import { go, linkTo } from '../route/route.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { formatCount, formatPercent, formatTime, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** Tests that both passed and failed in one run. */
export function FlakyPage() {
  const source = useSource();
  const loaded = useLoaded((signal) => source.flaky(signal), [source]);
  const tests = loaded.value ?? [];
  return (
    <PageFrame title="Flaky tests" heading="Flaky tests">
      {tests.length > 0 && <Headline outcome="flaky" sentence={flakyHeadline(tests)} />}
      <LoadNotice {...loaded} />
      {loaded.value?.length === 0 && (
        <Empty title="No flaky tests found.">
          <p>Flaky tests show up only with repeats. Run each test several times:</p>
          <Command line="assay run --repeats 5" />
        </Empty>
      )}
      {tests.length > 0 && (
        <Grid
          label="Flaky tests"
          name="flaky"
          columns={flakyColumns(tests)}
          rowHeight={{ usual: 48, phone: 120 }}
          rows={tests}
          keyOf={testKey}
          onOpen={(test) => go(linkOf(test))}
        />
      )}
    </PageFrame>
  );
}

/** `tests`: the most flaky first. */
function flakyHeadline(tests: readonly FlakyTest[]): string {
  const worst = tests[0]!;
  const where = `${formatCount(worst.flaky_runs)} of ${plural(worst.runs, 'run')}`;
  return `${plural(tests.length, 'flaky test')}; above all ${worst.test}, in ${where}`;
}

function linkOf({ file, test, target }: FlakyTest): string {
  return linkTo(['history'], { file, test, target });
}

function flakyColumns(tests: readonly FlakyTest[]): Columns<FlakyTest> {
  return [
    {
      name: 'test',
      title: 'Test',
      width: 'minmax(12rem, 2fr)',
      phone: { order: 0, isWide: true },
      cell: (test) => (
        <span class="two-lines">
          <a class="name" href={linkOf(test)} tabIndex={-1}>
            <Text value={test.test} />
          </a>
          <span class="dim">
            <Text value={test.file} />
          </span>
        </span>
      ),
    },
    {
      name: 'failure',
      title: 'Last failure',
      width: 'minmax(10rem, 3fr)',
      phone: { order: 1, isWide: true },
      cell: ({ last_failure: failure }) =>
        failure !== undefined && (
          <span class="two-lines">
            {failure.problem !== undefined && (
              <span>
                <Text value={failure.problem} />
              </span>
            )}
            <span class="dim">
              <a href={linkTo(['runs', failure.run_id])} tabIndex={-1}>
                {formatTime(failure.started_at)}
              </a>
            </span>
          </span>
        ),
    },
    tests.some(({ target }) => target !== tests[0]!.target) && {
      name: 'agent',
      title: 'Agent',
      width: 'minmax(4rem, 9rem)',
      from: 900,
      phone: { order: 2, isWide: true },
      cell: ({ target }) => <Text value={target} />,
    },
    {
      name: 'flaky-runs',
      title: 'Flaky in',
      width: '7.5rem',
      phone: { order: 3 },
      cell: ({ flaky_runs, runs }) => (
        <>
          {formatCount(flaky_runs)} of {plural(runs, 'run')}
        </>
      ),
    },
    {
      name: 'share',
      title: 'Attempts that passed',
      width: '11rem',
      phone: { order: 4 },
      cell: ({ passed, measured }) => (
        <>
          <span class="rate-number">{formatPercent(measured === 0 ? undefined : passed / measured)}</span>
          <span class="dim">
            {formatCount(passed)} of {formatCount(measured)}
          </span>
        </>
      ),
    },
  ];
}
