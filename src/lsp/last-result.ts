import { recordsOfTests } from '../runs/journal/records-of-tests.ts';
import { listRuns } from '../runs/journal/run-directory.ts';
import { assertionLabel, problemMessage } from '../base/model/all-problems.ts';
import type { AttemptRecord, Verdict } from '../base/model/record.ts';
import { monotonicMs } from '../base/system/system-time.ts';

interface SoughtTests {
  readonly root: string;
  readonly file: string;
  /** The tests at one place: one, or those of data rows. */
  readonly ids: ReadonlySet<string>;
}

interface Result {
  readonly record: AttemptRecord;
  readonly runId: string;
}

/** Looking further back would take too long, and would hardly be what somebody wants to see. */
const MOST_RUNS = 30;
const LONGEST_MS = 2000;

/** What the latest run of each of these tests says about it, for people, worst first; undefined if none of the last runs has one. */
export function lastResult({ root, file, ids }: SoughtTests): string | undefined {
  const open = new Set(ids);
  const results: Result[] = [];
  const startMs = monotonicMs();
  for (const run of listRuns(root).slice(-MOST_RUNS).toReversed()) {
    for (const record of recordsOfTests(run, { root, file, ids: open }))
      results.push({ record, runId: run.runId });
    for (const { record } of results) open.delete(record.test);
    if (open.size === 0 || monotonicMs() - startMs > LONGEST_MS) break;
  }
  return results.length === 0 ? undefined : describe(results, ids.size);
}

const WORST_FIRST: readonly Verdict[] = ['failed', 'error', 'not_graded', 'passed', 'skipped'];

function describe(results: readonly Result[], wanted: number): string {
  const rank = ({ record }: Result): number => WORST_FIRST.indexOf(record.verdict);
  const sorted = results.toSorted((a, b) => rank(a) - rank(b));
  const runs = [...new Set(results.map(({ runId }) => runId))];
  const lines = wanted === 1 ? [] : [countsOf(results, wanted)];
  for (const { record, runId } of sorted.slice(0, MOST_ATTEMPTS)) {
    const facts = [
      ...(isRepeated(record, results) ? [`${record.target}, attempt ${record.repeat}`] : []),
      ...(runs.length > 1 ? [`run ${runId}`] : []),
    ];
    lines.push(
      `${record.test}: ${record.verdict}${scoreOf(record)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
      ...(record.error === undefined ? [] : [`  ${record.error.kind}: ${record.error.message}`]),
      ...[...record.steps.flatMap(({ assertions }) => assertions), ...record.assertions]
        .filter(({ passed }) => passed !== true)
        .map((assertion) => `  ${assertionLabel(assertion)}: ${cut(problemMessage(assertion, record))}`),
      ...record.steps.flatMap(({ output }) => (output === undefined ? [] : [`  output: ${cut(output)}`])),
    );
  }
  const more = results.length - MOST_ATTEMPTS;
  if (more > 0) lines.push(`and ${more} more attempts`);
  return [...lines, ...(runs.length === 1 ? [`run ${runs[0]}`] : [])].join('\n');
}

function isRepeated({ id, test }: AttemptRecord, results: readonly Result[]): boolean {
  return results.some(({ record }) => record.test === test && record.id !== id);
}

/** `3 tests: 1 failed, 2 passed`. */
function countsOf(results: readonly Result[], wanted: number): string {
  const worst = new Map<string, Verdict>();
  for (const verdict of WORST_FIRST.toReversed())
    for (const { record } of results) if (record.verdict === verdict) worst.set(record.test, verdict);
  const verdicts = [...worst.values()];
  const counts = WORST_FIRST.map((verdict) => [verdicts.filter((one) => one === verdict).length, verdict]);
  const parts = counts.filter(([count]) => count !== 0).map(([count, verdict]) => `${count} ${verdict}`);
  const missing = wanted - worst.size;
  return `${wanted} tests: ${[...parts, ...(missing > 0 ? [`${missing} without a recent result`] : [])].join(', ')}`;
}

const MOST_ATTEMPTS = 10;

function scoreOf({ score }: AttemptRecord): string {
  return score === undefined ? '' : `, score ${Number(score.toFixed(3))}`;
}

function cut(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 499)}…`;
}
