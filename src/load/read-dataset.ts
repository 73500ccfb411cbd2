import { DatasetReader, type DatasetLine } from '../formats/dataset.ts';
import { emptyDataset, type Formats } from '../formats/parse-suite.ts';
import type { Sidecar } from '../formats/sidecar.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import { attachFiles } from './file-parts.ts';
import { knownFormats } from './known-formats.ts';
import { findProjectRoot, rootForSuite } from './project-root.ts';
import { readLines } from './read-lines.ts';
import { fileFinding } from './read-suite-file.ts';
import { readSidecar, sidecarPath } from './sidecars.ts';

/** A line of a dataset file: its test, or why it has none. `line` 0 speaks of the file or its sidecar. */
export interface DatasetItem extends DatasetLine {
  /** The line as it stands in the file, for code frames. */
  readonly text: string;
}

export interface ReadDatasetContext {
  readonly formats: Formats;
  readonly root: string;
  readonly sidecar?: Sidecar;
}

/** Streams a dataset line by line: `for await (const { test, findings } of readDataset('cases.jsonl'))`. */
export function readDataset(file: string): AsyncIterable<DatasetItem> {
  return streamDataset(file, {
    formats: knownFormats(),
    root: rootForSuite(file, findProjectRoot(process.cwd())),
  });
}

/** Streams a dataset: its memory does not grow with the number of lines, except for 12 to 24 bytes for each id. */
export async function* streamDataset(file: string, context: ReadDatasetContext): AsyncGenerator<DatasetItem> {
  const sidecar = context.sidecar ?? readSidecar(file, context.formats);
  if (sidecar.findings.length > 0) yield { line: 0, text: '', findings: sidecarFindings(file, sidecar) };
  const reader = new DatasetReader({
    file,
    schema: context.formats.evalFile.evalCase,
    defaults: sidecar.defaults,
  });
  let isEmpty = true;
  for await (const lines of readLines(file)) {
    for (const { text, line, finding } of lines) {
      const read = finding === undefined ? reader.read(text, line) : { line, findings: [finding] };
      if (read === undefined) continue;
      isEmpty = false;
      if (read.test === undefined) {
        yield { ...read, text };
        continue;
      }
      const { test, findings } = attachFiles(read.test, { file, root: context.root });
      const hasTest = findings.length === 0;
      yield {
        line,
        text,
        ...(hasTest ? { test } : {}),
        findings: hasTest ? read.findings : [...read.findings, ...findings],
      };
    }
  }
  if (isEmpty) yield { line: 0, text: '', findings: [emptyDataset(file)] };
}

/** Without what a broken sidecar says, the lines would be judged by other rules: it stops the dataset too. */
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
