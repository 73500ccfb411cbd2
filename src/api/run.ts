import { resolve } from 'node:path';
import { createAssertionKinds } from '../assertions/registry.ts';
import { TargetResolver, type TargetChoice } from '../config/target-resolver.ts';
import { parseDuration } from '../config/duration.ts';
import { RunDirectory } from '../journal/run-directory.ts';
import type { OpenSuite } from '../load/open-suites.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { limitSessions } from '../run/limit-sessions.ts';
import { runTests } from '../run/run-tests.ts';
import { createSurroundings } from './surroundings.ts';
import { exitCodeOf } from './exit-code.ts';
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
  const { reporters = [], signal = new AbortController().signal, passWithNoTests = false } = options;
  const tell = createTeller(reporters);
  const { suites, findings, selection, projectRoot } = await selectSuites(options);
  const resolver = new TargetResolver(options, process.cwd());
  await resolver.prepare(suites);
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const agents = resolver.agents();
  const sharesWorkers = agents.length > 1;
  const limited = new Map(agents.map((agent) => [agent, sharesWorkers ? limitSessions(agent) : agent]));
  const directory = options.record === false ? undefined : RunDirectory.create(projectRoot, describeRun(options, suites));
  const run_id = directory?.runId ?? '';
  const planned = isFiltered(selection) ? undefined : plannedAttempts(suites, options.repeats ?? 1);
  tell('onRunStart', { run_id, planned, agents: agents.map(({ name }) => name) });
  const allFindings = [...findings, ...resolver.findings];
  for (const finding of allFindings) tell('onFinding', finding);

  const summary = await runTests(
    {
      suites,
      kinds: createAssertionKinds(),
      targetOf(suite, test) {
        const { name, agent } = resolver.targetOf(suite.file, test.target);
        return { name, agent: limited.get(agent)! };
      },
      surroundings: createSurroundings,
      ...selection,
      repeats: options.repeats,
      retries: options.retries,
      threshold: options.threshold ?? config.threshold,
      workers: options.workers ?? config.workers ?? Math.max(1, ...agents.map(({ workers }) => workers)),
      timeoutMs: options.timeoutMs ?? (config.timeout === undefined ? undefined : parseDuration(String(config.timeout))) ?? DEFAULT_TIMEOUT_MS,
      bail: options.bail,
      signal,
    },
    {
      onStart: ({ id, file, test }) => tell('onAttemptStart', { id, file, test: test.id }),
      onResult(record) {
        directory?.append(record);
        tell('onResult', record);
      },
      onFinding(finding) {
        allFindings.push(finding);
        tell('onFinding', finding);
      },
    },
  ).finally(() => Promise.all(agents.map((agent) => agent.close())));

  const exit_code = exitCodeOf({ summary, hasErrors: hasErrors(allFindings), passWithNoTests });
  if (exit_code === 2 && !hasErrors(allFindings)) {
    const finding = nothingRan(options.paths ?? [], summary);
    allFindings.push(finding);
    tell('onFinding', finding);
  }
  directory?.end({ run_id, exit_code, summary });
  for (const reporter of reporters) await reporter.onRunEnd?.({ summary, exit_code, directory: directory?.path });
  return { run_id, exit_code, summary, findings: allFindings };
}

function plannedAttempts(suites: readonly OpenSuite[], repeats: number): ReadonlyMap<string, number> | undefined {
  if (suites.some(({ hasOnly }) => hasOnly)) return undefined;
  return new Map(suites.map(({ file, testCount }) => [file, testCount * repeats]));
}

type Event = Exclude<keyof Reporter, 'onRunEnd'>;

/** A reporter that throws is left out from then on; the run and the other reporters go on. */
function createTeller(reporters: readonly Reporter[]): <E extends Event>(event: E, told: Parameters<NonNullable<Reporter[E]>>[0]) => void {
  const broken = new Set<Reporter>();
  return (event, told) => {
    for (const reporter of reporters) {
      if (broken.has(reporter)) continue;
      try {
        (reporter[event] as ((value: unknown) => void) | undefined)?.call(reporter, told);
      } catch {
        broken.add(reporter);
      }
    }
  };
}

function describeRun(options: RunOptions, suites: readonly OpenSuite[]): unknown {
  const { reporters: _reporters, signal: _signal, ...asked } = options;
  return { ...asked, files: suites.map(({ file }) => ({ file: resolve(file) })), node: process.version };
}

function nothingRan(paths: readonly string[], { skipped, tests }: Summary): Finding {
  const where = paths.length === 0 ? '.' : paths.join(' ');
  const message = tests > 0 && skipped === tests ? 'every test is skipped' : 'no test was run';
  return fileFinding(where, 'no_tests', message, 'check the paths and filters, or say --pass-with-no-tests');
}
