import type { Finding } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';
import type { AssertionKinds } from '../assertions/contract/assertion-kinds.ts';
import { Reader } from '../schema/reader.ts';
import { DatasetReader } from './dataset.ts';
import { detectFormat, SUPPORTED_FORMATS } from './detect-format.ts';
import { parseDocument } from './document.ts';
import { createEvalFileSchemas, datasetName, readEvalFile, type EvalFileSchemas } from './eval-file.ts';
import { extname } from './path-names.ts';
import { sidecarSchema, type Sidecar, type SidecarSchema } from './sidecar.ts';
import { createStepTestSchemas, readStepTestFile, type StepTestSchemas } from './step-test.ts';

export interface SuiteText {
  readonly path: string;
  readonly text: string;
}

export interface ParsedSuite {
  /** The tests that could be read; undefined if the file is not a suite at all. */
  readonly suite: Suite | undefined;
  readonly findings: readonly Finding[];
  /** The hash of the file's text, if it was read as a whole. */
  readonly hash?: string;
}

/** The schemas of all formats, created once for the known kinds of assertions. */
export interface Formats {
  readonly evalFile: EvalFileSchemas;
  readonly stepTest: StepTestSchemas;
  readonly sidecar: SidecarSchema;
}

export function createFormats(kinds: AssertionKinds): Formats {
  return new LazyFormats(kinds);
}

/** Each is created when a file of its kind is read: a run with one kind of file starts without the others. */
class LazyFormats implements Formats {
  private readonly kinds: AssertionKinds;
  private evalFileSchemas: EvalFileSchemas | undefined;
  private stepTestSchemas: StepTestSchemas | undefined;
  private sidecarFields: SidecarSchema | undefined;

  constructor(kinds: AssertionKinds) {
    this.kinds = kinds;
  }

  get evalFile(): EvalFileSchemas {
    return (this.evalFileSchemas ??= createEvalFileSchemas(this.kinds));
  }

  get stepTest(): StepTestSchemas {
    return (this.stepTestSchemas ??= createStepTestSchemas(this.kinds));
  }

  get sidecar(): SidecarSchema {
    return (this.sidecarFields ??= sidecarSchema(this.kinds));
  }
}

/** Pure: reads no file and never throws for bad input. */
export function parseSuiteText({ path, text }: SuiteText, formats: Formats): ParsedSuite {
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
      return parseDataset({ path, text }, formats);
    case '.yaml':
    case '.yml':
    case '.json':
      return parseDocumentSuite({ path, text }, formats);
    default:
      return { suite: undefined, findings: [unsupportedExtension(path)] };
  }
}

export function unsupportedExtension(file: string): Finding {
  const extension = extname(file);
  return {
    severity: 'error',
    code: 'unknown_format',
    message: `${extension === '' ? 'a file without an extension' : `a ${extension} file`} is not a suite: ${SUPPORTED_FORMATS}`,
    hint: 'use .yaml, .yml, .json or .jsonl',
    file,
    line: 1,
    column: 1,
    path: '',
  };
}

function parseDocumentSuite({ path, text }: SuiteText, formats: Formats): ParsedSuite {
  const document = parseDocument(path, text, dialectOf);
  if (!('source' in document)) return { suite: undefined, findings: document.findings };
  const detected = detectFormat(document.value);
  if ('problem' in detected) {
    const reader = new Reader(document.source);
    reader.error(detected.problem);
    return { suite: undefined, findings: [...document.findings, ...reader.findings] };
  }
  const { suite, findings } =
    detected.format === 'eval'
      ? readEvalFile(document.value, document.source, formats.evalFile)
      : readStepTestFile(document.value, document.source, formats.stepTest);
  return { suite, findings: [...document.findings, ...findings].sort(byPlace) };
}

/** Findings in the order of their places in the file. */
export function byPlace(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column;
}

export function dialectOf(outline: Json): 'core' | 'pyyaml' {
  const detected = detectFormat(outline);
  return 'format' in detected && detected.format === 'steps' ? 'pyyaml' : 'core';
}

function parseDataset({ path, text }: SuiteText, formats: Formats): ParsedSuite {
  const reader = new DatasetReader({ file: path, schema: formats.evalFile.evalCase, defaults: {} });
  const tests: Test[] = [];
  const findings: Finding[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const read = reader.read(line, index + 1);
    if (read === undefined) continue;
    if (read.test !== undefined) tests.push(read.test);
    for (const finding of read.findings) findings.push(finding);
  }
  if (tests.length === 0 && findings.length === 0) findings.push(emptyDataset(path));
  return { suite: createDatasetSuite(path, { defaults: {}, findings: [] }, tests), findings };
}

export function emptyDataset(file: string): Finding {
  return {
    severity: 'warning',
    code: 'no_cases',
    message: 'the dataset is empty: there is nothing to run',
    file,
    line: 1,
    column: 1,
    path: '',
  };
}

export function createDatasetSuite(
  file: string,
  { dataset, description }: Sidecar,
  tests: readonly Test[],
): Suite {
  return {
    file,
    format: 'dataset',
    dataset: dataset ?? datasetName(file),
    ...(description === undefined ? {} : { description }),
    tests,
  };
}
