import { testKey } from '../../src/base/model/test-key.ts';
import { PairSteps } from '../compare/pair-steps.tsx';
import { nameBefore } from '../compare/pair-tests.ts';
import { Headline } from '../headline/headline.tsx';
import { pairHeadline } from '../headline/pair-headline.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { Choice } from '../parts/choice.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { Empty, LoadNotice } from '../parts/trouble.tsx';
import { go, linkTo, replaceRoute } from '../route/route.ts';
import type { RunResults } from '../run/run-results.ts';
import { attemptToOpen } from '../run/test-row.ts';
import { useRunResults } from '../run/use-run-results.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { Text } from '../text/text.tsx';

/** One test in two runs, side by side. */
export function PairPage({
  before: beforeId,
  after: afterId,
  query,
}: {
  readonly before: string;
  readonly after: string;
  readonly query: URLSearchParams;
}) {
  const source = useSource();
  const name = {
    file: query.get('file') ?? '',
    test: query.get('test') ?? '',
    target: query.get('target') ?? '',
    before_file: query.get('before_file') ?? undefined,
    before_target: query.get('before_target') ?? undefined,
  };
  const before = useRunResults(beforeId);
  const after = useRunResults(afterId);
  const wanted = query.get('repeat') ?? '';
  const { repeats, repeat, indexBefore, indexAfter } = findAttempts(
    [before, after],
    [testKey(nameBefore(name)), testKey(name)],
    wanted,
  );
  const loaded = useLoaded(
    async (signal) => ({
      before: indexBefore === undefined ? undefined : await source.result(beforeId, indexBefore, signal),
      after: indexAfter === undefined ? undefined : await source.result(afterId, indexAfter, signal),
    }),
    [source, beforeId, afterId, indexBefore, indexAfter],
  );
  const pair = loaded.value;
  const compared = useLoaded(
    (signal) => source.compare(beforeId, afterId, signal),
    [source, beforeId, afterId],
  );
  const headline = compared.value && pairHeadline(compared.value, name);
  const back = linkTo(['compare', beforeId, afterId]);
  useShortcuts([{ keys: 'Escape', does: 'Back to the comparison', run: () => go(back) }]);
  const isComplete = before.isComplete && after.isComplete;
  const error = before.error ?? after.error ?? loaded.error;
  return (
    <PageFrame
      title={name.test}
      heading={<Text value={name.test} />}
      crumbs={[{ name: 'Comparison', link: back }]}
      aside={
        <Choice
          label="Repeat"
          prefix="Repeat "
          value={repeat}
          options={repeats}
          onChange={(next) =>
            replaceRoute(linkTo(['compare', beforeId, afterId, 'test'], { ...name, repeat: next }))
          }
        />
      }
    >
      {headline !== undefined && <Headline {...headline} />}
      <LoadNotice isLoading={!isComplete || loaded.isLoading} error={error} />
      {isComplete &&
        pair !== undefined &&
        (pair.before === undefined && pair.after === undefined ? (
          <Empty title="Neither run contains this test." />
        ) : (
          <PairSteps before={pair.before} after={pair.after} />
        ))}
    </PageFrame>
  );
}

/** The same repeat of both; at first the one that the later run's list would open. */
function findAttempts(
  runs: readonly [RunResults, RunResults],
  keys: readonly [string, string],
  wanted: string,
): {
  readonly repeats: readonly string[];
  readonly repeat: string;
  readonly indexBefore?: number | undefined;
  readonly indexAfter?: number | undefined;
} {
  const [before = [], after = []] = runs.map(
    ({ tests }, side) => tests.find((row) => row.key === keys[side])?.attempts ?? [],
  );
  const all = [...after, ...before];
  if (all.length === 0) return { repeats: [], repeat: '' };
  const repeats = [...new Set(all.map(({ repeat }) => repeat))].toSorted((a, b) => a - b).map(String);
  const first = attemptToOpen(after.length > 0 ? after : before).repeat;
  const repeat = repeats.includes(wanted) ? wanted : String(first);
  const isWanted = (attempt: { readonly repeat: number }): boolean => String(attempt.repeat) === repeat;
  return {
    repeats,
    repeat,
    indexBefore: before.find(isWanted)?.index,
    indexAfter: after.find(isWanted)?.index,
  };
}
