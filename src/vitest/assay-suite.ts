import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from '../api/basics/run-options.ts';
import { listTests } from '../api/list/list-tests.ts';
import type { Test } from '../base/model/test.ts';
import { didYouMean } from '../base/schema/did-you-mean.ts';
import { SuiteFailure, findingFailure } from './suite-failure.ts';
import { SuiteRun, type NamedTest } from './suite-run.ts';

/** Which tests run, and how: what `assay run` takes, without what only a command line can decide. */
export type AssaySuiteOptions = Omit<
  RunOptions,
  | 'paths'
  | 'resume'
  | 'lastFailed'
  | 'passWithNoTests'
  | 'shard'
  | 'shardBy'
  | 'queue'
  | 'lostAfterMs'
  | 'patienceMs'
  | 'reporters'
  | 'bail'
>;

/** A suite file, a folder or a glob: relative to the test file or to the current folder. */
export type SuitePath = string | URL;

export type AssaySuite = (paths: SuitePath | readonly SuitePath[], options?: AssaySuiteOptions) => void;

/** The parts of vitest that are needed. */
export interface VitestApi {
  describe(name: string, define: () => void | Promise<void>): unknown;
  test(
    name: string,
    options: { readonly timeout: number; readonly tags?: readonly string[] },
    run: (context: TestContext) => Promise<void>,
  ): unknown;
  afterAll(check: () => void): unknown;
  /** The file that is being collected. */
  currentFile(): string | undefined;
  /** The tags that tests may have. Default: none. */
  knowsTag?(tag: string): boolean;
}

export interface TestContext {
  readonly task: Task;
  skip(note?: string): unknown;
}

/** A test or a group of them, as vitest keeps it. */
export interface Task {
  readonly name: string;
  readonly mode: string;
  /** What reporters and hooks of vitest read. */
  readonly meta: object;
  readonly suite?: Task | undefined;
  readonly tasks?: readonly Task[] | undefined;
}

/** Makes every test of suites a test of vitest. Nothing runs before the first of them does. */
export function createAssaySuite({
  describe,
  test,
  afterAll,
  currentFile,
  knowsTag = () => false,
}: VitestApi): AssaySuite {
  return (given, options = {}) => {
    const asked = (Array.isArray(given) ? given : [given]) as readonly SuitePath[];
    checkCall(asked, options);
    const paths = asked.map((path) => locate(path, currentFile()));
    describe(paths.join(' '), async () => {
      const files = await readTests(paths, options);
      const run = new SuiteRun(paths, [...files.values()].flat(), options);
      for (const [file, tests] of files) {
        const define = (): void => {
          for (const one of tests)
            test(one.test, optionsOf(one.tags.filter(knowsTag)), async ({ task, skip }) => {
              const { verdict, reason, failure, ...recorded } = await run.resultOf(
                one,
                groupOf(task, files.size),
              );
              Object.assign(task.meta, recorded);
              if (verdict === 'skipped') skip(reason);
              if (failure !== undefined) throw failure;
            });
        };
        if (files.size === 1) define();
        else describe(file, define);
      }
      // A broken gate of the run is a failure, even if every test passed.
      afterAll(() => run.check());
    });
  };
}

/** Mistakes that would run other tests than meant, or none, or without what was asked for. */
function checkCall(asked: readonly SuitePath[], options: AssaySuiteOptions): void {
  if (asked.length === 0 || asked.includes(''))
    throw new TypeError('assaySuite needs the path of a suite, but got none: write assaySuite("tests/")');
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new TypeError(
      `assaySuite has no option "${unknown}": ${didYouMean(unknown, Object.keys(OPTIONS)) ?? `the options are ${Object.keys(OPTIONS).join(', ')}`}`,
    );
}

/** The types make sure that none is missing. */
const OPTIONS: Readonly<Record<keyof AssaySuiteOptions, true>> = {
  agent: true,
  target: true,
  config: true,
  observe: true,
  onSecrets: true,
  isElsewhere: true,
  grep: true,
  grepInvert: true,
  tags: true,
  excludedTags: true,
  workers: true,
  timeoutMs: true,
  repeats: true,
  confidence: true,
  maxRepeats: true,
  minPassRate: true,
  maxFlaky: true,
  minCoverage: true,
  maxCost: true,
  retries: true,
  stopEarly: true,
  threshold: true,
  strict: true,
  ci: true,
  allowScripts: true,
  cassettes: true,
  cassetteTiming: true,
  useCache: true,
  changed: true,
  failedFirst: true,
  onBlocked: true,
  name: true,
  record: true,
  baseline: true,
  failOn: true,
  signal: true,
};

/** What holds every test of the call: with several files, each has a group of its own inside. */
function groupOf(task: Task, files: number): Task {
  return (files === 1 ? task.suite : task.suite?.suite) ?? task;
}

/** Assay limits each attempt itself; the first test waits for the whole run. */
function optionsOf(tags: readonly string[]): Parameters<VitestApi['test']>[1] {
  return tags.length === 0 ? { timeout: 0 } : { timeout: 0, tags };
}

/** As a person would name it on the command line. */
function locate(path: SuitePath, testFile: string | undefined): string {
  if (typeof path !== 'string') return relative('', fileURLToPath(path));
  const [, plain = path, line = ''] = /^(.+\.(?:ya?ml|jsonl?))(:\d+)$/i.exec(path) ?? [];
  const beside = testFile === undefined ? undefined : resolve(dirname(testFile), plain);
  if (beside === undefined || !existsSync(beside)) return path;
  const way = relative('', beside);
  return `${way === '' ? '.' : way}${line}`;
}

/** The tests, file by file. Throws if there are none, or a file has errors: vitest reports this for any filter. */
async function readTests(
  paths: readonly string[],
  options: AssaySuiteOptions,
): Promise<ReadonlyMap<string, readonly NamedTest[]>> {
  const files = new Map<string, NamedTest[]>();
  const add = (file: string, { id, place, tags }: Test): Promise<void> => {
    const own = files.get(file) ?? [];
    files.set(file, own);
    own.push({ file, test: id, line: place.line, column: place.column, tags });
    return Promise.resolve();
  };
  const { findings, selection } = await listTests({ ...options, paths, trustConfig: true }, add);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw findingFailure(errors);
  const hidden = selection?.left_out.only ?? 0;
  if (hidden > 0)
    throw new SuiteFailure(`\`only\` in a suite hides ${hidden} of its tests`, {
      place: { file: paths[0] ?? '.', line: 1, column: 1 },
      hint: 'remove it, and select tests with `vitest -t`',
    });
  if (files.size === 0)
    throw new SuiteFailure(`there are no tests in ${paths.join(', ')}`, {
      place: { file: paths[0] ?? '.', line: 1, column: 1 },
      hint: 'check the paths and the filters of assaySuite',
    });
  return files;
}
