import { sealedLength, withoutSeal } from '../../runs/journal/checksum.ts';
import { parseRecord } from '../../runs/journal/journal-reader.ts';
import { readLineAt } from '../../runs/journal/record-file.ts';
import type { RunDescription, RunDirectory } from '../../runs/journal/run-directory.ts';
import type { JournalIndex } from './journal-index.ts';
import { saidOutputs } from './said-outputs.ts';
import type { SourceExcerpts } from './source-excerpts.ts';

interface DetailContext {
  readonly index: JournalIndex;
  readonly description: RunDescription;
  readonly sources: SourceExcerpts;
  /** What files are opened with. Undefined: nowhere, and their paths are not told. */
  readonly editor?: string | undefined;
}

/** The record's line exists in the journal, but cannot be read. */
export class DamagedRecord extends Error {}

/**
 * The JSON text of a `ResultDetail`, in pieces; undefined if the run has no such record. The record is passed on as
 * it is in the journal, so no number in it is rounded.
 */
export async function resultDetail(
  run: RunDirectory,
  number: number,
  { index, description, sources, editor }: DetailContext,
): Promise<readonly (Buffer | string)[] | undefined> {
  const place = await index.placeOf(number);
  if (place === undefined) return undefined;
  const line = readLineAt(run.journalPath, place);
  // Without a checksum it may come from an old journal.
  const record = parseRecord(line);
  if (record === undefined) throw new DamagedRecord('this record is damaged in the journal of its run');
  const excerpts = await sources.of(record, description);
  const text = withoutSeal(line, sealedLength(line)!);
  const said = JSON.stringify(saidOutputs(record));
  const files = excerpts.map(({ file }) => [file, sources.pathOf(file, description)]);
  const opening =
    editor === undefined
      ? ''
      : `,"editor":${JSON.stringify({ editor, paths: Object.fromEntries(files) as object })}`;
  return [`{"record":${text},"said_outputs":${said},"sources":${JSON.stringify(excerpts)}${opening}}`];
}
