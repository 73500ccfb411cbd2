import type { Agent } from '../../agents/contract.ts';
import type { AssayConfig } from '../../suites/config/config.ts';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { RunDescription, RunDirectory } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import type { RunSelection } from '../../base/model/selection.ts';
import { readQueueAddress, type QueueAddress } from '../../run/queue/queue-address.ts';
import { targetsToRun, type PlanOptions, type RunnableSuite } from '../../run/plan/plan.ts';
import type { Selection } from '../../run/plan/select.ts';
import type { PlanOutline } from '../../run/plan/plan-outline.ts';
import type { RunTestsOptions } from '../../run/run-tests.ts';
import { chooseTests, type ChosenTests } from './choose-tests.ts';
import { CheckPrints } from '../evaluation/check-prints.ts';
import type { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { describeSelection } from '../select/describe-selection.ts';
import { findDroppedSettings } from './dropped-settings.ts';
import type { EarlierRun } from '../resume/earlier-run.ts';
import { gateRules, rulesOf } from '../basics/gate-rules.ts';
import { severalTargets } from '../../base/model/several-targets.ts';
import { RunNotFound } from '../recorded/run-not-found.ts';
import type { ShardPlan } from '../shards/plan-shard.ts';
import { outlineRun, planRun } from './repeat-plan.ts';
import type { ChangedAttempts } from '../changes/changed-attempts.ts';
import { selectionHere } from '../select/selection-text.ts';
import type { TargetComparer } from '../baseline/target-comparisons.ts';
import type { RunBaseline } from '../baseline/run-baseline.ts';
import { RunLog } from './run-log.ts';
import { describeOptions, type RunOptions } from '../basics/run-options.ts';
import type { RunQueue } from './run-queue.ts';
import {
  closingOnError,
  runnerOptions,
  startAgents,
  targetsOf,
  type RunnerOptions,
} from '../targets/run-targets.ts';
import { cassetteSettings, type CassetteSettings } from '../targets/cassette-settings.ts';
import { lendVariables } from '../../suites/config/project-environment.ts';
import { ShardError } from '../shards/shard-error.ts';

/** Everything that is known before the first attempt. */
export interface PreparedRun {
  /** A resumed run keeps its earlier options. */
  readonly options: RunOptions;
  readonly projectRoot: string;
  /** What runs: nothing if `isComplete`. */
  readonly suites: readonly OpenSuite[];
  readonly selection: Selection;
  readonly findings: readonly Finding[];
  /** `--last-failed` selects no test that can run. */
  readonly isComplete: boolean;
  /** Every selected test passed when it last ran, so running none is fine. */
  readonly isAllPassed: boolean;
  /** The run to continue, if any. */
  readonly earlier: EarlierRun;
  /** Undefined if nothing is compared. */
  readonly baseline: RunBaseline | undefined;
  readonly resolver: TargetResolver;
  readonly evaluators: ProjectEvaluators;
  readonly agents: readonly Agent[];
  readonly redactor: Redactor;
  readonly rules: GateRules;
  readonly runner: RunnerOptions;
  /** Somebody decided how many attempts run at once. */
  readonly isWorkersGiven: boolean;
  plan(repeatsMade?: PlanOptions['repeatsMade']): Plan;
  /** The part of the plan that belongs to this run; undefined: all of it. */
  readonly shard: ShardPlan | undefined;
  readonly planned: Planned;
  /** What changed since the latest run like it; undefined: everything runs. */
  readonly changes: ChangedAttempts | undefined;
  /** What the run leaves out of its files; undefined: nothing. */
  readonly narrowed: RunSelection | undefined;
  /** Undefined: model calls are neither recorded nor replayed. */
  readonly cassettes: CassetteSettings | undefined;
  /** The queue that dispatches the attempts; undefined: they run here. */
  readonly queue: RunQueue | undefined;
  /** What the run opened and must close. */
  readonly opened: readonly { close(): Promise<void> }[];
  /** For `run.json`, without secrets. */
  readonly asked: JsonObject;
  readonly targets: RunDescription['targets'];
  /** Compares the targets with each other; undefined if there is only one. */
  readonly comparer: TargetComparer | undefined;
  readonly log: RunLog;
}

/** How many tests and attempts a run will have. */
interface Planned {
  readonly tests: number;
  /** By file; undefined if the number of repeats depends on the results. */
  readonly attempts: ReadonlyMap<string, number> | undefined;
}

type Plan = Pick<RunTestsOptions, 'attempts' | 'learn'>;

/** `signal` ends the run; agents that are still starting are ended by the signal of the options. */
export async function prepareRun(given: RunOptions, signal: AbortSignal): Promise<PreparedRun> {
  refuseComparedShard(given);
  const chosen = await chooseTests(given);
  return closingOnError([chosen.evaluators], async () => {
    const changes = given.changed === undefined ? undefined : await preview(chosen, signal);
    const baseline = await openBaseline(chosen);
    // Where no agent is called, none is started.
    const started = await startTargets(chosen, { isNamingOnly: changes?.work.attempts.length === 0 });
    return closingOnError(started.resolver.agents(), () =>
      prepareStarted({ ...chosen, ...started, baseline, changes }, signal),
    );
  });
}

/** What changed since the latest run like it. Nothing is started yet. */
async function preview(chosen: ChosenTests, signal: AbortSignal): Promise<ChangedAttempts> {
  const { previewChanges } = await import('../changes/preview-changes.ts');
  const { createScriptRefusal } = await import('../evaluation/script-refusal.ts');
  const { hasOnly, projectRoot } = chosen;
  const started = await startTargets(chosen, { isNamingOnly: true });
  try {
    const all = { ...chosen, ...started, baseline: undefined, changes: undefined };
    const selection = selectionHere({ ...chosen.options, only: hasOnly }, projectRoot);
    const isRefused = createScriptRefusal({
      ...chosen,
      resolver: started.resolver,
      allowScripts: chosen.options.allowScripts === true,
    });
    return await previewChanges(await prepareStarted(all, signal), { selection, isRefused });
  } finally {
    started.returnKeys();
  }
}

function refuseComparedShard({ shard, baseline }: RunOptions): void {
  if (shard !== undefined && baseline !== undefined)
    throw new ShardError(
      'a shard is only a part of a run; only the whole run can be compared with a baseline',
      `remove --baseline here, and use \`assay merge RUN... --baseline ${baseline}\` at the end`,
    );
}

/** Loaded on first use, like the queue: few runs need one. */
async function openBaseline({ options, projectRoot }: ChosenTests): Promise<RunBaseline | undefined> {
  if (options.baseline === undefined) return undefined;
  const { RunBaseline: Baseline } = await import('../baseline/run-baseline.ts');
  return new Baseline(options.baseline, projectRoot);
}

interface StartedTargets {
  readonly resolver: TargetResolver;
  /** The suites whose config can be read. */
  readonly usable: readonly OpenSuite[];
  readonly address: QueueAddress | undefined;
  readonly cassettes: CassetteSettings | undefined;
  /** Takes back what replaying put into the environment. */
  readonly returnKeys: () => void;
}

/** Starts the agents of the selected tests. */
async function startTargets(
  { options, suites, isComplete, evaluators: { configs } }: ChosenTests,
  { isNamingOnly }: { readonly isNamingOnly: boolean },
): Promise<StartedTargets> {
  const isElsewhere = options.queue !== undefined;
  const seesInputs = options.changed !== undefined;
  const choice = { ...options, mayExecute: true, configs, isElsewhere, isNamingOnly, seesInputs };
  const resolver = new TargetResolver(choice, process.cwd(), process.env);
  const usable = suites.filter(({ file }) => !resolver.isRefused(file));
  const cassettes = await cassetteSettings(options, resolver, usable[0]?.file);
  const keys =
    cassettes === undefined ? {} : await resolver.useCassettes({ isReplay: cassettes.mode === 'replay' });
  const address = options.queue === undefined ? undefined : readQueueAddress(options.queue, resolver.env);
  const returnKeys = lendVariables(keys);
  try {
    await startAgents(resolver, isComplete ? [] : usable, options.signal);
  } catch (error) {
    returnKeys();
    throw error;
  }
  return { resolver, usable, address, cassettes, returnKeys };
}

interface Started extends ChosenTests, StartedTargets {
  readonly baseline: RunBaseline | undefined;
  readonly changes: ChangedAttempts | undefined;
}

/** The rules and the plan, and the queue last: everything that can be refused without it is refused first. */
async function prepareStarted(started: Started, signal: AbortSignal): Promise<PreparedRun> {
  const { options, projectRoot, earlier, baseline, resolver, usable, address, isComplete } = started;
  const suites = isComplete ? [] : usable;
  const agents = resolver.agents();
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const dropped = await findDroppedSettings(suites, resolver);
  const rules = chooseRules(options, config, earlier.found);
  baseline?.useRules(rules);
  const redactor = await resolver.redactor(address?.secrets);
  const isReplay = started.cassettes?.mode === 'replay';
  // What is replayed was paid for when it was recorded.
  const runner = { ...runnerOptions(options, config, agents), ...(isReplay && { maxCost: undefined }) };
  const plan = createPlan({ ...started, suites, config, rules, runner }, signal);
  const shard = options.shard === undefined ? undefined : await chooseShard(plan(), options, projectRoot);
  const repeats = { asked: options.repeats, configured: config.repeats };
  const outline = await outlineRun(usable, started.selection, {
    ...repeats,
    targetCount: isComplete ? undefined : targetCounter(resolver, started.selection),
  });
  const queue = address === undefined ? undefined : await connect(address, options);
  const { rerun, hasOnly } = started;
  return {
    options,
    projectRoot,
    suites,
    findings: [...started.findings, ...dropped],
    isComplete,
    isAllPassed: started.isAllPassed,
    selection: started.selection,
    earlier: started.changes?.earlier ?? earlier,
    baseline,
    resolver,
    agents,
    redactor,
    rules,
    runner,
    isWorkersGiven: (options.workers ?? config.workers) !== undefined,
    plan,
    shard,
    planned: plannedOf(isComplete ? NO_FILES : outline.files, shard),
    narrowed: redactor.value(
      describeSelection(options, { suites: usable, outline, shard: shard?.description, rerun }),
    ),
    cassettes: started.cassettes,
    changes: started.changes,
    queue,
    evaluators: started.evaluators,
    opened: [
      ...agents,
      started.evaluators,
      ...(queue === undefined ? [] : [queue]),
      { close: () => Promise.resolve(started.returnKeys()) },
    ],
    asked: redactor.value(
      describeOptions({
        ...options,
        cassettes: started.cassettes?.mode ?? (options.cassettes === 'off' ? 'off' : undefined),
        baseline: baseline?.lastingName,
        rules,
        only: hasOnly || undefined,
        queue: address?.shown,
      }),
    ),
    targets: redactor.value(resolver.described()),
    comparer: await createComparer(redactor.value(resolver.described()), { projectRoot, rules }),
    log: new RunLog(options.reporters ?? [], redactor),
  };
}

/** A resumed run keeps the gates that it started with, even if the config has changed. */
function chooseRules(options: RunOptions, config: AssayConfig, found: RunDirectory | undefined): GateRules {
  if (found === undefined) return gateRules(options, config);
  const rules = gateRules(options, { ...config, gates: {} });
  const before = rulesOf([found]);
  // With `auto`, only as many attempts count as the decision needs, so other recorded attempts would be hidden.
  if (rules.adaptive !== undefined && before !== undefined && before.adaptive === undefined)
    throw new RunNotFound(found.runId, 'resume with --repeats auto: it was started with a number of repeats');
  return rules;
}

interface Planning extends Started {
  readonly config: AssayConfig;
  readonly rules: GateRules;
  readonly runner: RunnerOptions;
}

/** A plan can be iterated more than once. */
function createPlan(planning: Planning, signal: AbortSignal): PreparedRun['plan'] {
  const { options, config, suites, selection, rules, runner, resolver, projectRoot, evaluators } = planning;
  const prints = new CheckPrints({ resolver, projectRoot, kinds: evaluators.kinds });
  return (repeatsMade) =>
    planRun(suites, {
      ...selection,
      asked: options.repeats,
      configured: config.repeats,
      adaptive: rules.adaptive,
      threshold: runner.threshold,
      strict: runner.strict,
      repeatsMade,
      checkPrints: (...asked) => prints.of(...asked),
      targetsOf: targetsOf(resolver, options.workers ?? config.workers, signal),
      signal,
    });
}

/** Undefined if every test runs with one target. */
function targetCounter(
  resolver: TargetResolver,
  { passedTargets }: Selection,
): ((suite: RunnableSuite, test: Test) => number) | undefined {
  if (!resolver.hasJoint) return undefined;
  const find: PlanOptions['targetsOf'] = (suite, test) => resolver.targetsOf(suite.file, test);
  return (suite, test) => targetsToRun(suite, test, { targetsOf: find, passedTargets }).length;
}

async function chooseShard(plan: Plan, options: RunOptions, projectRoot: string): Promise<ShardPlan> {
  const { planShard } = await import('../shards/plan-shard.ts');
  return planShard(plan, { shard: options.shard!, by: options.shardBy, projectRoot });
}

async function connect(address: QueueAddress, options: RunOptions): Promise<RunQueue> {
  const { RunQueue: Queue } = await import('./run-queue.ts');
  return Queue.connect(address, options);
}

/** Loaded on first use: most runs have one target. */
async function createComparer(
  targets: NonNullable<RunDescription['targets']>,
  settings: { readonly projectRoot: string; readonly rules: GateRules },
): Promise<TargetComparer | undefined> {
  const names = severalTargets(targets);
  if (names === undefined) return undefined;
  const { TargetComparer: Comparer } = await import('../baseline/target-comparisons.ts');
  return new Comparer(names, settings);
}

const NO_FILES: PlanOutline['files'] = new Map();

function plannedOf(files: PlanOutline['files'], shard: ShardPlan | undefined): Planned {
  if (shard !== undefined) return { tests: shard.description.attempts, attempts: shard.planned };
  const attempts = new Map<string, number>();
  for (const [file, planned] of files)
    if (planned.attempts !== undefined) attempts.set(file, planned.attempts);
  const tests = [...files.values()].reduce((sum, file) => sum + file.pairs, 0);
  return { tests, attempts: attempts.size === files.size ? attempts : undefined };
}
