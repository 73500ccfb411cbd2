import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { TestRow } from '../run/test-row.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { Headline } from './headline.tsx';
import { changeWords, testHeadline } from './test-headline.ts';

/** What a test came to, and whether that is new. */
export function TestHeadline({
  record,
  row,
  runId,
}: {
  readonly record: AttemptRecord;
  readonly row: TestRow | undefined;
  readonly runId: string;
}) {
  const source = useSource();
  const { file, test, target } = record;
  const verdict = row?.verdict ?? record.verdict;
  const loaded = useLoaded(
    async (signal) => {
      if (source.holds === 'one run') return undefined;
      const points = await source.history({ file, test, target }, signal);
      return changeWords(points, { runId, verdict, now: Date.now() });
    },
    [source, runId, file, test, target, verdict],
  );
  return <Headline {...testHeadline(record, row, loaded.value)} />;
}
