import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Agent } from '../agents/contract.ts';
import { untilAborted } from '../agents/until-aborted.ts';
import { createAssertionKinds } from '../assertions/registry.ts';
import { TargetResolver, type TargetChoice } from '../config/target-resolver.ts';
import type { AssayConfig } from '../config/config.ts';
import { parseDuration } from '../config/duration.ts';
import type { RunEnding } from '../journal/run-directory.ts';
import type { OpenSuite } from '../load/open-suites.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import { hideCredentials } from '../match/url-credentials.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import type { Comparison, RegressionRule } from '../model/comparison.ts';
import type { GateRules } from '../model/gate.ts';
import type { JsonObject } from '../model/json.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Summary, TestSummary } from '../model/summary.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { limitSessions } from '../run/limit-sessions.ts';
import type { PlanOptions } from '../run/plan.ts';
import { runTests, type RunTestsResult } from '../run/run-tests.ts';
import { DEFAULT_THRESHOLD } from '../model/threshold.ts';
import { askedAgain } from './asked-again.ts';
import { withComparison } from './comparison-exit.ts';
import { RunBaseline } from './run-baseline.ts';
import { createSurroundings } from './surroundings.ts';
import { createTeller } from './tell-reporters.ts';
import { exitCodeOf } from './exit-code.ts';
import { gateRules, tooFewRepeats } from './gate-rules.ts';
import { plannedAttempts, planRun } from './repeat-plan.ts';
import { RunRecord } from './run-record.ts';
import { isFiltered, selectSuites } from './select-suites.ts';

export interface RunOptions extends TargetChoice {
  /** Paths, globs or parts of names; `file.yaml:12` is the test at line 12. Default: the current folder. */
  readonly paths?: readonly string[];
  readonly grep?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly workers?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** How often each test is made, whatever it says; `auto`: until its gate is decided. */
  readonly repeats?: number | 'auto' | undefined;
  /** For `auto`: how sure a decision must be. Default: 0.95. */
  readonly confidence?: number | undefined;
  /** For `auto`: how often a test is made at most. Default: 50. */
  readonly maxRepeats?: number | undefined;
  /** Gate: what share of the measured attempts must pass. */
  readonly minPassRate?: number | undefined;
  /** Gate: how many tests may be flaky; below 1, what share of those that were repeated. */
  readonly maxFlaky?: number | undefined;
  /** What share of the planned attempts must be measured for a gate to be decided. Default: 0.9. */
  readonly minCoverage?: number | undefined;
  /** Nothing more is started once the run has cost this much, in USD. */
  readonly maxCost?: number | undefined;
  /** How often an attempt is done again after an infrastructure failure. Default: 2. */
  readonly retries?: number | undefined;
  readonly threshold?: number | undefined;
  /** Stop after this many tests that failed or could not be measured. */
  readonly bail?: number | undefined;
  /** Only the attempts of the latest run that did not pass. */
  readonly lastFailed?: boolean | undefined;
  /** Warnings of the files are errors. */
  readonly strict?: boolean | undefined;
  readonly passWithNoTests?: boolean | undefined;
  /** `only` is refused: a forgotten one would hide every other test. */
  readonly ci?: boolean | undefined;
  /** Programs that suites name may run. */
  readonly allowScripts?: boolean | undefined;
  /** Answers of judges are kept in `.assay/cache`. Default: true. */
  readonly useCache?: boolean | undefined;
  /** Continue a run: its id, or true for the latest one of the same files. */
  readonly resume?: string | true | undefined;
  /** Write the run to `.assay/runs`. Default: true. */
  readonly record?: boolean | undefined;
  /** Compare with this run or baseline file at the end; a regression is exit code 1. */
  readonly baseline?: string | undefined;
  /** What counts as a regression. Default: a test that went from passed to failed. */
  readonly failOn?: RegressionRule | undefined;
  readonly reporters?: readonly Reporter[];
  readonly signal?: AbortSignal | undefined;
}

export interface RunResult {
  readonly run_id: string;
  readonly exit_code: number;
  readonly summary: Summary;
  readonly findings: readonly Finding[];
  /** With the baseline, when one was named. */
  readonly comparison?: Comparison | undefined;
  /** The tests that are repeated or have a gate. */
  readonly tests: readonly TestSummary[];
  readonly records: readonly AttemptRecord[];
}

const DEFAULT_TIMEOUT_MS = 120_000;

/** Runs suites and answers with what came of them. It never exits the process; misuse and bad configs throw. */
export async function run(options: RunOptions): Promise<RunResult> {
  const records: AttemptRecord[] = [];
  const reporter: Reporter = { onResult: (record) => void records.push(record) };
  const result = await runAndReport({ ...options, reporters: [...(options.reporters ?? []), reporter] });
  return { ...result, records };
}

/** The same, holding no records: the reporters are told each as it comes. */
export async function runAndReport(options: RunOptions): Promise<Omit<RunResult, 'records'>> {
  const { reporters = [] } = options;
  const allFindings: Finding[] = [];
  const collector: Reporter = { onFinding: (finding) => void allFindings.push(finding) };
  const tell = createTeller([...reporters, collector]);
  const { suites, findings, selection, projectRoot, isNothingLeft } = await selectSuites(options);
  const baseline =
    options.baseline === undefined ? undefined : new RunBaseline(options.baseline, projectRoot);
  const resolver = new TargetResolver(options, process.cwd(), process.env);
  await startAgents(resolver, suites, options.signal);
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const rules = gateRules(options, config);
  const repeats = { asked: options.repeats, configured: config.repeats };
  const agents = resolver.agents();
  const redactor = await resolver.redactor();
  const broken = new AbortController();
  const asked = redactor.value(describeOptions({ ...options, rules }));
  const record =
    options.record === false || isNothingLeft
      ? undefined
      : await closingOnError(
          agents,
          () =>
            new RunRecord({
              projectRoot,
              suites,
              asked,
              resume: options.resume,
              onError: (error) => broken.abort(error),
            }),
        );
  const run_id = record?.directory.runId ?? '';
  const find = (authored: Finding): Finding => {
    const finding = redactor.value(authored);
    tell('onFinding', finding);
    return finding;
  };
  // Those of an attempt stand in its record.
  const findingsOfRun: Finding[] = [];
  const findInRun = (authored: Finding): void => void findingsOfRun.push(find(authored));
  const planned = isFiltered(selection) ? undefined : plannedAttempts(suites, repeats);
  record?.live.plan(planned);
  tell('onRunStart', {
    run_id,
    planned,
    agents: agents.map(({ name }) => redactor.text(name)),
    cwd: process.cwd(),
    asked: askedAgain([asked]),
  });
  for (const finding of [...findings, ...resolver.findings]) findInRun(finding);
  if (options.resume !== undefined && record?.isContinued === false) findInRun(nothingToResume(run_id));
  for (const { path, runId } of record?.damaged ?? []) findInRun(damagedRun(path, runId));
  const isOwnBaseline = baseline?.isRun(record?.directory) === true;
  if (isOwnBaseline) findInRun(ownBaseline(run_id));
  const tooFew = tooFewRepeats(rules.adaptive);
  if (tooFew !== undefined) findInRun(tooFew);

  const runner = runnerOptions(options, config, agents);
  const signal = AbortSignal.any([...(options.signal === undefined ? [] : [options.signal]), broken.signal]);
  // Every attempt under way listens to it.
  setMaxListeners(0, signal);
  let ended: RunTestsResult;
  let resumed = 0;
  try {
    ended = await runTests(
      {
        ...runner,
        ...planRun(suites, {
          ...selection,
          ...repeats,
          adaptive: rules.adaptive,
          threshold: runner.threshold,
          targetOf: targetsOf(resolver, options.workers ?? config.workers, signal),
          signal,
        }),
        rules,
        kinds: createAssertionKinds(),
        surroundings: createSurroundings({
          resolver,
          projectRoot,
          allowScripts: options.allowScripts === true,
          useCache: options.useCache !== false,
        }),
        signal,
        recorded: (id, fingerprint) => record?.recorded(redactor.text(id), fingerprint),
      },
      {
        onStart({ id, file, test }) {
          const attempt = redactor.value({ id, file, test: test.id });
          record?.live.began(attempt);
          tell('onAttemptStart', attempt);
        },
        onResult(measured) {
          const result = redactor.value(measured);
          record?.append(result);
          record?.live.ended(result.id);
          baseline?.add(result);
          tell('onResult', result);
        },
        onRecorded(result) {
          resumed++;
          baseline?.add(result);
          for (const finding of result.findings ?? []) find(finding);
          tell('onResult', redactor.value(result));
        },
        onFinding: (finding) => void find(finding),
      },
    );
  } catch (error) {
    record?.abandon();
    throw error;
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }

  const { summary } = ended;
  const tests = redactor.value(ended.tests);
  const comparison = isOwnBaseline ? undefined : baseline?.compare(run_id, options.failOn);
  const exitCode = (): number => {
    const own = exitCodeOf({
      // What was broken off because it could not be recorded is not what somebody interrupted.
      summary: { ...summary, interrupted: summary.interrupted && options.signal?.aborted === true },
      hasErrors: hasErrors(allFindings),
      passWithNoTests: options.passWithNoTests === true || isNothingLeft,
    });
    return withComparison(own, comparison);
  };
  if (exitCode() === 2 && !hasErrors(allFindings) && !broken.signal.aborted)
    findInRun(nothingRan(options.paths ?? [], summary));
  const ending = { exit_code: exitCode(), summary, findings: findingsOfRun };
  const failure = endRecord(record, ending, broken.signal);
  if (failure !== undefined) find(failure);
  const exit_code = exitCode();
  await tell.end({ summary, tests, exit_code, resumed, comparison, directory: record?.directory.path });
  return { run_id, exit_code, summary, tests, comparison, findings: allFindings };
}

/** Agents may take long to start, and an interrupt does not wait for them. */
async function startAgents(
  resolver: TargetResolver,
  suites: readonly OpenSuite[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const started = resolver.prepare(suites);
  if (signal === undefined) return started;
  try {
    await untilAborted(started, signal);
  } catch (error) {
    const close = () => Promise.all(resolver.agents().map((agent) => agent.close()));
    void started.then(close, () => {});
    throw error;
  }
}

/** A run that cannot begin leaves no agent behind. */
async function closingOnError<T>(agents: readonly Agent[], begin: () => T | Promise<T>): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    await Promise.all(agents.map((agent) => agent.close()));
    throw error;
  }
}

function runnerOptions(options: RunOptions, config: AssayConfig, agents: readonly Agent[]) {
  const configured = config.timeout === undefined ? undefined : parseDuration(String(config.timeout));
  return {
    retries: options.retries,
    bail: options.bail,
    maxCost: options.maxCost ?? config.max_cost,
    threshold: options.threshold ?? config.threshold ?? DEFAULT_THRESHOLD,
    workers: options.workers ?? config.workers ?? Math.max(1, ...agents.map(({ workers }) => workers)),
    timeoutMs: options.timeoutMs ?? configured ?? DEFAULT_TIMEOUT_MS,
  };
}

/** An agent that can be overloaded, or shares the workers of a run with another, is kept to its own number. */
function targetsOf(
  resolver: TargetResolver,
  workers: number | undefined,
  signal: AbortSignal,
): PlanOptions['targetOf'] {
  const agents = resolver.agents();
  const limited = new Map(
    agents.map((agent) => {
      const most = workers ?? agent.workers;
      return [agent, agents.length > 1 || most > 1 ? limitSessions(agent, { most, signal }) : agent];
    }),
  );
  return (suite, test) => {
    const { name, agent, identity } = resolver.targetOf(suite.file, test.target);
    return { name, agent: limited.get(agent)!, identity };
  };
}

/** What was asked, without what only this process knows. */
function describeOptions({
  reporters: _reporters,
  signal: _signal,
  ...asked
}: RunOptions & { readonly rules: GateRules }): JsonObject {
  const { agent } = asked;
  const shown = typeof agent === 'string' ? { ...asked, agent: hideCredentials(agent) } : asked;
  return JSON.parse(JSON.stringify(shown)) as JsonObject;
}

/** What kept the run from being recorded to its end, if something did. */
function endRecord(
  record: RunRecord | undefined,
  ending: Omit<RunEnding, 'run_id'>,
  broken: AbortSignal,
): Finding | undefined {
  if (record === undefined) return undefined;
  try {
    broken.throwIfAborted();
    record.end(ending);
    return undefined;
  } catch (error) {
    record.abandon();
    const hint = 'what was recorded before is kept; `--resume` goes on from there';
    return fileFinding(record.directory.path, 'not_recorded', (error as Error).message, hint);
  }
}

function damagedRun(path: string, runId: string): Finding {
  const file = join(path, 'run.json');
  const finding = fileFinding(
    file,
    'damaged_run',
    'this run is passed over: its run.json cannot be read, so nobody knows which files it was of',
    `to continue it, say --resume=${runId}`,
  );
  return { ...finding, severity: 'warning' };
}

function nothingToResume(run_id: string): Finding {
  const finding = fileFinding(
    run_id,
    'nothing_to_resume',
    'there is no earlier run of these files: this is a new one',
  );
  return { ...finding, severity: 'warning' };
}

function ownBaseline(run_id: string): Finding {
  return fileFinding(
    run_id,
    'own_baseline',
    'the run that goes on is its own baseline',
    'name an earlier run, or a baseline file',
  );
}

function nothingRan(paths: readonly string[], { skipped, tests }: Summary): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  const message = tests > 0 && skipped === tests ? 'every test is skipped' : 'no test was run';
  return fileFinding(where, 'no_tests', message, 'check the paths and filters, or say --pass-with-no-tests');
}
