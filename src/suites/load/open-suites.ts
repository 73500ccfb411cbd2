import { createDatasetSuite, type Formats } from '../formats/parse-suite.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Test } from '../../base/model/test.ts';
import { optimizeAsUsual, optimizeLater } from '../../base/system/optimize-later.ts';
import { discover, discoveryFindings, SUITE_EXTENSIONS } from './discover.ts';
import { DatasetBudget, DatasetText } from './dataset-text.ts';
import { knownFormats } from './known-formats.ts';
import { loadDocument } from './load-suites.ts';
import { openLongSuite } from './open-long-suite.ts';
import { createRootFinder } from './project-root.ts';
import { streamBatches } from './read-dataset.ts';
import { readSuiteFile } from './read-suite-file.ts';
import { readSidecar } from './sidecars.ts';
import { isDataset } from '../../base/model/suite-lines.ts';

/**
 * A suite that was checked as a whole and can run. A large dataset is read again during the run, so it is never in
 * memory as a whole.
 */
export interface OpenSuite extends Omit<Suite, 'tests'> {
  /** The hash of its text; undefined for a dataset, whose text may be too long to be in memory as a whole. */
  readonly hash?: string | undefined;
  readonly testCount: number;
  readonly skippedCount: number;
  /** How many of the others run how often; undefined stands for tests that do not say. */
  readonly repeats: ReadonlyMap<number | undefined, number>;
  /** A test sets how often it must pass. */
  readonly hasGates: boolean;
  readonly hasOnly: boolean;
  /** The targets that its tests name; undefined stands for tests that name none. */
  readonly targets: ReadonlySet<string | undefined>;
  /** Those that one test names together with others. */
  readonly joint: ReadonlySet<string>;
  /** Its tests in batches: a step of an async iterator costs as much as a fast test. */
  batches(): Iterable<readonly Test[]> | AsyncIterable<readonly Test[]>;
}

export interface OpenSuites {
  /** The suites without errors. */
  readonly suites: readonly OpenSuite[];
  readonly findings: readonly Finding[];
}

/** The formats for a file: which evaluators it may use depends on its config. */
export type FormatsOf = (file: string) => Formats | Promise<Formats>;

/** Checks every file. A file with an error does not run; the others do. */
export async function openSuites(
  paths: readonly string[],
  formatsOf: FormatsOf = knownFormats,
): Promise<OpenSuites> {
  const discovery = await discover(paths);
  const { files } = discovery;
  if (files.length >= MANY_FILES) optimizeLater();
  const findings = discoveryFindings(discovery);
  const suites: OpenSuite[] = [];
  const rootOf = createRootFinder(process.cwd());
  const budget = new DatasetBudget();
  for (const file of files) {
    const root = rootOf(file);
    const reading = { root, budget, formats: await formatsOf(file) };
    const opened = isDataset(file) ? await openDataset(file, reading) : await openDocument(file, reading);
    // Not push(...): a file may have more findings than a call may have arguments.
    for (const finding of opened.findings) findings.push(finding);
    if (opened.suite !== undefined && !hasErrors(opened.findings)) suites.push(opened.suite);
  }
  if (suites.reduce((sum, { testCount }) => sum + testCount, 0) >= MANY_TESTS) optimizeAsUsual();
  return { suites, findings };
}

const MANY_FILES = 100;
const MANY_TESTS = 5000;

interface Opened {
  readonly suite?: OpenSuite | undefined;
  readonly findings: readonly Finding[];
}

interface Reading {
  readonly root: string;
  readonly formats: Formats;
  readonly budget: DatasetBudget;
}

async function openDocument(file: string, { root, formats }: Reading): Promise<Opened> {
  const read = SUITE_EXTENSIONS.test(file) ? readSuiteFile(file) : undefined;
  let listed: SuiteFacts | undefined;
  const onTest = (test: Test): void => (listed ??= new SuiteFacts()).add(test);
  const long = openLongSuite(file, root, { onTest, formats, read });
  if (long !== undefined) {
    const { suite: known, hash: hashOfLong, findings: found, batches } = long;
    return {
      suite: openSuite(known, listed ?? new SuiteFacts(), { hash: hashOfLong, batches }),
      findings: found,
    };
  }
  const { suite, findings, hash } = await loadDocument(file, { root, formats, read });
  return { suite: suite && openWhole(suite, hash), findings };
}

/** A function of its own: `batches` keeps what is in scope, and the text of the file is no longer needed. */
function openWhole(suite: Suite, hash: string | undefined): OpenSuite {
  const { tests } = suite;
  const facts = new SuiteFacts();
  for (const test of tests) facts.add(test);
  return openSuite(suite, facts, { hash, batches: () => [tests] });
}

/** Every field by its name: spreading takes several times as long, for each file. */
function openSuite(
  { file, format, dataset, description, written_for }: Omit<Suite, 'tests'>,
  { testCount, skippedCount, repeats, hasGates, hasOnly, targets, joint }: SuiteFacts,
  { hash, batches }: Pick<OpenSuite, 'hash' | 'batches'>,
): OpenSuite {
  return {
    file,
    format,
    dataset,
    description,
    written_for,
    hash,
    testCount,
    skippedCount,
    repeats,
    hasGates,
    hasOnly,
    targets,
    joint,
    batches,
  };
}

/** A first pass over all lines; running is a second one. */
async function openDataset(file: string, { root, formats, budget }: Reading): Promise<Opened> {
  const sidecar = readSidecar(file, formats);
  const context = { formats, root, sidecar, text: new DatasetText(budget) };
  const findings: Finding[] = [];
  const facts = new SuiteFacts();
  for await (const batch of streamBatches(file, context)) {
    for (const { test, findings: found } of batch) {
      if (test !== undefined) facts.add(test);
      for (const finding of found) findings.push(finding);
    }
  }
  const suite = createDatasetSuite(file, sidecar, []);
  const batches = (): AsyncIterable<readonly Test[]> => datasetTests(file, context);
  return { suite: openSuite(suite, facts, { hash: undefined, batches }), findings };
}

async function* datasetTests(
  file: string,
  context: Parameters<typeof streamBatches>[1],
): AsyncGenerator<readonly Test[]> {
  // A file with a duplicate id has an error, and does not run. During a long run a table of ids would only grow.
  for await (const batch of streamBatches(file, { ...context, areIdsKnown: true })) {
    const tests: Test[] = [];
    for (const { test } of batch) if (test !== undefined) tests.push(test);
    yield tests;
  }
}

const NONE: ReadonlySet<string> = new Set();

class SuiteFacts {
  testCount = 0;
  skippedCount = 0;
  hasOnly = false;
  hasGates = false;
  readonly repeats = new Map<number | undefined, number>();
  readonly targets = new Set<string | undefined>();
  joint: ReadonlySet<string> = NONE;

  add(test: Test): void {
    this.testCount++;
    this.hasOnly ||= test.only === true;
    this.hasGates ||= test.pass_at_least !== undefined;
    if (test.skip === undefined) this.repeats.set(test.repeats, (this.repeats.get(test.repeats) ?? 0) + 1);
    else this.skippedCount++;
    if (test.targets === undefined) this.targets.add(test.target);
    else {
      for (const target of test.targets) this.targets.add(target);
      const isNew = test.targets.some((target) => !this.joint.has(target));
      if (isNew) this.joint = new Set([...this.joint, ...test.targets]);
    }
  }
}
