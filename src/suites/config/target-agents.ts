import { AgentSetupError } from '../../agents/agent-setup-error.ts';
import { AgentError, type Agent } from '../../agents/contract.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { UnsetVariable } from '../../agents/llm/interpolate.ts';
import { createRedactor } from '../../base/match/redact-secrets.ts';
import { hasErrors } from '../../base/model/finding.ts';
import type { AssayConfig, TargetConfig } from './config.ts';
import { configSecrets } from './config-secrets.ts';
import type { LoadedConfig } from './load-config.ts';
import type { SuiteConfigs } from './suite-configs.ts';
import { createTargetAgent } from './target-agent.ts';
import { TargetError } from './target-error.ts';
import { unsetOption } from './unset-option.ts';
import { absentAgent, explainTargetError } from './unusable-target.ts';

interface AgentChoice {
  /** `--observe`, `--observe=otel` and `--no-observe`: how every agent is watched. */
  readonly observe?: boolean | 'otel' | undefined;
  /** Somebody wants to know which files agents use. */
  readonly seesInputs?: boolean | undefined;
  /** Agents run on other machines: none is created here, and this machine may lack what they need. */
  readonly isElsewhere?: boolean | undefined;
  /** Targets are only named: no agent is created, and an unusable target stops nothing. */
  readonly isNamingOnly?: boolean;
}

interface AgentsPlace {
  readonly projectRoot: string;
  readonly configs: SuiteConfigs;
  env(): Environment;
}

/** Creates the agents of targets, and remembers those that cannot be created. */
export class TargetAgents {
  /** How agents are observed where their model calls are recorded or replayed. */
  cassetteUse: true | 'offline' | undefined;
  /** What the targets send. */
  readonly secrets = new Set<string>();
  private readonly choice: AgentChoice;
  private readonly place: AgentsPlace;
  private readonly unusable = new Map<Agent, Error>();

  constructor(choice: AgentChoice, place: AgentsPlace) {
    this.choice = choice;
    this.place = place;
  }

  /** Undefined for an agent that can be used. */
  whyUnusable(agent: Agent): Error | undefined {
    return this.unusable.get(agent);
  }

  /** The agent of a target; one that cannot be created stands in, and its tests become errors. */
  async create(target: TargetConfig, place: ConfigPlace): Promise<Agent> {
    const { name } = target;
    try {
      const findings = place.loaded?.targetFindings.get(name) ?? [];
      if (hasErrors(findings)) throw new TargetError(`the target "${name}" has errors`, { findings });
      for (const finding of findings) this.place.configs.note(finding);
      return await this.createAgent(target, place);
    } catch (error) {
      if (error instanceof TargetError || error instanceof AgentSetupError) return this.standIn(name, error);
      throw error;
    }
  }

  /** Stands in for a target that cannot be used: its tests become errors, and nothing is called. */
  standIn(name: string, error: TargetError | AgentSetupError): Agent {
    const refused = new AgentError('config', explainTargetError(error), { cause: error });
    const agent = { name, workers: 1, open: () => Promise.reject(refused), close: async () => {} };
    this.unusable.set(agent, error);
    return agent;
  }

  private async createAgent(
    target: TargetConfig,
    { folder, loaded, prices, observed, otel }: ConfigPlace,
  ): Promise<Agent> {
    const isElsewhere = this.choice.isElsewhere === true || this.choice.isNamingOnly === true;
    try {
      for (const secret of configSecrets(target, this.place.env())) this.secrets.add(secret);
      return isElsewhere
        ? absentAgent(target.name)
        : await createTargetAgent(target, {
            folder,
            projectRoot: this.place.projectRoot,
            env: this.place.env(),
            seesInputs: this.choice.seesInputs,
            prices,
            observed,
            otel,
            observe: this.cassetteUse ?? this.choice.observe,
            mustObserve: this.cassetteUse !== undefined,
            onUnset: (option) =>
              this.place.configs.note(
                unsetOption(option, { name: target.name, place: loaded?.targetPlaces.get(target.name) }),
              ),
          });
    } catch (error) {
      if (error instanceof UnsetVariable && isElsewhere) return absentAgent(target.name);
      if (error instanceof AgentSetupError)
        throw new AgentSetupError(await this.redact(error.message), { cause: error });
      if (!(error instanceof UnsetVariable)) throw error;
      throw new TargetError(
        `the target "${target.name}" needs the variable ${error.variable}, but it is not set`,
        { hint: 'set it in the environment or in .env' },
      );
    }
  }

  private async redact(text: string): Promise<string> {
    const configs = await this.place.configs.loader.all();
    const names = configs.flatMap(({ config }) => config?.secrets ?? []);
    return createRedactor(this.place.env(), names, [...this.secrets]).text(text);
  }
}

export interface ConfigPlace {
  /** Undefined for `--agent`, which is in no config. */
  readonly path?: string | undefined;
  /** Paths are relative to this folder. */
  readonly folder: string;
  /** Those of the target. */
  readonly identity: string;
  readonly loaded?: LoadedConfig | undefined;
  readonly prices?: AssayConfig['prices'];
  /** Of the config, for all of its targets. */
  readonly observed?: AssayConfig['observe'];
  readonly otel?: AssayConfig['otel'];
}
