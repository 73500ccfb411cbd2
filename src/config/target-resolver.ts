import { dirname, resolve } from 'node:path';
import { AgentSetupError } from '../agents/agent-setup-error.ts';
import { AgentError, type Agent, type Observing } from '../agents/contract.ts';
import type { AgentFunction } from '../agents/function-agent.ts';
import type { JudgeSources } from '../judges/resolve-judge.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { hasErrors, type Finding } from '../model/finding.ts';
import { printJson } from '../model/print-json.ts';
import type { Environment } from '../llm/create-model.ts';
import type { AssayConfig, CassettesConfig, TargetConfig } from './config.ts';
import { standInKeys } from './stand-in-keys.ts';
import { readDotEnv } from './dot-env.ts';
import type { ConfigLoader } from './config-loader.ts';
import { configFolder } from './find-config.ts';
import { allTargets, findTarget } from './find-target.ts';
import { createRedactor, type Redactor } from '../match/redact-secrets.ts';
import { hashHex } from '../match/hash-text.ts';
import { hideCredentials, urlCredentials } from '../match/url-credentials.ts';
import { interpolate, UnsetVariable } from '../llm/interpolate.ts';
import type { LoadedConfig } from './load-config.ts';
import { fileForHints, fileOfTarget } from './join-configs.ts';
import { SuiteConfigs } from './suite-configs.ts';
import { createTargetAgent } from './target-agent.ts';
import type { TargetSource } from './target-code.ts';
import { agentIdentity, identityOf } from './target-identity.ts';
import { TargetError } from './target-error.ts';
import { absentAgent, explainTargetError, noTarget } from './unusable-target.ts';
import { unsetOption } from './unset-option.ts';

/** An agent and its name in the results. */
export interface Target {
  readonly name: string;
  readonly agent: Agent;
  /** Its identity as text: if it differs, the target has changed. */
  readonly identity: string;
}

/** What is recorded about a target. */
export interface TargetDescription {
  readonly name: string;
  /** A hash of its settings: if it differs, they have changed. */
  readonly settings: string;
}

export interface TargetChoice {
  /** `--agent`: used for every test. */
  readonly agent?: string | AgentFunction | undefined;
  /** `--target`: a target of the config, used for every test. */
  readonly target?: string | undefined;
  /** `--config`: use only this config. */
  readonly config?: string | undefined;
  /** `--observe` and `--no-observe`: whether the model calls of every agent are watched. */
  readonly observe?: boolean | undefined;
  /** Told the variables whose values a config wants kept secret, as soon as it is read. */
  readonly onSecrets?: ((names: readonly string[]) => void) | undefined;
  /** Agents run on other machines: none is created here, and this machine may lack what they need. */
  readonly isElsewhere?: boolean | undefined;
}

interface ResolverOptions extends TargetChoice {
  /** Configs that were read already. */
  readonly configs?: ConfigLoader | undefined;
  /** Whether the root's config may be code, which is executed. */
  readonly mayExecute: boolean;
  /** Targets are only named: no agent is created, and an unusable target stops nothing. */
  readonly isNamingOnly?: boolean;
  /** No agent is needed: a config that may not be used is ignored. */
  readonly isOptional?: boolean;
}

interface SuiteTargets {
  readonly file: string;
  readonly targets: ReadonlySet<string | undefined>;
}

/**
 * Finds the agent of each test: `--agent`, else `--target`, else the one that the test or its file names, else the
 * target `default`, else the only target.
 */
export class TargetResolver {
  env: Environment;
  private readonly choice: ResolverOptions;
  private readonly cwd: string;
  private readonly projectRoot: string;
  private readonly configs: SuiteConfigs;
  private readonly targets = new Map<string, Target>();
  /** Agents that stand in for targets that cannot be used, and the reason. */
  private readonly unusable = new Map<Agent, Error>();
  private readonly passwords = new Set<string>();
  /** How agents are observed where their model calls are recorded or replayed. */
  private cassetteUse: Observing | undefined;

  constructor(choice: ResolverOptions, cwd: string, env: Environment) {
    this.choice = choice;
    this.cwd = cwd;
    this.projectRoot = findProjectRoot(cwd);
    this.configs = new SuiteConfigs(choice, this.projectRoot);
    const read = readDotEnv(this.projectRoot, env);
    this.env = read.env;
    for (const finding of read.findings) this.configs.note(finding);
  }

  /** What is wrong with the configs in use. */
  get findings(): readonly Finding[] {
    return this.configs.findings;
  }

  /**
   * Creates only the agents that these suites use: an unused target may be broken. A target that cannot be created
   * stops the tests that need it. If there is no other target, this throws.
   */
  async prepare(suites: readonly SuiteTargets[]): Promise<void> {
    const prepared = new Set<Agent>();
    try {
      for (const suite of suites) {
        for (const name of suite.targets) {
          const key = this.keyOf(suite.file, name);
          let target = this.targets.get(key);
          if (target === undefined) this.targets.set(key, (target = await this.resolve(suite.file, name)));
          prepared.add(target.agent);
        }
      }
      const failures = [...prepared].flatMap((agent) => this.unusable.get(agent) ?? []);
      const [first] = failures;
      // Other workers refuse a target that they cannot create either, so the run would wait for nobody.
      const isHopeless = failures.length === prepared.size || this.choice.isElsewhere === true;
      if (first !== undefined && isHopeless && this.choice.isNamingOnly !== true) throw first;
    } catch (error) {
      // The run ends before it starts; agents that were created are closed.
      await Promise.all(this.agents().map((agent) => agent.close()));
      throw error;
    }
  }

  targetOf(file: string, name: string | undefined): Target {
    const target = this.targets.get(this.keyOf(file, name));
    if (target === undefined) throw new TargetError(`the target of ${file} was not prepared`);
    return target;
  }

  /** The agents that were created, each once. */
  agents(): readonly Agent[] {
    return [...new Set([...this.targets.values()].map(({ agent }) => agent))];
  }

  /** The targets that were created, each with a hash of its identity. */
  described(): readonly TargetDescription[] {
    const known = new Map([...this.targets.values()].map((target) => [target.identity, target]));
    return [...known.values()].map(({ name, identity }) => ({ name, settings: hashHex(identity) }));
  }

  /**
   * Knows every secret in the environment, in the configs in use, in the addresses of their agents, and the ones
   * passed in.
   */
  async redactor(others: readonly string[] = []): Promise<Redactor> {
    const configs = await this.configs.loader.all();
    const names = configs.flatMap(({ config }) => config?.secrets ?? []);
    return createRedactor(this.env, names, [...this.passwords, ...others]);
  }

  /** Why a suite cannot run: its config may not be used. */
  isRefused(file: string): boolean {
    return this.configs.isRefused(file);
  }

  /** Whether the content of a suite's config is unknown: it is code, and was not executed. */
  isConfigUnread(file: string): boolean {
    return this.configs.isUnread(file);
  }

  /** Throws when the config has errors. */
  async configFor(file: string): Promise<AssayConfig> {
    return (await this.configs.joined(file)).config!;
  }

  /** What the config of a suite says about cassettes, and the folder that its paths are relative to. */
  async cassettesFor(
    file: string,
  ): Promise<{ readonly config: CassettesConfig | undefined; readonly folder: string }> {
    if (this.isRefused(file)) return { config: undefined, folder: this.projectRoot };
    const { files, config } = await this.configs.joined(file);
    const own = files.find(({ loaded }) => loaded.config?.cassettes !== undefined);
    const folder = own === undefined ? this.projectRoot : configFolder(resolve(own.path));
    return { config: config!.cassettes, folder };
  }

  /**
   * The model calls of every agent pass through Assay from now on. Where they are replayed nobody needs a key, but SDKs ask for one:
   * they get one that opens nothing. Returns the variables that were added.
   */
  async useCassettes({
    isReplay,
  }: {
    readonly isReplay: boolean;
  }): Promise<Readonly<Record<string, string>>> {
    this.cassetteUse = isReplay ? 'offline' : true;
    if (!isReplay) return {};
    const added = standInKeys(
      this.env,
      printJson((await this.configs.loader.all()).map(({ config }) => config ?? {})),
    );
    this.env = { ...this.env, ...added };
    return added;
  }

  /** Where the judges of a suite are named. */
  async judgesFor(file: string): Promise<JudgeSources> {
    const joined = await this.configs.joined(file);
    const { judge, targets } = joined.config!;
    return { judge, targets, ...fileForHints(joined) } as JudgeSources;
  }

  /** The judge that the target of a test names. */
  async judgeTargetFor(file: string, name: string | undefined): Promise<string | undefined> {
    if (this.choice.agent !== undefined) return undefined;
    return findTarget(allTargets(await this.configFor(file)), this.choice.target ?? name)?.judge_target;
  }

  /** Where the target of a test comes from. Nothing is created. */
  async sourceOf(file: string, name: string | undefined): Promise<TargetSource> {
    const { agent } = this.choice;
    const configs = this.configs.found(file).paths;
    if (agent !== undefined) {
      const shown = typeof agent === 'string' ? hideCredentials(agent) : 'agent';
      const identity = agentIdentity(agent, this.cwd, this.projectRoot);
      return { configs, target: { name: shown, agent }, folder: this.cwd, identity };
    }
    const { target, path } = await this.authored(file, name);
    if (target === undefined) return { configs, target, folder: this.cwd, identity: '' };
    const folder = path === undefined ? this.cwd : configFolder(resolve(path));
    return { configs, target, folder, identity: identityOf(target) };
  }

  /** The target of a test as its author wrote it, and its place. */
  private async authored(file: string, name: string | undefined) {
    const joined = await this.configs.joined(file);
    const target = findTarget(allTargets(joined.config!), this.choice.target ?? name);
    const { path, loaded } = (target && fileOfTarget(joined, target.name)) ?? {};
    return { joined, target, path, loaded };
  }

  private async resolve(file: string, name: string | undefined): Promise<Target> {
    const { folder, identity, target: agent } = await this.sourceOf(file, name);
    if (this.choice.agent !== undefined) {
      const prices = this.isRefused(file) ? undefined : (await this.configFor(file)).prices;
      return this.remember(agent!, { folder, identity, prices });
    }
    const { joined, target, path, loaded } = await this.authored(file, name);
    if (target === undefined || path === undefined) {
      const wanted = this.choice.target ?? name;
      const missing = wanted ?? 'default';
      const error = noTarget(file, wanted, joined);
      return { name: missing, agent: this.standIn(missing, error), identity: '' };
    }
    return this.remember(target, { path, folder, identity, loaded, prices: joined.config!.prices });
  }

  /** Two suites with one config share its agents. */
  private async remember(target: TargetConfig, place: ConfigPlace): Promise<Target> {
    const { name } = target;
    const key = `${place.path ?? '--agent'} ${name}`;
    let made = this.targets.get(key);
    if (made === undefined) {
      made = { name, agent: await this.createOrStandIn(target, place), identity: place.identity };
      this.targets.set(key, made);
    }
    return made;
  }

  private async createOrStandIn(target: TargetConfig, place: ConfigPlace): Promise<Agent> {
    const { name } = target;
    try {
      const findings = place.loaded?.targetFindings.get(name) ?? [];
      if (hasErrors(findings)) throw new TargetError(`the target "${name}" has errors`, { findings });
      for (const finding of findings) this.configs.note(finding);
      return await this.createAgent(target, place);
    } catch (error) {
      if (error instanceof TargetError || error instanceof AgentSetupError) return this.standIn(name, error);
      throw error;
    }
  }

  /** Stands in for a target that cannot be used: its tests become errors, and nothing is called. */
  private standIn(name: string, error: TargetError | AgentSetupError): Agent {
    const refused = new AgentError('config', explainTargetError(error), { cause: error });
    const agent = { name, workers: 1, open: () => Promise.reject(refused), close: async () => {} };
    this.unusable.set(agent, error);
    return agent;
  }

  private async createAgent(target: TargetConfig, { folder, loaded, prices }: ConfigPlace): Promise<Agent> {
    const isElsewhere = this.choice.isElsewhere === true || this.choice.isNamingOnly === true;
    try {
      this.notePasswords(target);
      return isElsewhere
        ? absentAgent(target.name)
        : await createTargetAgent(target, {
            folder,
            projectRoot: this.projectRoot,
            env: this.env,
            prices,
            observe: this.cassetteUse ?? this.choice.observe,
            mustObserve: this.cassetteUse !== undefined,
            onUnset: (option) =>
              this.configs.note(
                unsetOption(option, { name: target.name, place: loaded?.targetPlaces.get(target.name) }),
              ),
          });
    } catch (error) {
      if (error instanceof UnsetVariable && isElsewhere) return absentAgent(target.name);
      if (error instanceof AgentSetupError)
        throw new AgentSetupError((await this.redactor()).text(error.message), { cause: error });
      if (!(error instanceof UnsetVariable)) throw error;
      throw new TargetError(
        `the target "${target.name}" needs the variable ${error.variable}, but it is not set`,
        { hint: 'set it in the environment or in .env' },
      );
    }
  }

  /** Any string in a target may be an address that contains a password. */
  private notePasswords(target: TargetConfig): void {
    for (const text of Object.values(target)) {
      const password = typeof text === 'string' ? passwordIn(text, this.env) : undefined;
      if (password !== undefined) this.passwords.add(password);
    }
  }

  private keyOf(file: string, name: string | undefined): string {
    if (this.choice.agent !== undefined) return '--agent';
    return `suite ${dirname(file)} ${this.choice.target ?? name ?? ''}`;
  }
}

interface ConfigPlace {
  /** Undefined for `--agent`, which is in no config. */
  readonly path?: string | undefined;
  /** Paths are relative to this folder. */
  readonly folder: string;
  /** Those of the target. */
  readonly identity: string;
  readonly loaded?: LoadedConfig | undefined;
  readonly prices?: AssayConfig['prices'];
}

function passwordIn(text: string, env: Environment): string | undefined {
  try {
    return urlCredentials(interpolate(text, env))?.password;
  } catch (error) {
    // Whether the target needs the variable is known once its agent is created.
    if (error instanceof UnsetVariable) return undefined;
    throw error;
  }
}
