import { join, relative } from 'node:path';
import type { RunDescription, RunDirectory } from '../../runs/journal/run-directory.ts';
import { createSelector } from '../../run/plan/select.ts';
import type { RecordedSelection } from './recorded-attempts.ts';
import { splitLines } from '../select/split-lines.ts';

interface Options {
  readonly grep?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly only?: boolean | undefined;
  readonly lastFailed?: boolean | undefined;
  readonly merged?: readonly string[] | undefined;
}

/**
 * Whether a recorded run would have run a test of its files: if so, one without a record was added later. Undefined
 * if only the run knew: it was cut short, was one shard, used `--last-failed`, or was merged from partial runs.
 */
export function createRecordedSelection(
  run: RunDirectory,
  description: RunDescription,
  projectRoot: string,
): RecordedSelection | undefined {
  const { grep, tags, paths = [], only, lastFailed, merged } = description.options as Options;
  const summary = run.ending()?.summary;
  const isCut = summary?.interrupted !== false || summary.not_started > 0;
  const isOfParts = merged !== undefined && description.selection !== undefined;
  if (isCut || lastFailed === true || isOfParts || description.shard !== undefined) return undefined;
  const lines = new Map(
    [...splitLines(paths).lines].map(([file, numbers]) => [
      relative(process.cwd(), join(projectRoot, description.cwd ?? '', file)),
      numbers,
    ]),
  );
  const matches = createSelector({ grep, tags, lines });
  return (test, file, next) => matches(test, file, next) && (only !== true || test.only === true);
}
