import { relative } from 'node:path';
import { readJournal } from '../journal/journal-reader.ts';
import { readOutlines } from '../journal/read-outlines.ts';
import { listRuns, type RunDirectory } from '../journal/run-directory.ts';
import type { AssertionRecord, AttemptRecord } from '../model/record.ts';

interface SoughtTest {
  readonly root: string;
  readonly file: string;
  readonly id: string;
}

/** Looking further back would take too long, and would hardly be what somebody wants to see. */
const MOST_RUNS = 30;

/** What the latest run with this test says about it, for people; undefined if none of the last runs has it. */
export function lastResult({ root, file, id }: SoughtTest): string | undefined {
  const name = relative(root, file);
  for (const run of listRuns(root).slice(-MOST_RUNS).toReversed()) {
    const records = recordsOf(run, { root, name, id });
    if (records.length > 0) return describeRecords(run, records);
  }
  return undefined;
}

/** File names in records are relative to the folder where the run was started. */
function recordsOf(
  run: RunDirectory,
  { root, name, id }: { readonly root: string; readonly name: string; readonly id: string },
): readonly AttemptRecord[] {
  try {
    const cwd = run.description()?.cwd ?? '';
    const isWanted = (record: { readonly file: string; readonly test: string }): boolean =>
      record.test === id && relative(root, `${root}/${cwd}/${record.file}`) === name;
    if (![...readOutlines(run.journalPath)].some(isWanted)) return [];
    const byId = new Map<string, AttemptRecord>();
    for (const { record } of readJournal(run.journalPath)) if (isWanted(record)) byId.set(record.id, record);
    return [...byId.values()];
  } catch {
    // A damaged run, or one that is being removed.
    return [];
  }
}

function describeRecords(run: RunDirectory, records: readonly AttemptRecord[]): string {
  const lines = records
    .slice(0, MOST_ATTEMPTS)
    .flatMap((record) => [
      `${record.test}: ${record.verdict}${scoreOf(record)}${records.length > 1 ? ` (${record.target}, attempt ${record.repeat})` : ''}`,
      ...(record.error === undefined ? [] : [`  ${record.error.kind}: ${record.error.message}`]),
      ...[...record.steps.flatMap(({ assertions }) => assertions), ...record.assertions]
        .filter(({ passed }) => passed !== true)
        .map(describeAssertion),
      ...record.steps.flatMap(({ output }) => (output === undefined ? [] : [`  output: ${cut(output)}`])),
    ]);
  const more = records.length - MOST_ATTEMPTS;
  if (more > 0) lines.push(`and ${more} more attempts`);
  return [...lines, `run ${run.runId}`].join('\n');
}

const MOST_ATTEMPTS = 10;

function scoreOf({ score }: AttemptRecord): string {
  return score === undefined ? '' : `, score ${Number(score.toFixed(3))}`;
}

function describeAssertion({ name, message, error }: AssertionRecord): string {
  return `  ${name}: ${cut(error === undefined ? message : `${error.kind}: ${error.message}`)}`;
}

function cut(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 499)}…`;
}
