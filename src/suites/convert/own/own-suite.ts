import { DatasetReader } from '../../formats/dataset.ts';
import { detectFormat } from '../../formats/detect-format.ts';
import { parseDocument } from '../../formats/document.ts';
import { CASE_LISTS } from '../../formats/eval-file.ts';
import { dialectOf, parseSuiteText, type Formats } from '../../formats/parse-suite.ts';
import { extname } from '../../formats/path-names.ts';
import { readJson } from '../../formats/read-json.ts';
import { parseSidecar } from '../../formats/sidecar.ts';
import { NO_ROW_FILES, type RowFiles } from '../../formats/templates/row-files.ts';
import { hasErrors, type Finding } from '../../../base/model/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { Format } from '../../../base/model/suite.ts';
import type { Test } from '../../../base/model/test.ts';
import type { ForeignFile } from '../contract.ts';
import { locateIn, type Locate } from '../conversion-log.ts';
import { locateInLines } from '../json-lines.ts';

/** A suite in one of our formats: its text, and its sidecar's if it is a dataset that has one. */
export interface SuiteFiles extends ForeignFile {
  /** Opens the files that `each` names. */
  readonly rowFiles?: RowFiles;
  readonly sidecar?: ForeignFile | undefined;
}

/** What was read of it. */
export interface OwnSuite {
  readonly format: Format;
  /** What tests without an id are named after. */
  readonly name: string;
  /** As it is authored: an eval file, the lines of a dataset under `evalcases`, or step tests. */
  readonly value: Json;
  readonly tests: readonly Test[];
  readonly findings: readonly Finding[];
  /** By the path in `value`. */
  readonly locate: Locate;
}

/** Undefined with the reasons if this is not a suite without errors. */
export function readOwnSuite(
  files: SuiteFiles,
  formats: Formats,
): OwnSuite | { readonly findings: readonly Finding[] } {
  return /\.jsonl$/i.test(files.path) ? readDataset(files, formats) : readDocument(files, formats);
}

function readDocument(files: SuiteFiles, formats: Formats): OwnSuite | { findings: readonly Finding[] } {
  const { suite, findings } = parseSuiteText(files, formats);
  if (suite === undefined || hasErrors(findings)) return { findings };
  const document = parseDocument(files.path, files.text, dialectOf);
  if (!('source' in document) || !('format' in detectFormat(document.value))) return { findings };
  const { format, tests } = suite;
  const name = suite.dataset;
  return { format, name, value: document.value, tests, findings, locate: locateIn(document.source) };
}

function readDataset(
  { path, text, sidecar, rowFiles = NO_ROW_FILES }: SuiteFiles,
  formats: Formats,
): OwnSuite | { findings: readonly Finding[] } {
  const shared = sidecar && parseSidecar(sidecar.path, sidecar.text, formats.sidecar);
  const document = sidecar && parseDocument(sidecar.path, sidecar.text, 'core');
  const { evalCase: schema, kinds } = formats.evalFile;
  const defaults = shared?.defaults ?? {};
  const reader = new DatasetReader({ file: path, schema, kinds, defaults, rowFiles });
  const findings = [...(shared?.findings ?? [])];
  const cases: Json[] = [];
  const tests: Test[] = [];
  const lines: { number: number; text: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const read = reader.read(line, index + 1);
    if (read === undefined) continue;
    for (const item of read.rows ?? [read]) {
      for (const finding of item.findings) findings.push(finding);
      if (item.test !== undefined) tests.push(item.test);
    }
    const body = line.replace(/^\uFEFF/, '');
    const parsed = readJson(body);
    if (!('value' in parsed)) continue;
    cases.push(parsed.value);
    lines.push({ number: index + 1, text: body });
  }
  if (hasErrors(findings)) return { findings };
  const settings = document !== undefined && 'source' in document ? document : undefined;
  const own = isJsonObject(settings?.value ?? null) ? (settings!.value as JsonObject) : {};
  const inSettings = settings && locateIn(settings.source);
  return {
    format: 'dataset',
    name: '',
    value: { ...own, evalcases: cases },
    tests,
    findings,
    locate: (at, part) =>
      at[0] === 'evalcases' || inSettings === undefined
        ? locateInLines({ path, lines }, at.slice(1), part)
        : inSettings(at, part),
  };
}

/** The name under which an eval file lists its cases. */
export function caseListOf(document: JsonObject): string {
  return CASE_LISTS.find((name) => Array.isArray(document[name])) ?? 'evalcases';
}

export function isJsonFile(path: string): boolean {
  return /^\.json$/i.test(extname(path));
}
