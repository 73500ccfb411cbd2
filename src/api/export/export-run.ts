import type { ExportName } from '../../base/model/recording-names.ts';
import { RecordFile } from '../../runs/journal/record-file.ts';
import { testsOfJournal } from '../../runs/journal/record-places.ts';
import { readOutlines } from '../../runs/journal/read-outlines.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { EXPORT_FORMATS } from './formats.ts';

/** A run that a format cannot hold. */
export class ExportError extends Error {}

/** A run as text for other tools, piece by piece. */
export function* exportRun(run: RunDirectory, to: ExportName): Generator<string> {
  const format = EXPORT_FORMATS[to];
  const { places, files } = testsOfJournal(run.journalPath);
  const repeated = new Set<string>();
  for (const [file, tests] of files)
    for (const [test, numbers] of tests) if (typeof numbers !== 'number') repeated.add(`${file}\0${test}`);
  const targets = new Set<string>();
  for (const { target } of readOutlines(run.journalPath)) targets.add(target);
  const context = {
    runId: run.runId,
    targets: [...targets],
    isRepeated: ({ file, test }: { readonly file: string; readonly test: string }) =>
      repeated.has(`${file}\0${test}`),
  };
  const problem = format.problem?.(context);
  if (problem !== undefined) throw new ExportError(problem);
  yield format.start?.(context) ?? '';
  const journal = new RecordFile(run.journalPath);
  for (let number = 0; number < places.size; number++)
    yield format.attempt(journal.recordAt(places.at(number)), { ...context, isFirst: number === 0 });
  yield format.end?.(context) ?? '';
}
