import { setMaxListeners } from 'node:events';
import { relative } from 'node:path';
import { AgentSetupError } from '../../agents/agent-setup-error.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import { TargetResolver, type TargetChoice } from '../../suites/config/target-resolver.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { isInside } from '../../base/files/is-inside.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { hideCredentials } from '../../base/match/url-credentials.ts';
import { PROTOCOL, type AttemptReference, type Batch, type RunOffer } from '../../run/queue/protocol.ts';
import { Refusal, type AttemptRunner } from '../../run/queue/run-member.ts';
import type { FinishedAttempt } from '../../run/attempt/attempt.ts';
import { SYSTEM_CLOCK } from '../../run/pool/clock.ts';
import { executeAttempt } from '../../run/attempt/execute-attempt.ts';
import { fingerprint } from '../../run/plan/fingerprint.ts';
import { Grader } from '../../run/grade/grade.ts';
import { describeThrown } from '../../agents/describe-thrown.ts';
import { takeUncaught } from '../../base/system/user-code.ts';
import { version } from '../../base/system/version.ts';
import { gitRevision } from '../basics/git-revision.ts';
import { CheckPrints } from '../evaluation/check-prints.ts';
import { CheckedSuites } from './checked-suites.ts';
import { createRunPreflight } from '../evaluation/run-preflight.ts';
import { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { CodeCheck, differingFiles } from '../targets/run-code.ts';
import { uncaughtError } from '../basics/run-findings.ts';
import { lendVariables } from '../../suites/config/project-environment.ts';
import { cassetteSettings } from '../targets/cassette-settings.ts';
import type { RunCassettes } from '../targets/run-cassettes.ts';
import { targetsOf } from '../targets/run-targets.ts';
import { createEvaluationHost } from '../evaluation/evaluation-host.ts';
import { createWorkspaces } from '../evaluation/workspaces.ts';
import { attemptId, testKey } from '../../base/model/test-key.ts';

export interface AttemptRunnerOptions extends TargetChoice {
  readonly concurrency?: number | undefined;
  readonly allowScripts?: boolean | undefined;
  readonly useCache?: boolean | undefined;
  /** Those of the queue: they are in no record. */
  readonly secrets: readonly string[];
  /** This machine has the same tests: the first of them is about to run. */
  readonly onAccept: () => void;
}

/** Prepares to run attempts of a run on this machine, from this machine's files, config and environment. */
export async function createAttemptRunner(
  offer: RunOffer,
  options: AttemptRunnerOptions,
): Promise<AttemptRunner | Refusal> {
  const projectRoot = findProjectRoot(process.cwd());
  const reason = reasonToRefuse(offer, options, projectRoot);
  if (reason !== undefined) return new Refusal(reason);
  const runner = new LocalAttemptRunner(offer, options, projectRoot);
  try {
    await runner.createAgents();
    return runner;
  } catch (error) {
    await runner.close();
    return error instanceof Refusal ? error : new Refusal(describeThrown(error, import.meta.filename));
  }
}

function reasonToRefuse(
  { protocol, version: wanted, cwd, git_revision, agent, code }: RunOffer,
  options: AttemptRunnerOptions,
  projectRoot: string,
): string | undefined {
  if (protocol !== PROTOCOL || wanted !== version)
    return `the run uses Assay ${wanted} and this worker ${version}: install the same version`;
  const here = relative(projectRoot, process.cwd());
  if (here !== cwd)
    return `the run was started in ${shownFolder(cwd)} and this worker in ${shownFolder(here)}: start it there`;
  const revision = gitRevision(projectRoot);
  if (git_revision !== undefined && revision !== undefined && git_revision !== revision)
    return `the run is at revision ${git_revision.slice(0, 12)} and this worker at ${revision.slice(0, 12)}: check out the same one`;
  const own = options.agent === undefined ? undefined : hideCredentials(String(options.agent));
  if (own !== undefined && own !== agent)
    return agent === undefined
      ? `the run has no --agent, but this worker was started with --agent ${own}`
      : `the run is for --agent ${agent}, but this worker was started with --agent ${own}`;
  if (agent !== undefined && own === undefined && !isOwnFile(agent, projectRoot))
    return `the run is for --agent ${JSON.stringify(agent)}: start the worker with the same --agent (a queue cannot start programs or choose addresses)`;
  return differingFiles(code, projectRoot);
}

function shownFolder(folder: string): string {
  return folder === '' ? 'the root of the project' : folder;
}

/** A file of this checkout is as trusted as the checkout. */
function isOwnFile(agent: string, projectRoot: string): boolean {
  return !/^\s*(?:cmd:|https?:)/i.test(agent) && isInside(agent.trim(), projectRoot);
}

class LocalAttemptRunner implements AttemptRunner {
  capacity: number | undefined;
  private readonly offer: RunOffer;
  private readonly options: AttemptRunnerOptions;
  private readonly projectRoot: string;
  private readonly suites: CheckedSuites;
  private readonly resolver: TargetResolver;
  private readonly code: CodeCheck;
  private readonly stopped = new AbortController();
  private readonly grader: Grader;
  private readonly evaluators: ProjectEvaluators;
  private readonly workspaces: ReturnType<typeof createWorkspaces>;
  private readonly evaluationHost: ReturnType<typeof createEvaluationHost>;
  private readonly preflight: ReturnType<typeof createRunPreflight>;
  private readonly prints: CheckPrints;
  private readonly prepared = new Map<string, Promise<void>>();
  private targetsOf: ReturnType<typeof targetsOf> | undefined;
  private redactor: Redactor | undefined;
  private agentCount = 0;
  private hasAccepted = false;
  /** Undefined: model calls go to the models. */
  private cassettes: Promise<RunCassettes> | undefined;
  private returnKeys: (() => void) | undefined;

  constructor(offer: RunOffer, options: AttemptRunnerOptions, projectRoot: string) {
    this.offer = offer;
    this.options = options;
    this.projectRoot = projectRoot;
    setMaxListeners(0, this.stopped.signal);
    const { agent = offer.agent, config, onSecrets } = options;
    const evaluators = new ProjectEvaluators({
      config,
      onSecrets,
      mayExecute: true,
      isOptional: agent !== undefined,
    });
    this.evaluators = evaluators;
    this.grader = new Grader(evaluators.kinds, (value) => this.redactor!.value(value));
    this.suites = new CheckedSuites(projectRoot, evaluators);
    const choice = { agent, config, onSecrets, mayExecute: true, configs: evaluators.configs };
    this.resolver = new TargetResolver(choice, process.cwd(), process.env);
    const allowScripts = options.allowScripts === true;
    this.preflight = createRunPreflight({ resolver: this.resolver, projectRoot, evaluators, allowScripts });
    this.prints = new CheckPrints({ resolver: this.resolver, projectRoot, kinds: evaluators.kinds });
    this.code = new CodeCheck({ files: offer.code, resolver: this.resolver, projectRoot });
    this.workspaces = createWorkspaces({ resolver: this.resolver, allowScripts });
    this.evaluationHost = createEvaluationHost({
      resolver: this.resolver,
      projectRoot,
      evaluators,
      allowScripts,
      useCache:
        options.useCache !== false && offer.settings.use_cache && offer.settings.cassettes === undefined,
    });
  }

  /** Some agents take long to load, and block this thread meanwhile: a worker that holds a job then counts as lost. */
  async createAgents(): Promise<void> {
    for (const { file, target } of this.offer.agents) {
      if (target !== undefined) this.refuseOtherTarget(target);
      this.suites.refuseOutside(file);
      await this.prepare(file, target);
    }
  }

  async make(
    reference: AttemptReference,
    files: Batch['files'],
    signal: AbortSignal,
  ): Promise<FinishedAttempt> {
    const { id, file, repeat } = reference;
    const { threshold, strict, timeout_ms: timeoutMs, retries } = this.offer.settings;
    const test = await this.suites.find(reference, files[file]);
    this.refuseOtherTarget(reference.target);
    await this.prepare(file, reference.target);
    const [found] = this.targetsOf!({ file } as never, {
      ...test,
      target: reference.target,
      targets: undefined,
    });
    const { name: target, agent, identity } = found!;
    const checks = (await this.prints.of(file, [test], () => [target])).get(test)?.get(target);
    const print = fingerprint(test, { target: identity, threshold, strict, checks });
    const idHere = attemptId(testKey({ file, test: test.id, target }), repeat);
    if (print !== reference.fingerprint || id !== idHere)
      throw new Refusal(
        `the test "${test.id}" of ${file}, or its target, differs from where the run was started: check the config, and the files that it and the test name`,
      );
    if (!this.hasAccepted) this.options.onAccept();
    this.hasAccepted = true;
    const { grader, evaluationHost, preflight, workspaces } = this;
    const cassettes = (await this.cassettes)?.deck;
    const finished = await executeAttempt(
      { id, file, test, target, agent, repeat, fingerprint: print },
      { grader, threshold, strict, clock: SYSTEM_CLOCK, evaluationHost, preflight, cassettes, workspaces },
      { timeoutMs, retries, signal },
    );
    const uncaught = await takeUncaught();
    if (uncaught.length > 0) throw new Refusal(uncaughtError('', uncaught[0]).message);
    const { record, findings } = this.redactor!.value(finished);
    // The run knows it by its id, since the run sent it to us.
    return { record: { ...record, id }, findings };
  }

  async close(): Promise<void> {
    this.stopped.abort(new Error('the run is over'));
    (await this.cassettes?.catch(() => undefined))?.close();
    this.returnKeys?.();
    await Promise.all(this.resolver.agents().map((agent) => agent.close()));
    await this.workspaces.close();
    await this.suites.close();
    await this.evaluators.close();
  }

  /** `assay worker --target a,b` takes part in attempts of these targets only. */
  private refuseOtherTarget(target: string): void {
    const { target: own } = this.options;
    if (own === undefined) return;
    const names = [own].flat();
    if (!names.some((name) => target === name || target.startsWith(`${name}/`)))
      throw new Refusal(
        `the run is for the target ${target}, but this worker was started with --target ${names.join(',')}`,
      );
  }

  /** Creates the agent of a test, once. */
  private async prepare(file: string, target: string | undefined): Promise<void> {
    const key = `${file}\0${target ?? ''}`;
    let prepared = this.prepared.get(key);
    if (prepared === undefined) this.prepared.set(key, (prepared = this.makeAgent(file, target)));
    await prepared;
  }

  /** Before the first agent is created. The folder is the one that this worker's config names. */
  private async openCassettes(file: string): Promise<RunCassettes> {
    const { timing } = this.offer.settings.cassettes!;
    const options = { cassettes: 'replay', cassetteTiming: timing || undefined } as const;
    const settings = (await cassetteSettings(options, this.resolver, file))!;
    this.returnKeys = lendVariables(await this.resolver.useCassettes({ isReplay: true }));
    const { RunCassettes: Cassettes } = await import('../targets/run-cassettes.ts');
    const redactor = await this.resolver.redactor(this.options.secrets);
    return new Cassettes(settings, { projectRoot: this.projectRoot, redactor, isShared: true });
  }

  private async makeAgent(file: string, target: string | undefined): Promise<void> {
    try {
      const reason = await this.code.reasonToRefuse(file, target);
      if (reason !== undefined) throw new Refusal(reason);
      if (this.offer.settings.cassettes !== undefined) await (this.cassettes ??= this.openCassettes(file));
      await this.resolver.prepare([{ file, targets: new Set([target]) }]);
      const { workers } = await this.resolver.configFor(file);
      this.redactor = await this.resolver.redactor(this.options.secrets);
      const agents = this.resolver.agents();
      if (agents.length === this.agentCount) return;
      this.agentCount = agents.length;
      const concurrency = this.options.concurrency ?? workers;
      this.targetsOf = targetsOf(this.resolver, concurrency, this.stopped.signal);
      this.capacity = concurrency ?? Math.max(...agents.map((agent) => agent.workers));
    } catch (error) {
      if (!(error instanceof TargetError || error instanceof AgentSetupError)) throw error;
      throw new Refusal(error.message);
    }
  }
}
