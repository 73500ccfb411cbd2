import { Cell } from '../grid/cell.tsx';
import { Grid, type Column } from '../grid/grid.tsx';
import { Headline } from '../headline/headline.tsx';
import { Command } from '../parts/command.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { go, linkTo } from '../route/route.ts';
import { testKey } from '../run/test-row.ts';
import { useSource } from '../source/source-context.ts';
import type { FlakyTest } from '../source/source.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { formatCount, formatPercent, plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';

const COLUMNS: readonly Column[] = [
  { name: 'test', title: 'Test' },
  { name: 'agent', title: 'Agent' },
  { name: 'flaky-runs', title: 'Flaky in' },
  { name: 'share', title: 'Attempts that passed' },
];

/** Tests that both passed and failed in one run. */
export function FlakyPage() {
  const source = useSource();
  const loaded = useLoaded((signal) => source.flaky(signal), [source]);
  const tests =
    loaded.state === 'ready'
      ? loaded.value.toSorted((a, b) => b.flaky_runs / b.runs - a.flaky_runs / a.runs)
      : [];
  return (
    <PageFrame title="Flaky tests" heading="Flaky tests">
      {tests.length > 0 && <Headline outcome="flaky" sentence={flakyHeadline(tests)} />}
      {loaded.state === 'loading' && <Loading />}
      {loaded.state === 'failed' && <Trouble error={loaded.error} />}
      {loaded.state === 'ready' && tests.length === 0 && (
        <Empty title="No flaky tests found.">
          <p>Flaky tests show up only with repeats. Run each test several times:</p>
          <Command line="assay run --repeats 5" />
        </Empty>
      )}
      {tests.length > 0 && (
        <Grid
          label="Flaky tests"
          name="flaky"
          columns={COLUMNS}
          rows={tests}
          keyOf={testKey}
          onOpen={(test) => go(linkOf(test))}
          cells={(test) => <FlakyCells test={test} />}
        />
      )}
    </PageFrame>
  );
}

/** `tests`: the most flaky first. */
function flakyHeadline(tests: readonly FlakyTest[]): string {
  const worst = tests[0]!;
  const lead = `${plural(tests.length, 'test')} passed and failed in one run`;
  return `${lead}; ${worst.test} in ${formatCount(worst.flaky_runs)} of ${plural(worst.runs, 'run')}`;
}

function linkOf({ file, test, target }: FlakyTest): string {
  return linkTo(['history'], { file, test, target });
}

function FlakyCells({ test }: { readonly test: FlakyTest }) {
  const share = test.measured === 0 ? undefined : test.passed / test.measured;
  return (
    <>
      <Cell name="test">
        <a class="name" href={linkOf(test)} tabIndex={-1}>
          <Text value={test.test} />
        </a>
        <span class="dim file">
          <Text value={test.file} />
        </span>
      </Cell>
      <Cell name="agent">
        <Text value={test.target} />
      </Cell>
      <Cell name="flaky-runs">
        {formatCount(test.flaky_runs)} of {plural(test.runs, 'run')}
      </Cell>
      <Cell name="share">
        <span class="rate-number">{formatPercent(share)}</span>
        <span class="meter" aria-hidden="true">
          <span style={{ width: `${(share ?? 0) * 100}%` }} />
        </span>
        <span class="dim">
          {formatCount(test.passed)} of {formatCount(test.measured)}
        </span>
      </Cell>
    </>
  );
}
