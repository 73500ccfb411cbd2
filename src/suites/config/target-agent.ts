import { AgentSetupError } from '../../agents/agent-setup-error.ts';
import type { Agent, Observing } from '../../agents/contract.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { costOf, priceOfModel, type Price } from '../../agents/llm/price-table.ts';
import type { ObserveSettings } from '../../base/schema/observe-schema.ts';
import type { UnsetOption } from '../../agents/llm/unset-options.ts';
import type { AssayConfig, TargetConfig } from './config.ts';
import { fillTarget } from './read-target.ts';
import { environmentOf, variablesOf } from './target-variants.ts';
import { KIND_KEYS } from './target-kind.ts';

export interface TargetPlace {
  /** The folder that the config's paths are relative to. */
  readonly folder: string;
  /** Default: the same. */
  readonly projectRoot?: string | undefined;
  readonly env: Environment;
  /** What models cost, by their names, as the config says. */
  readonly prices?: Readonly<Record<string, Price>> | undefined;
  /** Whether model calls are watched, for every target. Undefined: as the target says. */
  readonly observe?: boolean | 'offline' | 'otel' | undefined;
  /** How telemetry is read. */
  readonly otel?: AssayConfig['otel'];
  /** What the config knows of the work of all targets. */
  readonly observed?: ObserveSettings | undefined;
  /** Somebody wants to know which files it uses. */
  readonly seesInputs?: boolean | undefined;
  /** An agent whose model calls cannot be watched cannot be used. */
  readonly mustObserve?: boolean | undefined;
  /** Told the settings that do not hold, because their variables are not set. */
  readonly onUnset?: ((option: UnsetOption) => void) | undefined;
}

/** Creates the agent that a target describes. */
export async function createTargetAgent(authored: TargetConfig, place: TargetPlace): Promise<Agent> {
  const usable = fillTarget(authored, place.env);
  if (usable === undefined)
    throw new AgentSetupError(
      `the target "${authored.name}" cannot be used: a target needs one of ${KIND_KEYS.join(', ')} and \`provider\``,
    );
  const { kind, target: filled, reader, unset } = usable;
  for (const option of unset) place.onUnset?.(option);
  // Only now are the values of variables known.
  const problem = reader.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new AgentSetupError(
      `the target "${authored.name}" cannot be used: ${problem.path}: ${problem.message}`,
      {
        hint: problem.hint,
      },
    );
  const target = filled!;
  const unobserved = place.mustObserve === true ? kind.whyUnobserved?.(target) : undefined;
  if (unobserved !== undefined)
    throw new AgentSetupError(
      `the target "${target.name}" cannot be used with cassettes: ${unobserved.reason}`,
      { hint: unobserved.hint },
    );
  const isSettings = typeof target.observe === 'object';
  const settings = [place.observed, isSettings ? (target.observe as ObserveSettings) : undefined];
  const harmless = new Set(settings.flatMap((each) => each?.harmless ?? []));
  const answers = new Set(settings.flatMap((each) => each?.answers ?? []));
  // A copy: every look at `process.env` asks the system, and each program gets all of it.
  const agent = await kind.create(target, {
    cwd: place.folder,
    projectRoot: place.projectRoot,
    seesInputs: place.seesInputs,
    env: { ...environmentOf(authored, place.env) },
    variables: variablesOf(authored, place.env),
    observe: observing(
      place.observe ?? (isSettings ? true : (target.observe as boolean | 'otel')),
      place.otel,
    ),
  });
  return {
    name: target.name,
    workers: target.workers ?? agent.workers,
    retry: agent.retry,
    limits: target.limits,
    settings: target.with,
    modelCalls: agent.modelCalls,
    isFunction: agent.isFunction,
    ...(agent.inputs !== undefined && { inputs: agent.inputs }),
    ...(target.workers === undefined && agent.waitedMs !== undefined && { waitedMs: agent.waitedMs }),
    costOf: (model, usage) => costOf(usage, priceOfModel(model, place.prices)),
    answerTools: answers.size === 0 ? undefined : answers,
    open: (test, options) => agent.open(test, harmless.size === 0 ? options : { ...options, harmless }),
    close: () => agent.close(),
  };
}

function observing(observe: TargetPlace['observe'], otel: AssayConfig['otel'] = {}): Observing | undefined {
  if (observe !== 'otel') return observe;
  const { forward, quiet_ms: quietMs, wait_ms: waitMs, port } = otel;
  return { forward, quietMs, waitMs, port };
}
