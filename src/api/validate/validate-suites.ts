import type { Json } from '../../base/model/json.ts';
import { ConfigFiles } from '../../suites/config/config-files.ts';
import { readDotEnv } from '../../suites/config/dot-env.ts';
import type { Formats } from '../../suites/formats/parse-suite.ts';
import { discover, discoveryFindings } from '../../suites/load/discover.ts';
import { loadSuite } from '../../suites/load/load-suites.ts';
import { openLongSuite } from '../../suites/load/open-long-suite.ts';
import { createRootFinder, findProjectRoot } from '../../suites/load/project-root.ts';
import { streamBatches } from '../../suites/load/read-dataset.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Test } from '../../base/model/test.ts';
import { isDataset } from '../../base/model/suite-lines.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import type { Excerpt } from '../../show/reporters/code-frame.ts';
import { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { withConfigDefaults } from '../basics/with-config-defaults.ts';
import { nothingFound } from '../basics/nothing-found.ts';
import { ValidationPreflight } from './validation-preflight.ts';

export interface ValidateOptions {
  /** Paths, globs or parts of names. Default: the current folder. */
  readonly paths: readonly string[];
  readonly env: Environment;
  /** Configs that are code are executed. */
  readonly trustConfig: boolean;
  /** Warnings are errors. */
  readonly strict?: boolean | undefined;
  readonly passWithNoTests: boolean;
  /** Called with the names of variables whose values must not be shown. */
  readonly onSecrets: (names: readonly string[], config: Json | undefined) => void;
}

export interface ValidationCounts {
  files: number;
  tests: number;
  errors: number;
  warnings: number;
}

export interface FoundFinding {
  readonly finding: Finding;
  /** Its place, if that was already read. */
  readonly excerpt?: Excerpt | undefined;
}

/** Checks every file and reports everything that is wrong. A dataset is streamed, and so are its findings. */
export async function validateSuites(
  given: ValidateOptions,
  onFinding: (found: FoundFinding) => Promise<void>,
): Promise<Readonly<ValidationCounts>> {
  const options = await withConfigDefaults(given, { mayExecute: given.trustConfig });
  const counts: ValidationCounts = { files: 0, tests: 0, errors: 0, warnings: 0 };
  for await (const { finding, excerpt } of findings(options, counts)) {
    const severity = options.strict === true ? 'error' : finding.severity;
    counts[severity === 'error' ? 'errors' : 'warnings']++;
    await onFinding({ finding: { ...finding, severity }, excerpt });
  }
  if (counts.files === 0 && counts.errors === 0 && !options.passWithNoTests) {
    counts.errors++;
    await onFinding({ finding: nothingFound(options.paths) });
  }
  return counts;
}

async function* findings(options: ValidateOptions, counts: ValidationCounts): AsyncGenerator<FoundFinding> {
  const discovery = await discover(options.paths);
  for (const finding of discoveryFindings(discovery)) yield { finding };
  yield* fileFindings(discovery.files, { ...options, counts });
}

export interface FileOptions extends Pick<ValidateOptions, 'env' | 'trustConfig' | 'onSecrets'> {
  readonly counts: ValidationCounts;
  /** Called with each test that could be read. */
  readonly onTest?: (test: Test) => void;
}

/** What is wrong with some files, and with the configs that apply to them. */
export async function* fileFindings(
  files: readonly string[],
  { env, trustConfig, onSecrets, counts, onTest }: FileOptions,
): AsyncGenerator<FoundFinding> {
  const rootOf = createRootFinder(process.cwd());
  const configs = new ConfigFiles({
    rootOf,
    mayExecute: trustConfig,
    onSecrets,
  });
  for (const finding of await configs.findings(files)) yield { finding };
  const projectRoot = findProjectRoot(process.cwd());
  const environment = readDotEnv(projectRoot, env);
  for (const finding of environment.findings) yield { finding };
  const evaluators = new ProjectEvaluators({ mayExecute: trustConfig, onSecrets });
  const preflight = new ValidationPreflight({
    projectRoot,
    kinds: evaluators.kinds,
    env: environment.env,
    configOf: (file) => configs.of(file),
  });
  let reported = 0;
  try {
    for (const file of files) {
      counts.files++;
      const formats = await evaluators.formatsOf(file);
      const read = { file, root: rootOf(file), formats, preflight, counts, onTest };
      for (const finding of evaluators.findings.slice(reported)) yield { finding };
      reported = evaluators.findings.length;
      yield* isDataset(file) ? datasetFindings(read) : documentFindings(read);
    }
    // Whether unread evaluators are used is known when the suites were read.
    for (const finding of evaluators.findings.slice(reported)) yield { finding };
  } finally {
    await evaluators.close();
  }
}

interface ReadFile {
  readonly file: string;
  readonly root: string;
  readonly formats: Formats;
  readonly preflight: ValidationPreflight;
  readonly counts: ValidationCounts;
  readonly onTest?: ((test: Test) => void) | undefined;
}

async function* documentFindings({
  file,
  root,
  formats,
  preflight,
  counts,
  onTest,
}: ReadFile): AsyncGenerator<FoundFinding> {
  const long = openLongSuite(file, root, { formats });
  const loaded = long === undefined ? await loadSuite(file, root, formats) : undefined;
  for (const finding of long?.findings ?? loaded!.findings) yield { finding };
  for (const batch of long?.batches() ?? [loaded?.suite?.tests ?? []]) {
    for (const test of batch) {
      counts.tests++;
      onTest?.(test);
      for (const finding of await preflight.check(file, test)) yield { finding };
    }
  }
}

async function* datasetFindings({
  file,
  root,
  formats,
  preflight,
  counts,
  onTest,
}: ReadFile): AsyncGenerator<FoundFinding> {
  for await (const batch of streamBatches(file, { formats, root })) {
    for (const { test, line, text, findings: found } of batch) {
      if (test !== undefined) {
        counts.tests++;
        onTest?.(test);
      }
      const lacking = test === undefined ? [] : await preflight.check(file, test);
      for (const finding of [...found, ...lacking]) {
        const isOfLine = line !== 0 && finding.file === file && finding.line === line;
        yield isOfLine ? { finding, excerpt: { firstLine: line, lines: [asShown(text)] } } : { finding };
      }
    }
  }
}

/** Columns of a line do not count the file's byte order mark, and its CR ends it. */
function asShown(line: string): string {
  return line.replace(/^\uFEFF/, '').replace(/\r$/, '');
}
