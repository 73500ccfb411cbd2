import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { LiveState, RunRow } from '../../base/model/page-data.ts';
import type { RunLibrary } from './run-library.ts';
import { factsOf } from './run-row.ts';
import { isRemoved } from './removed-run.ts';
import { RunWatch } from './run-watch.ts';

export type RunChange =
  /** One row per line, as JSON. */
  | { readonly kind: 'rows'; readonly lines: Buffer }
  | { readonly kind: 'run'; readonly run: RunRow; readonly live?: LiveState | undefined }
  | { readonly kind: 'quiet' }
  /** Its folder was removed. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'end' };

/** The changes in a run from a row on, until it ends: returns at once for a finished run. */
export async function* followRun(
  library: RunLibrary,
  run: RunDirectory,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
): AsyncGenerator<RunChange> {
  const watch = new RunWatch(run.path);
  let next = from;
  let said = '';
  try {
    while (!signal.aborted) {
      // Checked before the rows are read: a finished run has all its rows.
      const facts = factsOf(run);
      for await (const batch of library.index(run).rowsFrom(next)) {
        next = batch.next;
        if (batch.lines.length > 0) yield { kind: 'rows', lines: batch.lines };
      }
      const { live } = facts;
      const row = await library.row(run, facts);
      const now = JSON.stringify([row, live]);
      yield now === said ? { kind: 'quiet' } : { kind: 'run', run: row, live };
      said = now;
      if (facts.state !== 'running') {
        yield { kind: 'end' };
        return;
      }
      await watch.next(signal);
    }
  } catch (error) {
    if (!isRemoved(error)) throw error;
    yield { kind: 'gone' };
  } finally {
    watch.close();
  }
}
