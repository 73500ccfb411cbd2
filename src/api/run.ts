import { setMaxListeners } from 'node:events';
import { createAssertionKinds } from '../assertions/registry.ts';
import { TargetResolver } from '../config/target-resolver.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import type { Finding } from '../model/finding.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { RunEnding } from '../journal/run-directory.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { runTests, type RunObserver, type RunTestsResult } from '../run/run-tests.ts';
import { askedAgain } from './asked-again.ts';
import { withComparison } from './comparison-exit.ts';
import { exitCodeOf } from './exit-code.ts';
import { gateRules, tooFewRepeats } from './gate-rules.ts';
import { plannedAttempts, planRun } from './repeat-plan.ts';
import { RunBaseline } from './run-baseline.ts';
import { damagedRun, nothingRan, nothingToResume, ownBaseline } from './run-findings.ts';
import { RunLog } from './run-log.ts';
import { describeOptions, type RunOptions, type RunResult } from './run-options.ts';
import { RunRecord } from './run-record.ts';
import { closingOnError, runnerOptions, startAgents, targetsOf } from './run-targets.ts';
import { isFiltered, selectSuites } from './select-suites.ts';
import { createSurroundings } from './surroundings.ts';

/** Runs suites and answers with what came of them. It never exits the process; misuse and bad configs throw. */
export async function run(options: RunOptions): Promise<RunResult> {
  const records: AttemptRecord[] = [];
  const reporter: Reporter = { onResult: (record) => void records.push(record) };
  const result = await runAndReport({ ...options, reporters: [...(options.reporters ?? []), reporter] });
  return { ...result, records };
}

/** The same, holding no records: the reporters are told each as it comes. */
export async function runAndReport(options: RunOptions): Promise<Omit<RunResult, 'records'>> {
  const broken = new AbortController();
  const setting = await prepare(options);
  const record = await openRecord(setting, (error) => broken.abort(error));
  const begun = begin(setting, record);
  const signal = AbortSignal.any([...(options.signal === undefined ? [] : [options.signal]), broken.signal]);
  // Every attempt under way listens to it.
  setMaxListeners(0, signal);
  let ended: Executed;
  try {
    ended = await execute(setting, begun, signal);
  } catch (error) {
    record?.abandon();
    throw error;
  } finally {
    await Promise.all(setting.agents.map((agent) => agent.close()));
  }
  return end(setting, { ...begun, ...ended, broken: broken.signal });
}

/** Everything that is known before the first attempt. */
type Setting = Awaited<ReturnType<typeof prepare>>;

async function prepare(options: RunOptions) {
  const selected = await selectSuites(options);
  const { suites, projectRoot } = selected;
  const baseline =
    options.baseline === undefined ? undefined : new RunBaseline(options.baseline, projectRoot);
  const resolver = new TargetResolver(options, process.cwd(), process.env);
  await startAgents(resolver, suites, options.signal);
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const rules = gateRules(options, config);
  const redactor = await resolver.redactor();
  return {
    ...selected,
    options,
    baseline,
    resolver,
    config,
    rules,
    redactor,
    repeats: { asked: options.repeats, configured: config.repeats },
    agents: resolver.agents(),
    asked: redactor.value(describeOptions({ ...options, rules })),
    log: new RunLog(options.reporters ?? [], redactor),
  };
}

function openRecord(
  { options, suites, projectRoot, isNothingLeft, agents, asked }: Setting,
  onError: (error: Error) => void,
): Promise<RunRecord | undefined> {
  if (options.record === false || isNothingLeft) return Promise.resolve(undefined);
  const { resume } = options;
  return closingOnError(agents, () => new RunRecord({ projectRoot, suites, asked, resume, onError }));
}

interface Begun {
  readonly record: RunRecord | undefined;
  readonly run_id: string;
  /** Undefined when nothing is compared. */
  readonly baseline: RunBaseline | undefined;
}

/** Says that the run begins, and what is known to be wrong. */
function begin(setting: Setting, record: RunRecord | undefined): Begun {
  const { options, log, suites, selection, repeats, agents, redactor, asked, rules } = setting;
  const run_id = record?.directory.runId ?? '';
  const planned = isFiltered(selection) ? undefined : plannedAttempts(suites, repeats);
  record?.live.plan(planned);
  log.tell('onRunStart', {
    run_id,
    planned,
    agents: agents.map(({ name }) => redactor.text(name)),
    cwd: process.cwd(),
    asked: askedAgain([asked]),
  });
  for (const finding of [...setting.findings, ...setting.resolver.findings]) log.findInRun(finding);
  if (options.resume !== undefined && record?.isContinued === false) log.findInRun(nothingToResume(run_id));
  for (const { path, runId } of record?.damaged ?? []) log.findInRun(damagedRun(path, runId));
  const isOwnBaseline = setting.baseline?.isRun(record?.directory) === true;
  if (isOwnBaseline) log.findInRun(ownBaseline(run_id));
  const tooFew = tooFewRepeats(rules.adaptive);
  if (tooFew !== undefined) log.findInRun(tooFew);
  return { record, run_id, baseline: isOwnBaseline ? undefined : setting.baseline };
}

interface Executed extends RunTestsResult {
  /** How many results were taken from before. */
  readonly resumed: number;
}

async function execute(setting: Setting, begun: Begun, signal: AbortSignal): Promise<Executed> {
  const { options, suites, selection, repeats, rules, resolver, config, projectRoot, redactor } = setting;
  const runner = runnerOptions(options, config, setting.agents);
  const plan = planRun(suites, {
    ...selection,
    ...repeats,
    adaptive: rules.adaptive,
    threshold: runner.threshold,
    targetOf: targetsOf(resolver, options.workers ?? config.workers, signal),
    signal,
  });
  const surroundings = createSurroundings({
    resolver,
    projectRoot,
    allowScripts: options.allowScripts === true,
    useCache: options.useCache !== false,
  });
  let resumed = 0;
  const observer = observe(setting, begun, () => resumed++);
  const ended = await runTests(
    {
      ...runner,
      ...plan,
      rules,
      kinds: createAssertionKinds(),
      surroundings,
      signal,
      recorded: (id, fingerprint) => begun.record?.recorded(redactor.text(id), fingerprint),
    },
    observer,
  );
  return { ...ended, resumed };
}

/** What happens goes to the journal first, and then to those who show it. */
function observe(
  { redactor, log }: Setting,
  { record, baseline }: Begun,
  onResumed: () => void,
): RunObserver {
  return {
    onStart({ id, file, test }) {
      const attempt = redactor.value({ id, file, test: test.id });
      record?.live.began(attempt);
      log.tell('onAttemptStart', attempt);
    },
    onResult(measured) {
      const result = redactor.value(measured);
      record?.append(result);
      record?.live.ended(result.id);
      baseline?.add(result);
      log.tell('onResult', result);
    },
    onRecorded(result) {
      onResumed();
      baseline?.add(result);
      for (const finding of result.findings ?? []) log.find(finding);
      log.tell('onResult', redactor.value(result));
    },
    onFinding: (finding) => void log.find(finding),
  };
}

interface Ended extends Begun, Executed {
  /** Aborted when the run could not be recorded any more. */
  readonly broken: AbortSignal;
}

async function end(setting: Setting, ended: Ended): Promise<Omit<RunResult, 'records'>> {
  const { options, log, isNothingLeft } = setting;
  const { summary, record, run_id, resumed, broken } = ended;
  const tests = setting.redactor.value(ended.tests);
  const comparison = ended.baseline?.compare(run_id, options.failOn);
  const exitCode = (): number => {
    const own = exitCodeOf({
      // What was broken off because it could not be recorded is not what somebody interrupted.
      summary: { ...summary, interrupted: summary.interrupted && options.signal?.aborted === true },
      hasErrors: log.hasErrors,
      passWithNoTests: options.passWithNoTests === true || isNothingLeft,
    });
    return withComparison(own, comparison);
  };
  if (exitCode() === 2 && !log.hasErrors && !broken.aborted)
    log.findInRun(nothingRan(options.paths ?? [], summary));
  const ending = { exit_code: exitCode(), summary, findings: log.findingsOfRun };
  const failure = endRecord(record, ending, broken);
  if (failure !== undefined) log.find(failure);
  const exit_code = exitCode();
  await log.tell.end({ summary, tests, exit_code, resumed, comparison, directory: record?.directory.path });
  return { run_id, exit_code, summary, tests, comparison, findings: log.findings };
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
