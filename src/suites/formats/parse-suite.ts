import type { Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import { readSkillEvals } from './agent-skills.ts';
import { environmentFindings } from './agentv/environment.ts';
import { DatasetReader } from './dataset.ts';
import { detectFormat, SUPPORTED_FORMATS } from './detect-format.ts';
import { parseDocument } from './document.ts';
import { createEvalFileSchemas, datasetName, readEvalFile, type EvalFileSchemas } from './eval-file.ts';
import { extname } from './path-names.ts';
import { sidecarSchema, type Sidecar, type SidecarSchema } from './sidecar.ts';
import { collectTests, type SuiteReading } from './suite-reading.ts';
import { NO_ROW_FILES, type RowFiles } from './templates/row-files.ts';
import { readSkillTriggers } from './skill-triggers.ts';
import { createStepTestSchemas, readStepTestFile, type StepTestSchemas } from './step-test.ts';

export interface SuiteText {
  readonly path: string;
  readonly text: string;
  /** Opens the files that `each` names. Without it, such a test is an error. */
  readonly rowFiles?: RowFiles;
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
export function parseSuiteText(suite: SuiteText, formats: Formats): ParsedSuite {
  const { path } = suite;
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
      return parseDataset(suite, formats);
    case '.yaml':
    case '.yml':
    case '.json':
      return parseDocumentSuite(suite, formats);
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

function parseDocumentSuite(suite: SuiteText, formats: Formats): ParsedSuite {
  const opened = openDocumentSuite(suite, formats);
  return 'tests' in opened ? collectTests(opened) : { suite: undefined, findings: opened.findings };
}

/** A suite of a YAML or JSON file, or why it is none. */
export function openDocumentSuite(
  { path, text, rowFiles = NO_ROW_FILES }: SuiteText,
  formats: Formats,
): SuiteReading | { readonly findings: readonly Finding[] } {
  const document = parseDocument(path, text, dialectOf);
  if (!('source' in document)) return { findings: document.findings };
  const detected = detectFormat(document.value);
  if ('problem' in detected) {
    const reader = new Reader(document.source);
    reader.error(detected.problem);
    return { findings: [...document.findings, ...reader.findings] };
  }
  const { value, source } = document;
  const reading = READERS[detected.format](value, source, { formats, rowFiles });
  return {
    ...reading,
    *tests() {
      const findings = yield* reading.tests();
      const environment = detected.format === 'eval' ? environmentFindings(value, source, text) : [];
      return [...document.findings, ...findings, ...environment].sort(byPlace);
    },
  };
}

interface ReadingContext {
  readonly formats: Formats;
  readonly rowFiles: RowFiles;
}

const READERS: Readonly<
  Record<
    'eval' | 'steps' | 'skill' | 'triggers',
    (value: Json, source: Source, context: ReadingContext) => SuiteReading
  >
> = {
  eval: (value, source, { formats, rowFiles }) =>
    readEvalFile(value, source, { schemas: formats.evalFile, rowFiles }),
  steps: (value, source, { formats, rowFiles }) =>
    readStepTestFile(value, source, { schemas: formats.stepTest, rowFiles }),
  skill: (value, source) => readSkillEvals(value, source),
  triggers: (value, source) => readSkillTriggers(value, source),
};

/** Findings in the order of their places. A file of rows has findings of its own. */
export function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

export function dialectOf(outline: Json): 'core' | 'pyyaml' {
  const detected = detectFormat(outline);
  return 'format' in detected && detected.format === 'steps' ? 'pyyaml' : 'core';
}

function parseDataset({ path, text, rowFiles = NO_ROW_FILES }: SuiteText, formats: Formats): ParsedSuite {
  const { evalCase: schema, kinds } = formats.evalFile;
  const reader = new DatasetReader({ file: path, schema, kinds, defaults: {}, rowFiles });
  const tests: Test[] = [];
  const findings: Finding[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const read = reader.read(line, index + 1);
    if (read === undefined) continue;
    for (const item of read.rows ?? [read]) {
      if (item.test !== undefined) tests.push(item.test);
      for (const finding of item.findings) findings.push(finding);
    }
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
