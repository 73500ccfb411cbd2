import { readExcerptInProject } from '../api/basics/excerpt.ts';
import { describeOptions, type RunResult } from '../api/basics/run-options.ts';
import { run } from '../api/run/run.ts';
import { DecidedTests } from '../runs/fold/decided-tests.ts';
import { RunFold } from '../runs/fold/run-fold.ts';
import type { TestResult } from '../runs/fold/test-result.ts';
import { allProblems } from '../base/model/all-problems.ts';
import type { AttemptRecord, Verdict } from '../base/model/record.ts';
import { rerunOptions, type RerunOptions } from '../base/model/rerun-command.ts';
import { testOfFile } from '../base/model/test-key.ts';
import { failureContext } from '../show/reporters/failure-context.ts';
import { failureBody } from '../show/reporters/failure-text.ts';
import { repeatWords } from '../show/reporters/repeat-words.ts';
import { problemsOfRun } from '../show/reporters/run-problems.ts';
import type { AssaySuiteOptions, Task } from './assay-suite.ts';
import { outliveVitest } from './outlive-vitest.ts';
import { SuiteFailure, findingFailure } from './suite-failure.ts';
import { NO_COLORS } from '../show/reporters/colors.ts';

export interface NamedTest {
  readonly file: string;
  readonly test: string;
  readonly line: number;
  readonly column: number;
  readonly tags: readonly string[];
}

export interface SuiteResult extends RecordedTest {
  readonly verdict: Verdict;
  /** Why it was skipped. */
  readonly reason?: string | undefined;
  readonly failure?: Error | undefined;
}

/** What a test has in its `meta`. */
export interface RecordedTest {
  /** The record that decides; absent if the run has none. */
  readonly assay_record?: AttemptRecord | undefined;
  /** Those of all its targets and repeats. */
  readonly assay_records?: readonly AttemptRecord[] | undefined;
}

type RunTest = TestResult<AttemptRecord>;
type Results = ReadonlyMap<string, SuiteResult>;

interface Finished {
  readonly results: Results;
  readonly result: RunResult;
}

/** One run for the tests of a call of `assaySuite`: those that vitest does not skip. */
export class SuiteRun {
  private readonly paths: readonly string[];
  private readonly options: AssaySuiteOptions;
  private readonly all: readonly NamedTest[];
  private started: Promise<Finished> | undefined;
  private finished: Finished | undefined;

  constructor(paths: readonly string[], all: readonly NamedTest[], options: AssaySuiteOptions) {
    this.paths = paths;
    this.all = all;
    this.options = options;
  }

  /** The first test that is asked for starts the run. `group` holds the tests of the call. */
  async resultOf(test: NamedTest, group: Task): Promise<SuiteResult> {
    try {
      this.started ??= this.start(group);
      this.finished = await this.started;
    } catch (error) {
      return { verdict: 'error', failure: stopFailure(error, test) };
    }
    const { results, result } = this.finished;
    const found = results.get(testOfFile(test.file, test.test));
    if (found !== undefined) return found;
    return { verdict: 'error', failure: missingFailure(test, result) };
  }

  /** Throws if the run must not be green, although every test is. */
  check(): void {
    if (this.finished === undefined) return;
    const { results, result } = this.finished;
    const isExplained = [...results.values()].some(({ failure }) => failure !== undefined);
    if (result.exit_code === 0 || isExplained) return;
    const errors = result.findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw findingFailure(errors);
    const head = `the run ended with exit code ${result.exit_code}`;
    throw new SuiteFailure([head, ...reasonsOf(result)].join('\n'), { place: this.all[0]! });
  }

  private async start(group: Task): Promise<Finished> {
    const wanted = chosenTests(this.all, group);
    const selected =
      wanted.length === this.all.length ? { paths: this.paths } : selectExactly(wanted, this.all);
    const ci = this.options.ci ?? /^\s*(?!0|false|no|off)\S/i.test(process.env['CI'] ?? '');
    const result = await outliveVitest((gone) => {
      const signal = AbortSignal.any([
        gone,
        ...(this.options.signal === undefined ? [] : [this.options.signal]),
      ]);
      return run({ ...this.options, ...selected, ci, signal });
    });
    return { result, results: await foldResults(result, this.options) };
  }
}

/** Those that vitest runs: a filter skips the others. */
function chosenTests(all: readonly NamedTest[], group: Task): readonly NamedTest[] {
  const skipped = new Set<string>();
  const hasFiles = (group.tasks ?? []).some(({ tasks }) => tasks !== undefined);
  const file = all[0]!.file;
  const visit = (tasks: readonly Task[], of: string): void => {
    for (const { name, mode, tasks: own } of tasks) {
      if (own !== undefined) visit(own, name);
      else if (mode === 'skip' || mode === 'todo') skipped.add(testOfFile(of, name));
    }
  };
  visit(group.tasks ?? [], hasFiles ? '' : file);
  return all.filter((test) => !skipped.has(testOfFile(test.file, test.test)));
}

/** By their lines; by their names too where several tests share a line. */
function selectExactly(
  wanted: readonly NamedTest[],
  all: readonly NamedTest[],
): { readonly paths: readonly string[]; readonly grep?: string } {
  const counts = new Map<string, number>();
  for (const { file, line } of all) counts.set(`${file}:${line}`, (counts.get(`${file}:${line}`) ?? 0) + 1);
  const isShared = (file: string): boolean =>
    all.some((test) => test.file === file && counts.get(`${file}:${test.line}`)! > 1);
  const shared = new Set([...new Set(wanted.map(({ file }) => file))].filter(isShared));
  const paths = [...new Set(wanted.map(({ file, line }) => (shared.has(file) ? file : `${file}:${line}`)))];
  if (shared.size === 0) return { paths };
  const names = wanted.map(({ test }) => test.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return { paths, grep: `^(?:${names.join('|')})$` };
}

async function foldResults(
  { records, tests, run_id, summary }: RunResult,
  options: AssaySuiteOptions,
): Promise<Results> {
  const decided = new DecidedTests(tests);
  const fold = new RunFold<AttemptRecord>();
  for (const record of records) fold.add(record, record);
  const byTest = new Map<string, RunTest[]>();
  for (const test of fold.tests) {
    const key = testOfFile(test.file, test.test);
    byTest.set(key, [...(byTest.get(key) ?? []), test]);
  }
  const results = new Map<string, SuiteResult>();
  const targets = [...new Set(records.map(({ target }) => target))].map((name) => ({ name }));
  const asked = rerunOptions([{ options: describeOptions({ ...options, rules: summary.rules }), targets }]);
  const hasTargets = targets.length > 1;
  for (const [key, own] of byTest)
    results.set(key, await resultOf(own, { decided, run_id, hasTargets, asked }));
  return results;
}

interface RunFacts {
  readonly decided: DecidedTests;
  readonly run_id: string;
  /** The run has several targets: a failure says whose it is. */
  readonly hasTargets: boolean;
  readonly asked: RerunOptions;
}

/** A test of several targets fails if it fails for one of them. */
async function resultOf(tests: readonly RunTest[], facts: RunFacts): Promise<SuiteResult> {
  const verdicts = tests.map((test) => facts.decided.verdictOf(test));
  const verdict = WORST_FIRST.find((one) => verdicts.includes(one))!;
  const records = tests.flatMap(({ attempts }) => attempts);
  const [first] = records;
  const recorded = (record: AttemptRecord): RecordedTest => ({
    assay_record: record,
    assay_records: records,
  });
  if (verdict === 'passed')
    return { verdict, ...recorded(records.find((one) => one.verdict === 'passed') ?? first!) };
  if (verdict === 'skipped') return { verdict, reason: first!.skip_reason, ...recorded(first!) };
  const open = tests.flatMap(({ attempts }, index) => (verdicts[index] === verdict ? attempts : []));
  const shown =
    open.find((record) => record.verdict === 'failed') ??
    open.find((record) => record.verdict === 'error') ??
    first!;
  return { verdict, failure: await failureOf(shown, { verdict, ...facts }), ...recorded(shown) };
}

const WORST_FIRST: readonly Verdict[] = ['failed', 'error', 'not_graded', 'passed', 'skipped'];

async function failureOf(
  record: AttemptRecord,
  facts: RunFacts & { readonly verdict: Verdict },
): Promise<SuiteFailure> {
  const summary = facts.decided.find(record);
  const context = failureContext(
    { colors: NO_COLORS, excerptAt: readExcerptInProject, program: 'npx assay' },
    { run_id: facts.run_id, cwd: process.cwd(), asked: facts.asked },
  );
  const kind = record.error === undefined ? '' : ` (${record.error.kind})`;
  const head = [
    facts.verdict === 'error' ? `could not be measured${kind}` : 'failed',
    ...(summary === undefined ? [] : [repeatWords(summary)]),
  ].join(': ');
  const isBad = record.verdict === 'failed' || record.verdict === 'error';
  const body = isBad ? `\n${(await failureBody(record, context)).trimEnd()}` : '';
  const [problem = record] = allProblems(record);
  const name = facts.hasTargets ? `${record.test} [${record.target}]` : record.test;
  return new SuiteFailure(`${name} ${head}${body}`, { place: problem, name: record.test });
}

/** The run has no result of a test. */
function missingFailure(test: NamedTest, result: RunResult): SuiteFailure {
  const errors = result.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return findingFailure(errors);
  const facts = { place: test, name: test.test };
  if (result.summary.interrupted || result.summary.not_started > 0)
    return new SuiteFailure(
      ['the run stopped before this test ended', ...reasonsOf(result)].join('\n'),
      facts,
    );
  const hint = 'run vitest again: the file changed after it was read';
  return new SuiteFailure('the run has no result of this test', { ...facts, hint });
}

function reasonsOf(result: RunResult): readonly string[] {
  return problemsOfRun(result).map(({ title, message }) => `${title}: ${message}`);
}

/** The run could not start, or was cut off. */
function stopFailure(error: unknown, test: NamedTest): Error {
  const {
    message = String(error),
    hint,
    findings = [],
  } = error as {
    readonly message?: string;
    readonly hint?: string;
    readonly findings?: Parameters<typeof findingFailure>[0];
  };
  if (findings.length > 0) return findingFailure(findings);
  const failure = new SuiteFailure(message, { place: test, name: test.test, hint });
  failure.cause = error;
  return failure;
}
