import { DatasetReader, type DatasetLine } from '../formats/dataset.ts';
import { emptyDataset, type Formats } from '../formats/parse-suite.ts';
import type { Sidecar } from '../formats/sidecar.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { attachFiles } from './file-parts.ts';
import type { DatasetText } from './dataset-text.ts';
import { explainForeign } from './foreign-files.ts';
import { knownFormats } from './known-formats.ts';
import { findProjectRoot, rootForSuite } from './project-root.ts';
import { readLines } from './read-lines.ts';
import { fileFinding } from './read-suite-file.ts';
import { createRowFiles } from './row-files.ts';
import { readSidecar, sidecarPath } from './sidecars.ts';

/** A line of a dataset file, or one of its rows: its test, or why it has none. `line` 0 is about the file or its sidecar. */
export interface DatasetItem extends DatasetLine {
  /** The line as it is in the file, for code frames. */
  readonly text: string;
}

export interface ReadDatasetContext {
  readonly formats: Formats;
  readonly root: string;
  readonly sidecar?: Sidecar;
  /** Gets the text of the file, or has it already. */
  readonly text?: DatasetText;
  /** See `DatasetOptions`. */
  readonly areIdsKnown?: boolean;
}

/** Streams a dataset line by line: `for await (const { test, findings } of readDataset('cases.jsonl'))`. */
export function readDataset(file: string): AsyncIterable<DatasetItem> {
  return streamDataset(file, {
    formats: knownFormats(),
    root: rootForSuite(file, findProjectRoot(process.cwd())),
  });
}

/** Streams a dataset: memory does not grow with the number of lines, except for 12 to 24 bytes per id. */
export async function* streamDataset(file: string, context: ReadDatasetContext): AsyncGenerator<DatasetItem> {
  for await (const batch of streamBatches(file, context)) yield* batch;
}

/** Few enough to die young: data that survives a young-generation collection costs far more. */
const BATCH_LINES = 64;

/** The same in batches: a step of an async iterator costs as much as a line. */
export async function* streamBatches(
  file: string,
  context: ReadDatasetContext,
): AsyncGenerator<readonly DatasetItem[]> {
  const sidecar = context.sidecar ?? readSidecar(file, context.formats);
  if (sidecar.findings.length > 0) yield [{ line: 0, text: '', findings: sidecarFindings(file, sidecar) }];
  const { evalCase: schema, kinds } = context.formats.evalFile;
  const { areIdsKnown } = context;
  const place = { file, root: context.root };
  const rowFiles = createRowFiles(place);
  const { defaults } = sidecar;
  const reader = new DatasetReader({ file, schema, kinds, defaults, rowFiles, areIdsKnown });
  let items: DatasetItem[] = [];
  let isEmpty = true;
  for await (const lines of readLines(file, context.text)) {
    for (const { text, line, finding } of lines) {
      const read = finding === undefined ? reader.read(text, line) : { line, findings: [finding] };
      if (read === undefined) continue;
      if (isEmpty) {
        const explained = await explainForeign({ path: file, text }, read.findings);
        if (explained !== read.findings) {
          yield [{ line: 0, text: '', findings: explained }];
          return;
        }
      }
      isEmpty = false;
      for (const item of read.rows ?? [read]) {
        items.push(withFiles(item, text, place));
        if (items.length < BATCH_LINES) continue;
        yield items;
        items = [];
      }
    }
  }
  if (items.length > 0) yield items;
  if (isEmpty) yield [{ line: 0, text: '', findings: [emptyDataset(file)] }];
}

function withFiles(read: DatasetLine, text: string, place: { file: string; root: string }): DatasetItem {
  const { line, test, findings } = read;
  if (test === undefined) return { line, text, findings };
  const attached = attachFiles(test, place);
  if (attached.findings.length > 0) return { line, text, findings: [...findings, ...attached.findings] };
  return { line, text, test: attached.test, findings };
}

/** Without a broken sidecar's settings, other rules would apply to the lines: it stops the dataset too. */
function sidecarFindings(file: string, { findings }: Sidecar): readonly Finding[] {
  if (!hasErrors(findings)) return findings;
  const message = `the sidecar ${sidecarPath(file)} has errors`;
  return [
    ...findings,
    fileFinding(
      file,
      'invalid_sidecar',
      message,
      'correct it, or rename it if it does not belong to this dataset',
    ),
  ];
}
