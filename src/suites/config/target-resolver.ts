import type { Json } from '../../base/model/json.ts';
import { dirname, resolve } from 'node:path';
import type { Agent } from '../../agents/contract.ts';
import type { AgentFunction } from '../../agents/function-agent.ts';
import type { JudgeSources } from '../../checks/judges/resolve-judge.ts';
import { findProjectRoot } from '../load/project-root.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Test } from '../../base/model/test.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import type { AssayConfig, CassettesConfig, TargetConfig } from './config.ts';
import { standInKeys } from './stand-in-keys.ts';
import { readDotEnv } from './dot-env.ts';
import type { ConfigLoader } from './config-loader.ts';
import { configFolder } from './find-config.ts';
import { allTargets, findTargets } from './find-target.ts';
import { configSecrets } from './config-secrets.ts';
import { createRedactor, type Redactor } from '../../base/match/redact-secrets.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import { fileForHints, fileOfTarget } from './join-configs.ts';
import { SuiteConfigs } from './suite-configs.ts';
import { TargetAgents, type ConfigPlace } from './target-agents.ts';
import type { TargetSource } from './target-source.ts';
import { agentIdentity, agentName, identityOf } from './target-identity.ts';
import { TargetError } from './target-error.ts';
import { nameTarget, noTarget } from './unusable-target.ts';

/** An agent and its name in the results. */
export interface Target {
  readonly name: string;
  readonly agent: Agent;
  /** Its identity as text: if it differs, the target has changed. */
  readonly identity: string;
  /** As its author wrote it, with the names of variables. */
  readonly with?: JsonObject | undefined;
}

/** What is recorded about a target. */
export interface TargetDescription {
  readonly name: string;
  /** A hash of its settings: if it differs, they have changed. */
  readonly settings: string;
  /** The settings that the agent reads. */
  readonly with?: JsonObject | undefined;
}

export interface TargetChoice {
  /** `--agent`: used for every test. */
  readonly agent?: string | AgentFunction | undefined;
  /** `--target`: targets of the config, used for every test. */
  readonly target?: string | readonly string[] | undefined;
  /** `--config`: use only this config. */
  readonly config?: string | undefined;
  /** `--observe`, `--observe=otel` and `--no-observe`: how every agent is watched. */
  readonly observe?: boolean | 'otel' | undefined;
  /** Told the variables whose values a config wants kept secret, as soon as it is read. */
  readonly onSecrets?: ((names: readonly string[], config: Json | undefined) => void) | undefined;
  /** Agents run on other machines: none is created here, and this machine may lack what they need. */
  readonly isElsewhere?: boolean | undefined;
}

interface ResolverOptions extends TargetChoice {
  /** Configs that were read already. */
  readonly configs?: ConfigLoader | undefined;
  /** Somebody wants to know which files agents use. */
  readonly seesInputs?: boolean | undefined;
  /** Whether the root's config may be code, which is executed. */
  readonly mayExecute: boolean;
  /** Targets are only named: no agent is created, and an unusable target stops nothing. */
  readonly isNamingOnly?: boolean;
  /** No agent is needed: a config that may not be used is ignored. */
  readonly isOptional?: boolean;
}

interface SuiteTargets {
  readonly file: string;
  /** The targets that its tests name; undefined stands for tests that name none. */
  readonly targets: ReadonlySet<string | undefined>;
  /** Those that are named together with others, by one test. */
  readonly joint?: ReadonlySet<string> | undefined;
}

/** What a test says about its targets. */
type TargetNames = Pick<Test, 'target' | 'targets'>;

/**
 * Finds the agents of each test: `--agent`, else those of `--target`, else those that the test or its file names, else
 * the target `default`, else the only target. The name of a target with variants means all of them.
 */
export class TargetResolver {
  env: Environment;
  /** A test may have several targets. */
  hasJoint = false;
  private readonly choice: ResolverOptions;
  private readonly cwd: string;
  private readonly projectRoot: string;
  private readonly configs: SuiteConfigs;
  private readonly targets = new Map<string, readonly Target[]>();
  private readonly byPlace = new Map<string, Target>();
  private readonly created: TargetAgents;

  constructor(choice: ResolverOptions, cwd: string, env: Environment) {
    this.choice = choice;
    this.cwd = cwd;
    this.projectRoot = findProjectRoot(cwd);
    this.configs = new SuiteConfigs(choice, this.projectRoot);
    const read = readDotEnv(this.projectRoot, env);
    this.env = read.env;
    for (const finding of read.findings) this.configs.note(finding);
    this.created = new TargetAgents(choice, {
      projectRoot: this.projectRoot,
      configs: this.configs,
      env: () => this.env,
    });
  }

  /** What is wrong with the configs in use. */
  get findings(): readonly Finding[] {
    return this.configs.findings;
  }

  /**
   * Creates only the agents that these suites use: an unused target may be broken. A target that cannot be created
   * stops the tests that need it. This throws if there is no other target, or if others would run without it.
   */
  async prepare(suites: readonly SuiteTargets[]): Promise<void> {
    const prepared = new Set<Agent>();
    const joint = new Set<Agent>();
    try {
      for (const { file, targets, joint: together } of suites) {
        const names = this.chosenNames(targets);
        for (const name of names) {
          const found = await this.prepareNamed(file, name);
          const isJoint = found.length > 1 || (this.isChosen ? names.length > 1 : together?.has(name ?? ''));
          for (const { agent } of found) {
            prepared.add(agent);
            if (isJoint === true) joint.add(agent);
            this.hasJoint ||= isJoint === true;
          }
        }
      }
      const failures = [...prepared].filter((agent) => this.created.whyUnusable(agent) !== undefined);
      const isHopeless = failures.length === prepared.size || this.choice.isElsewhere === true;
      // A comparison that lacks a target compares nothing. Other workers refuse a target that they cannot create either,
      // so the run would wait for nobody.
      const fatal = isHopeless ? failures[0] : failures.find((agent) => joint.has(agent));
      if (fatal !== undefined && this.choice.isNamingOnly !== true) {
        const why = this.created.whyUnusable(fatal)!;
        throw prepared.size > 1 ? nameTarget(why, fatal.name) : why;
      }
    } catch (error) {
      // The run ends before it starts; agents that were created are closed.
      await Promise.all(this.agents().map((agent) => agent.close()));
      throw error;
    }
  }

  /** The targets of a test, each once, in the order of their names. */
  targetsOf(file: string, test: TargetNames): readonly Target[] {
    const names = this.names(test);
    const [first] = names;
    if (names.length === 1) return this.preparedTargets(file, first);
    const all = names.flatMap((name) => this.preparedTargets(file, name));
    return [...new Map(all.map((target) => [target.name, target])).values()];
  }

  /** The agents that were created, each once. */
  agents(): readonly Agent[] {
    return [...new Set([...this.targets.values()].flat().map(({ agent }) => agent))];
  }

  /** The targets that were created, each with a hash of its identity. */
  described(): readonly TargetDescription[] {
    const known = new Map([...this.targets.values()].flat().map((target) => [target.identity, target]));
    return [...known.values()].map(({ name, identity, with: own }) => ({
      name,
      settings: hashHex(identity),
      ...(own && { with: own }),
    }));
  }

  /**
   * Knows every secret in the environment, in the configs in use, in the addresses of their agents, and the ones
   * passed in.
   */
  async redactor(others: readonly string[] = []): Promise<Redactor> {
    const configs = await this.configs.loader.all();
    const names = configs.flatMap(({ config }) => config?.secrets ?? []);
    const sent = configs.flatMap(({ raw }) => configSecrets(raw, this.env));
    return createRedactor(this.env, names, [...this.created.secrets, ...sent, ...others]);
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
    this.created.cassetteUse = isReplay ? 'offline' : true;
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
    return {
      judge,
      targets: allTargets({ targets: targets ?? [] }),
      ...fileForHints(joined),
    } as JudgeSources;
  }

  /** The judge that a target names. */
  async judgeTargetFor(file: string, name: string | undefined): Promise<string | undefined> {
    if (this.choice.agent !== undefined) return undefined;
    return findTargets(allTargets(await this.configFor(file)), name)[0]?.judge_target;
  }

  /** Where the targets of this name come from. Nothing is created. */
  async sourcesOf(file: string, name: string | undefined): Promise<readonly TargetSource[]> {
    const configs = this.configs.found(file).paths;
    if (this.choice.agent !== undefined) return [{ configs, ...this.chosenAgent(this.choice.agent) }];
    const { found } = await this.authored(file, name);
    return found.map(({ target, folder }) => ({ configs, target, folder, identity: identityOf(target) }));
  }

  /** The first of the chosen names that this suite's config does not have. Nothing is created. */
  async unknownTarget(file: string): Promise<TargetError | undefined> {
    if (this.choice.agent !== undefined || this.choice.target === undefined) return undefined;
    for (const name of this.names({})) {
      const { joined, found } = await this.authored(file, name);
      if (found.length === 0) return noTarget(file, name, joined);
    }
    return undefined;
  }

  /** The names of a test's targets, before variants are looked up. */
  names({ target, targets }: TargetNames): readonly (string | undefined)[] {
    const { target: chosen } = this.choice;
    if (this.choice.agent !== undefined) return [undefined];
    if (chosen !== undefined) return typeof chosen === 'string' ? [chosen] : [...new Set(chosen)];
    return targets ?? [target];
  }

  /** The names that are used for tests with these: the command line decides first. */
  chosenNames(targets: ReadonlySet<string | undefined>): readonly (string | undefined)[] {
    return this.isChosen ? this.names({}) : [...targets];
  }

  /** The command line decides for every test. */
  private get isChosen(): boolean {
    return this.choice.agent !== undefined || this.choice.target !== undefined;
  }

  private chosenAgent(
    agent: string | AgentFunction,
  ): Omit<TargetSource, 'configs'> & { target: TargetConfig } {
    const name = typeof agent === 'string' ? agentName(agent, this.projectRoot) : 'agent';
    const identity = agentIdentity(agent, this.cwd, this.projectRoot);
    return { target: { name, agent }, folder: this.cwd, identity };
  }

  /** The targets of this name as their author wrote them, and their places. */
  private async authored(file: string, name: string | undefined) {
    const joined = await this.configs.joined(file);
    const found = findTargets(allTargets(joined.config!), name).map((target) => {
      const { path, loaded } = fileOfTarget(joined, target.name) ?? {};
      return { target, path, loaded, folder: path === undefined ? this.cwd : configFolder(resolve(path)) };
    });
    return { joined, found };
  }

  private preparedTargets(file: string, name: string | undefined): readonly Target[] {
    const targets = this.targets.get(this.keyOf(file, name));
    if (targets === undefined) throw new TargetError(`the target of ${file} was not prepared`);
    return targets;
  }

  private async prepareNamed(file: string, name: string | undefined): Promise<readonly Target[]> {
    const key = this.keyOf(file, name);
    let targets = this.targets.get(key);
    if (targets === undefined) this.targets.set(key, (targets = await this.resolve(file, name)));
    return targets;
  }

  private async resolve(file: string, name: string | undefined): Promise<readonly Target[]> {
    if (this.choice.agent !== undefined) {
      const { prices, observe: observed, otel } = this.isRefused(file) ? {} : await this.configFor(file);
      const { target, ...place } = this.chosenAgent(this.choice.agent);
      return [await this.remember(target, { ...place, prices, observed, otel })];
    }
    const { joined, found } = await this.authored(file, name);
    const { prices, observe: observed, otel } = joined.config!;
    const targets: Target[] = [];
    for (const { target, ...place } of found)
      if (place.path !== undefined)
        targets.push(
          await this.remember(target, {
            ...place,
            identity: identityOf(target),
            prices,
            observed,
            otel,
          }),
        );
    if (targets.length > 0) return targets;
    const missing = name ?? 'default';
    return [
      { name: missing, agent: this.created.standIn(missing, noTarget(file, name, joined)), identity: '' },
    ];
  }

  /** Two suites with one config share its agents. */
  private async remember(target: TargetConfig, place: ConfigPlace): Promise<Target> {
    const { name } = target;
    const key = `${place.path ?? '--agent'} ${name}`;
    let made = this.byPlace.get(key);
    if (made === undefined) {
      const agent = await this.created.create(target, place);
      made = { name, agent, identity: place.identity, with: target.with };
      this.byPlace.set(key, made);
    }
    return made;
  }

  private keyOf(file: string, name: string | undefined): string {
    if (this.choice.agent !== undefined) return '--agent';
    return `suite ${dirname(file)} ${name ?? ''}`;
  }
}
