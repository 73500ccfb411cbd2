import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { ConvertOptions, ForeignFile, ForeignFormat } from '../../convert/contract.ts';
import { convertOwn, writeConverted, type Target, type WrittenSuite } from '../../convert/own/convert-own.ts';
import { isJsonFile, readOwnSuite, type OwnSuite, type SuiteFiles } from '../../convert/own/own-suite.ts';
import { firstDifference } from '../../convert/own/same-tests.ts';
import type { ForeignName } from '../../convert/foreign-names.ts';
import { recogniseForeign } from '../../convert/recognise-foreign.ts';
import { FOREIGN_FORMATS } from '../../convert/registry.ts';
import { readReferencedFile } from '../../load/file-parts.ts';
import { knownFormats } from '../../load/known-formats.ts';
import { createRootFinder } from '../../load/project-root.ts';
import { fileFinding, readSuiteFile } from '../../load/read-suite-file.ts';
import { createRowFiles } from '../../load/row-files.ts';
import { sidecarPath } from '../../load/sidecars.ts';
import { hasErrors, type Finding } from '../../model/finding.ts';
import { isDataset } from '../../model/suite-lines.ts';
import type { Format } from '../../model/suite.ts';
import { checkOutput, strayFileBeside } from './check-output.ts';
import { movedReferences } from './moved-references.ts';

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
}

export interface ConvertResult {
  /** What the file is, for people. */
  readonly title: string;
  /** To write; empty if the conversion is refused. */
  readonly outputs: readonly ForeignFile[];
  readonly tests: number;
  readonly findings: readonly Finding[];
}

/** Reads a suite or a file of another tool, and returns what is to be written. Writes nothing. */
export async function convertFile(request: ConvertRequest): Promise<ConvertResult> {
  const result = await convertToText(request);
  const [, ...more] = result.outputs;
  if (request.out !== undefined || more.length === 0) return result;
  const message = 'the result takes more than one file, so it cannot be printed';
  return refuse(result.title, [
    ...result.findings,
    fileFinding(request.file, 'output_name', message, 'name the file to write with -o'),
  ]);
}

async function convertToText(request: ConvertRequest): Promise<ConvertResult> {
  const { file, from, to, out } = request;
  const unusable = out === undefined ? [] : checkOutput(out, to);
  if (unusable.length > 0) return refuse('', unusable);
  const read = readSuiteFile(file);
  if ('finding' in read) return refuse('', [read.finding]);
  const source = withRows({ path: file, text: read.text, sidecar: readSidecarText(file) });
  if (from !== undefined)
    return convertForeign(
      FOREIGN_FORMATS.find(({ name }) => name === from)!,
      source,
      request,
    );
  const own = readOwnSuite(source, knownFormats());
  if ('tests' in own) return convertSuite(own, source, request);
  const foreign = recogniseForeign(source);
  return foreign === undefined ? refuse('', own.findings) : convertForeign(foreign, source, request);
}

/** A suite with the files of rows that it names. */
function withRows(files: SuiteFiles): SuiteFiles {
  const root = createRootFinder(process.cwd())(files.path);
  return { ...files, rowFiles: createRowFiles({ file: files.path, root }) };
}

function readSidecarText(file: string): ForeignFile | undefined {
  const path = sidecarPath(file);
  if (path === file || !existsSync(path)) return undefined;
  const read = readSuiteFile(path);
  return 'text' in read ? { path, text: read.text } : undefined;
}

function refuse(title: string, findings: readonly Finding[]): ConvertResult {
  return { title, outputs: [], tests: 0, findings };
}

const TITLES: Readonly<Record<Format, string>> = {
  eval: 'an eval file',
  dataset: 'a dataset',
  steps: 'step tests',
};

/** Between our formats: nothing is written if something would be lost. */
function convertSuite(own: OwnSuite, source: SuiteFiles, request: ConvertRequest): ConvertResult {
  const target = targetOf(request);
  const title = TITLES[own.format];
  const isCopy = own.format === target.format && isJsonFile(source.path) === isJsonFile(target.path);
  const written = isCopy ? copy(source, target) : convertOwn(own, target, knownFormats());
  const moved = movedReferences(own.tests, { from: source.path, to: target.path });
  const findings = judge([...written.findings, ...moved, ...strayFiles(written.files)], request);
  if (hasErrors(findings)) return refuse(title, findings);
  const isWhole = !written.findings.some(({ code }) => code === 'not_converted');
  const result = readOwnSuite(withRows(written.files), knownFormats());
  if (!('tests' in result)) return refuse(title, [...findings, ...defect(request, result.findings)]);
  const different = isWhole ? firstDifference(own.tests, result.tests) : undefined;
  if (different !== undefined) return refuse(title, [...findings, changedTest(request.file, different)]);
  return { title, outputs: outputsOf(written.files), tests: result.tests.length, findings };
}

function copy({ text, sidecar }: SuiteFiles, target: Target): WrittenSuite {
  const beside = sidecar === undefined ? {} : { sidecar: { path: target.sidecarPath, text: sidecar.text } };
  return { files: { path: target.path, text, ...beside }, findings: [] };
}

/** From another tool: what is lost is in the comments, and makes the exit code 2. */
async function convertForeign(
  foreign: ForeignFormat,
  source: ForeignFile,
  request: ConvertRequest,
): Promise<ConvertResult> {
  const { title } = foreign;
  const registry = request.registry === undefined ? undefined : readSuiteFile(request.registry);
  if (registry !== undefined && 'finding' in registry) return refuse(title, [registry.finding]);
  const convert = await foreign.load();
  const target = targetOf(request);
  const root = createRootFinder(process.cwd())(request.file);
  const readText = (path: string): string | undefined => {
    const read = readReferencedFile(path, { file: source.path, root });
    return 'text' in read ? read.text : undefined;
  };
  const {
    suite,
    findings,
    files = [],
  } = convert(source, {
    options: {
      ...request.options,
      registry: registry && { path: request.registry!, text: registry.text },
    },
    readText,
    pathFromResult: (path) => pathFrom(target.path, join(dirname(source.path), path)),
  });
  if (suite === undefined) return refuse(title, findings);
  const place = { file: source.path, line: 1, column: 1, path: '' };
  const written = writeConverted(suite, target, { formats: knownFormats(), locate: () => place });
  const strays = strayFiles(written.files);
  const all = judge([...findings, ...written.findings, ...strays], request);
  if (strays.length > 0) return refuse(title, all);
  const result = readOwnSuite(withRows(written.files), knownFormats());
  if (!('tests' in result)) return refuse(title, [...all, ...defect(request, result.findings)]);
  const more = files.map((file) => ({ ...file, path: join(dirname(target.path), file.path) }));
  return {
    title,
    outputs: [...outputsOf(written.files), ...more],
    tests: result.tests.length,
    findings: all,
  };
}

/** With slashes on every machine. */
function pathFrom(file: string, path: string): string {
  return relative(dirname(file), path).split(sep).join('/');
}

function strayFiles({ path, sidecar }: SuiteFiles): readonly Finding[] {
  return sidecar === undefined && isDataset(path) ? strayFileBeside(path) : [];
}

function outputsOf({ path, text, sidecar }: SuiteFiles): readonly ForeignFile[] {
  return sidecar === undefined ? [{ path, text }] : [{ path, text }, sidecar];
}

/** A result that is printed is checked as if it stood beside the converted file. */
function targetOf({ file, to, out }: ConvertRequest): Target {
  const path = out ?? join(dirname(file), `converted${EXTENSIONS[to]}`);
  return { format: to, path, sidecarPath: sidecarPath(path) };
}

const EXTENSIONS: Readonly<Record<Format, string>> = {
  eval: '.eval.yaml',
  dataset: '.jsonl',
  steps: '.test.yaml',
};

function judge(findings: readonly Finding[], { allowLoss }: ConvertRequest): readonly Finding[] {
  if (!allowLoss) return findings;
  return findings.map((finding) =>
    LOSSES.has(finding.code) ? { ...finding, severity: 'warning' } : finding,
  );
}

const LOSSES: ReadonlySet<string> = new Set(['not_converted', 'moved_path']);

function changedTest(file: string, id: string): Finding {
  const message = `the test ${JSON.stringify(id)} would not mean the same in the other format, so nothing is written`;
  return fileFinding(file, 'conversion_differs', message, 'this is a defect of Assay: please report it');
}

/** A result that does not load is never written. */
function defect({ file }: ConvertRequest, findings: readonly Finding[]): readonly Finding[] {
  const why = findings.find(({ severity }) => severity === 'error')?.message ?? 'it contains no tests';
  const message = `the result does not load, so nothing is written: ${why}`;
  return [fileFinding(file, 'conversion_invalid', message, 'this is a defect of Assay: please report it')];
}
