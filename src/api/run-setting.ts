import { TargetResolver } from '../config/target-resolver.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import type { GateRules } from '../model/gate.ts';
import { readQueueAddress, type QueueAddress } from '../queue/queue-address.ts';
import type { PlanOptions } from '../run/plan.ts';
import type { PlanOutline } from '../run/plan-outline.ts';
import type { RunTestsOptions } from '../run/run-tests.ts';
import { selectionHere } from './asked-selection.ts';
import { describeSelection } from './describe-selection.ts';
import { CheckPrints } from './check-prints.ts';
import { findDroppedSettings } from './dropped-settings.ts';
import { findEarlier } from './earlier-run.ts';
import { gateRules, rulesOf } from './gate-rules.ts';
import { inheritAsked } from './inherit-asked.ts';
import { NoSuchRun } from './no-such-run.ts';
import { narrowToFailed } from './narrow-to-failed.ts';
import { outlineRun, planRun } from './repeat-plan.ts';
import type { RunBaseline } from './run-baseline.ts';
import { RunLog } from './run-log.ts';
import { describeOptions, type RunOptions } from './run-options.ts';
import { closingOnError, runnerOptions, startAgents, targetsOf } from './run-targets.ts';
import { selectSuites } from './select-suites.ts';
import { ShardError } from './shard-error.ts';
import type { ShardPlan } from './plan-shard.ts';

/** Everything that is known before the first attempt. */
export type RunSetting = Awaited<ReturnType<typeof prepareRun>>;

/** `signal` ends the run; agents that are still starting are ended by the one of the options. */
export async function prepareRun(given: RunOptions, signal: AbortSignal) {
  if (given.shard !== undefined && given.baseline !== undefined)
    throw new ShardError(
      'a shard is a part of a run, and only the whole can be compared with a baseline',
      `leave --baseline out here, and say \`assay merge RUN... --baseline ${given.baseline}\` at the end`,
    );
  const asked = await selectSuites(given);
  const { projectRoot } = asked;
  const only = asked.suites.some(({ hasOnly }) => hasOnly) || undefined;
  const toContinue =
    given.record === false
      ? { damaged: [] }
      : findEarlier({
          ...given,
          projectRoot,
          suites: asked.suites,
          selection: selectionHere({ ...given, only }, projectRoot),
        });
  const options = inheritAsked(given, toContinue.found);
  const selected = await narrowToFailed(asked, options, toContinue.found);
  const { selection, isNothingLeft } = selected;
  const earlier = isNothingLeft ? { damaged: [] } : toContinue;
  const baseline =
    options.baseline === undefined ? undefined : await openBaseline(options.baseline, projectRoot);
  const choice = { ...options, mayExecute: true, isElsewhere: options.queue !== undefined };
  const resolver = new TargetResolver(choice, process.cwd(), process.env);
  const usable = asked.suites.filter(({ file }) => !resolver.isRefused(file));
  const suites = isNothingLeft ? [] : usable;
  const address = options.queue === undefined ? undefined : readQueueAddress(options.queue, resolver.env);
  await startAgents(resolver, suites, options.signal);
  const config = suites.length === 0 ? {} : await resolver.configFor(suites[0]!.file);
  const dropped = await findDroppedSettings(suites, resolver);
  const rules = gateRules(options, earlier.found === undefined ? config : { ...config, gates: {} });
  baseline?.useRules(rules);
  await closingOnError(resolver.agents(), () => refuseOtherRepeats(earlier.found, rules));
  const redactor = await resolver.redactor(address?.secrets);
  const repeats = { asked: options.repeats, configured: config.repeats };
  const agents = resolver.agents();
  const runner = runnerOptions(options, config, agents);
  const prints = new CheckPrints({ resolver, projectRoot });
  const plan = (repeatsMade?: PlanOptions['repeatsMade']): Pick<RunTestsOptions, 'attempts' | 'learn'> =>
    planRun(suites, {
      ...selection,
      ...repeats,
      adaptive: rules.adaptive,
      threshold: runner.threshold,
      strict: runner.strict,
      repeatsMade,
      checkPrints: (file, tests) => prints.of(file, tests),
      targetOf: targetsOf(resolver, options.workers ?? config.workers, signal),
      signal,
    });
  const { shard: wanted, shardBy: by } = options;
  const shard =
    wanted === undefined
      ? undefined
      : await closingOnError(agents, async () => {
          const { planShard } = await import('./plan-shard.ts');
          return planShard(plan(), { shard: wanted, by, projectRoot });
        });
  const outline = await closingOnError(agents, () => outlineRun(usable, selection, repeats));
  const queue = address === undefined ? undefined : await closingOnError(agents, () => connect(address));
  return {
    ...selected,
    suites,
    findings: [...selected.findings, ...dropped],
    options,
    earlier,
    baseline,
    resolver,
    rules,
    redactor,
    runner,
    plan,
    /** The part of the plan that is this run's; undefined: all of it. */
    shard,
    targets: redactor.value(resolver.described()),
    planned: plannedOf(isNothingLeft ? NO_FILES : outline.files, shard),
    /** What the run leaves out of its files; undefined: nothing. */
    narrowed: redactor.value(describeSelection(options, { ...selected, suites: usable, outline, shard })),
    agents,
    /** Who gives the attempts to others; undefined: they are made here. */
    queue,
    /** What the run opened. */
    opened: queue === undefined ? agents : [...agents, queue],
    asked: redactor.value(
      describeOptions({ ...options, baseline: baseline?.lastingName, rules, only, queue: address?.shown }),
    ),
    log: new RunLog(options.reporters ?? [], redactor),
  };
}

const NO_FILES: PlanOutline['files'] = new Map();

/** What a run is going to make. */
export interface Planned {
  readonly tests: number;
  /** By file; undefined when the number of repeats follows the results. */
  readonly attempts: ReadonlyMap<string, number> | undefined;
}

function plannedOf(files: PlanOutline['files'], shard: ShardPlan | undefined): Planned {
  if (shard !== undefined) return { tests: shard.description.attempts, attempts: shard.planned };
  const attempts = new Map<string, number>();
  for (const [file, planned] of files)
    if (planned.attempts !== undefined) attempts.set(file, planned.attempts);
  const tests = [...files.values()].reduce((sum, file) => sum + file.tests, 0);
  return { tests, attempts: attempts.size === files.size ? attempts : undefined };
}

/** With `auto` only as many attempts count as decide, and the others that are recorded would be hidden. */
function refuseOtherRepeats(found: RunDirectory | undefined, { adaptive }: GateRules): void {
  const before = found === undefined ? undefined : rulesOf([found]);
  if (adaptive !== undefined && before !== undefined && before.adaptive === undefined)
    throw new NoSuchRun(found!.runId, 'resume with --repeats auto: it was asked for a number of repeats');
}

/** Loaded when it is used, like the queue: few runs need one. */
async function openBaseline(name: string, projectRoot: string): Promise<RunBaseline> {
  const { RunBaseline: Baseline } = await import('./run-baseline.ts');
  return new Baseline(name, projectRoot);
}

async function connect(address: QueueAddress) {
  const { RunQueue } = await import('./run-queue.ts');
  return RunQueue.connect(address);
}
