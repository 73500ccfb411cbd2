import { setMaxListeners } from 'node:events';
import type { Agent } from '../agents/contract.ts';
import { createAssertionKinds } from '../assertions/registry.ts';
import { TargetResolver, type TargetChoice } from '../config/target-resolver.ts';
import type { AssayConfig } from '../config/config.ts';
import { parseDuration } from '../config/duration.ts';
import type { OpenSuite } from '../load/open-suites.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import { createRedactor } from '../match/redact-secrets.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import type { JsonObject } from '../model/json.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { limitSessions } from '../run/limit-sessions.ts';
import { planAttempts, type PlanOptions } from '../run/plan.ts';
import { runTests } from '../run/run-tests.ts';
import { DEFAULT_THRESHOLD } from '../model/threshold.ts';
import { createSurroundings } from './surroundings.ts';
import { createTeller } from './tell-reporters.ts';
import { exitCodeOf } from './exit-code.ts';
import { RunRecord } from './run-record.ts';
import { isFiltered, selectSuites } from './select-suites.ts';

export interface RunOptions extends TargetChoice {
  /** Paths, globs or parts of names; `file.yaml:12` is the test at line 12. Default: the current folder. */
  readonly paths?: readonly string[];
  readonly grep?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly workers?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly repeats?: number | undefined;
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
  readonly reporters?: readonly Reporter[];
  readonly signal?: AbortSignal | undefined;
}

export interface RunResult {
  readonly run_id: string;
  readonly exit_code: number;
  readonly summary: Summary;
  readonly findings: readonly Finding[];
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
  const { reporters = [], passWithNoTests = false } = options;
  const tell = createTeller(reporters);
  const { suites, findings, selection, projectRoot } = await selectSuites(options);
  const resolver = new TargetResolver(options, process.cwd(), process.env);
  await resolver.prepare(suites);
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const agents = resolver.agents();
  const broken = new AbortController();
  const record =
    options.record === false
      ? undefined
      : await closingOnError(
          agents,
          () =>
            new RunRecord({
              projectRoot,
              suites,
              asked: createRedactor(resolver.env).value(describeOptions(options)),
              resume: options.resume,
              onError: (error) => broken.abort(error),
            }),
        );
  const run_id = record?.directory.runId ?? '';
  const allFindings: Finding[] = [];
  const redactor = createRedactor(resolver.env, config.secrets);
  const find = (authored: Finding): void => {
    const finding = redactor.value(authored);
    allFindings.push(finding);
    tell('onFinding', finding);
  };
  const planned = isFiltered(selection) ? undefined : plannedAttempts(suites, options.repeats ?? 1);
  record?.live.plan(planned === undefined ? undefined : sum(planned.values()));
  tell('onRunStart', { run_id, planned, agents: agents.map(({ name }) => name) });
  for (const finding of [...findings, ...resolver.findings]) find(finding);
  if (options.resume !== undefined && record?.isContinued === false) find(nothingToResume(run_id));

  const runner = runnerOptions(options, config, agents);
  const signal = AbortSignal.any([...(options.signal === undefined ? [] : [options.signal]), broken.signal]);
  // Every attempt under way listens to it.
  setMaxListeners(0, signal);
  let summary: Summary;
  let resumed = 0;
  try {
    summary = await runTests(
      {
        ...runner,
        attempts: planAttempts(suites, {
          ...selection,
          repeats: options.repeats,
          threshold: runner.threshold,
          targetOf: targetsOf(resolver, options.workers ?? config.workers, signal),
        }),
        kinds: createAssertionKinds(),
        surroundings: createSurroundings({
          resolver,
          projectRoot,
          allowScripts: options.allowScripts === true,
          useCache: options.useCache !== false,
        }),
        signal,
        recorded: (id, fingerprint) => record?.recorded(id, fingerprint),
      },
      {
        onStart({ id, file, test }) {
          record?.live.began(redactor.value({ id, test: test.id }));
          tell('onAttemptStart', { id, file, test: test.id });
        },
        onResult(measured) {
          const result = redactor.value(measured);
          record?.append(result);
          record?.live.ended(result.id);
          tell('onResult', result);
        },
        onRecorded(result) {
          resumed++;
          tell('onResult', result);
        },
        onFinding: find,
      },
    );
    if (broken.signal.aborted) throw broken.signal.reason;
  } catch (error) {
    record?.abandon();
    throw error;
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
  }

  const exit_code = exitCodeOf({ summary, hasErrors: hasErrors(allFindings), passWithNoTests });
  if (exit_code === 2 && !hasErrors(allFindings)) find(nothingRan(options.paths ?? [], summary));
  record?.end({ exit_code, summary });
  await tell.end({ summary, exit_code, resumed, directory: record?.directory.path });
  return { run_id, exit_code, summary, findings: allFindings };
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
    hasRepeats: (options.repeats ?? 1) > 1,
    retries: options.retries,
    bail: options.bail,
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

function plannedAttempts(
  suites: readonly OpenSuite[],
  repeats: number,
): ReadonlyMap<string, number> | undefined {
  if (suites.some(({ hasOnly }) => hasOnly)) return undefined;
  return new Map(suites.map(({ file, testCount }) => [file, testCount * repeats]));
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** What was asked, without what only this process knows. */
function describeOptions({ reporters: _reporters, signal: _signal, ...asked }: RunOptions): JsonObject {
  return JSON.parse(JSON.stringify(asked)) as JsonObject;
}

function nothingToResume(run_id: string): Finding {
  const finding = fileFinding(
    run_id,
    'nothing_to_resume',
    'there is no earlier run of these files: this is a new one',
  );
  return { ...finding, severity: 'warning' };
}

function nothingRan(paths: readonly string[], { skipped, tests }: Summary): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  const message = tests > 0 && skipped === tests ? 'every test is skipped' : 'no test was run';
  return fileFinding(where, 'no_tests', message, 'check the paths and filters, or say --pass-with-no-tests');
}
