import type { Agent } from '../../agents/contract.ts';
import { raceAbort } from '../../agents/race-abort.ts';
import type { AssayConfig } from '../../suites/config/config.ts';
import { parseDuration } from '../../base/schema/parse-duration.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { limitSessions } from '../../run/pool/limit-sessions.ts';
import type { PlanOptions } from '../../run/plan/plan.ts';
import type { RunTestsOptions } from '../../run/run-tests.ts';
import type { RunOptions } from '../basics/run-options.ts';

const DEFAULT_TIMEOUT_MS = 120_000;

/** Agents may take long to start, and an interrupt does not wait for them. */
export async function startAgents(
  resolver: TargetResolver,
  suites: readonly OpenSuite[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const started = resolver.prepare(suites);
  if (signal === undefined) return started;
  try {
    await raceAbort(started, signal);
  } catch (error) {
    const close = () => Promise.all(resolver.agents().map((agent) => agent.close()));
    void started.then(close, () => {});
    throw error;
  }
}

/** A run that cannot start closes everything that it opened. */
export async function closingOnError<T>(
  opened: readonly { close(): Promise<void> }[],
  begin: () => T | Promise<T>,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    await Promise.all(opened.map((resource) => resource.close()));
    throw error;
  }
}

export type RunnerOptions = Pick<
  RunTestsOptions,
  'retries' | 'bail' | 'stopEarly' | 'maxCost' | 'threshold' | 'strict' | 'workers' | 'timeoutMs'
>;

export function runnerOptions(
  options: RunOptions,
  config: AssayConfig,
  agents: readonly Agent[],
): RunnerOptions {
  const configured = config.timeout === undefined ? undefined : parseDuration(String(config.timeout));
  return {
    retries: options.retries,
    bail: options.bail,
    stopEarly: options.stopEarly,
    maxCost: options.maxCost ?? config.max_cost,
    threshold: options.threshold ?? config.threshold,
    strict: options.strict === true,
    workers: options.workers ?? config.workers ?? Math.max(1, ...agents.map(({ workers }) => workers)),
    timeoutMs: options.timeoutMs ?? configured ?? DEFAULT_TIMEOUT_MS,
  };
}

/** Limits the sessions of an agent that can be overloaded, or that shares the workers of a run with another. */
export function targetsOf(
  resolver: TargetResolver,
  workers: number | undefined,
  signal: AbortSignal,
): PlanOptions['targetsOf'] {
  const agents = resolver.agents();
  const limited = new Map(
    agents.map((agent) => {
      const most = workers ?? agent.workers;
      return [agent, agents.length > 1 || most > 1 ? limitSessions(agent, { most, signal }) : agent];
    }),
  );
  return (suite, test) =>
    resolver
      .targetsOf(suite.file, test)
      .map(({ name, agent, identity }) => ({ name, agent: limited.get(agent)!, identity }));
}
