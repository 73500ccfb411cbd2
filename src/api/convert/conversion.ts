import { dirname, join } from 'node:path';
import type { ConvertOptions, ForeignFile } from '../../suites/convert/contract.ts';
import type { ForeignName } from '../../suites/convert/foreign-names.ts';
import type { Target } from '../../suites/convert/own/convert-own.ts';
import { readOwnSuite, type OwnSuite, type SuiteFiles } from '../../suites/convert/own/own-suite.ts';
import { basename, extname } from '../../suites/formats/path-names.ts';
import type { Formats } from '../../suites/formats/parse-suite.ts';
import { createRootFinder } from '../../suites/load/project-root.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import { createRowFiles } from '../../suites/load/row-files.ts';
import { sidecarPath } from '../../suites/load/sidecars.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isDataset } from '../../base/model/suite-lines.ts';
import type { Format } from '../../base/model/suite.ts';
import { strayFileBeside } from './check-output.ts';

export interface ConvertRequest {
  readonly file: string;
  readonly to: Format;
  /** The file to write; undefined if the result is printed. */
  readonly out?: string | undefined;
  /** The name of a foreign format; undefined: as recognised. */
  readonly from?: ForeignName | undefined;
  readonly options: Omit<ConvertOptions, 'registry'>;
  /** The file that registers an OpenAI eval. */
  readonly registry?: string | undefined;
  /** What is lost is a warning. */
  readonly allowLoss: boolean;
  /** Code of the project is executed: configs and evaluators. */
  readonly trustConfig?: boolean;
}

/** A request, and how the suites of its project are read. */
export interface ConvertTask extends ConvertRequest {
  readonly formats: Formats;
}

export interface ConvertResult {
  /** What the file is, for people. */
  readonly title: string;
  /** To write; empty if the conversion is refused. */
  readonly outputs: readonly ForeignFile[];
  readonly tests: number;
  readonly findings: readonly Finding[];
}

export function refuse(title: string, findings: readonly Finding[]): ConvertResult {
  return { title, outputs: [], tests: 0, findings };
}

/** Reads a suite together with the files of rows that it names. */
export function readSuite(
  files: SuiteFiles,
  formats: Formats,
): OwnSuite | { readonly findings: readonly Finding[] } {
  const root = createRootFinder(process.cwd())(files.path);
  return readOwnSuite({ ...files, rowFiles: createRowFiles({ file: files.path, root }) }, formats);
}

/** A result that is printed is checked as if it stood beside the converted file. */
export function targetOf({ file, to, out }: ConvertRequest): Target {
  const stem = basename(file)
    .slice(0, -extname(file).length || undefined)
    .replace(/\.(?:test|eval)$/i, '');
  const path = out ?? join(dirname(file), `${stem}${EXTENSIONS[to]}`);
  return { format: to, path, sidecarPath: sidecarPath(path) };
}

const EXTENSIONS: Readonly<Record<Format, string>> = {
  eval: '.eval.yaml',
  dataset: '.jsonl',
  steps: '.test.yaml',
};

export function outputsOf({ path, text, sidecar }: SuiteFiles): readonly ForeignFile[] {
  return sidecar === undefined ? [{ path, text }] : [{ path, text }, sidecar];
}

/** A file beside a written dataset that would become part of it. */
export function strayFiles({ path, sidecar }: SuiteFiles, { out }: ConvertRequest): readonly Finding[] {
  return out !== undefined && sidecar === undefined && isDataset(path) ? strayFileBeside(path) : [];
}

/** With `--allow-loss`, what is lost is a warning. */
export function weighLosses(findings: readonly Finding[], { allowLoss }: ConvertRequest): readonly Finding[] {
  if (!allowLoss) return findings;
  return findings.map((finding) => (isLoss(finding) ? { ...finding, severity: 'warning' } : finding));
}

export function isLoss({ code }: Finding): boolean {
  return LOSSES.has(code);
}

const LOSSES: ReadonlySet<string> = new Set(['not_converted', 'moved_path', 'default_ids']);

/** A result that does not load is never written. */
export function invalidResult({ file }: ConvertRequest, findings: readonly Finding[]): Finding {
  const why = findings.find(({ severity }) => severity === 'error')?.message ?? 'it contains no tests';
  const message = `the result does not load, so nothing is written: ${why}`;
  return fileFinding(file, 'conversion_invalid', message, 'write the result into the same folder');
}
