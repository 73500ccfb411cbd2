import { dirname } from 'node:path';
import type { Agent } from '../agents/contract.ts';
import { findProjectRoot, rootForSuite } from '../load/project-root.ts';
import type { Finding } from '../model/finding.ts';
import type { AssayConfig, TargetConfig } from './config.ts';
import { findConfig } from './find-config.ts';
import { loadConfig } from './load-config.ts';
import { createTargetAgent } from './target-agent.ts';

/** An agent under the name that results carry. */
export interface Target {
  readonly name: string;
  readonly agent: Agent;
}

export interface TargetChoice {
  /** `--agent`: decides for every test. */
  readonly agent?: string | undefined;
  /** `--target`: a target of the config, for every test. */
  readonly target?: string | undefined;
  /** `--config`: this config and no other. */
  readonly config?: string | undefined;
}

interface SuiteTargets {
  readonly file: string;
  readonly targets: ReadonlySet<string | undefined>;
}

/** A run cannot begin: the findings say why. */
export class TargetError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Finds the agent of each test: `--agent`, else `--target`, else the one the test or its file names, else the target
 * `default`, else the only target.
 */
export class TargetResolver {
  readonly findings: Finding[] = [];
  private readonly choice: TargetChoice;
  private readonly cwd: string;
  private readonly projectRoot: string;
  private readonly configs = new Map<string, Promise<AssayConfig | undefined>>();
  private readonly targets = new Map<string, Target>();

  constructor(choice: TargetChoice, cwd: string) {
    this.choice = choice;
    this.cwd = cwd;
    this.projectRoot = findProjectRoot(cwd);
  }

  /** Makes the agents of some suites, and nothing else: a target nobody uses may be broken. */
  async prepare(suites: readonly SuiteTargets[]): Promise<void> {
    for (const suite of suites) {
      for (const name of suite.targets) {
        const key = this.keyOf(suite.file, name);
        if (!this.targets.has(key)) this.targets.set(key, await this.resolve(suite.file, name));
      }
    }
  }

  targetOf(file: string, name: string | undefined): Target {
    return this.targets.get(this.keyOf(file, name))!;
  }

  /** The agents that were made, each once. */
  agents(): readonly Agent[] {
    return [...new Set([...this.targets.values()].map(({ agent }) => agent))];
  }

  async configFor(file: string): Promise<AssayConfig> {
    const path = this.configPath(file);
    if (path === undefined) return {};
    let config = this.configs.get(path);
    if (config === undefined) {
      config = loadConfig(path).then((loaded) => {
        this.findings.push(...loaded.findings);
        return loaded.config;
      });
      this.configs.set(path, config);
    }
    const loaded = await config;
    if (loaded === undefined) throw new TargetError(`the config ${path} has errors`);
    return loaded;
  }

  private async resolve(file: string, name: string | undefined): Promise<Target> {
    if (this.choice.agent !== undefined) return this.remember(`--agent ${this.choice.agent}`, { name: this.choice.agent, agent: this.choice.agent }, this.cwd);
    const config = await this.configFor(file);
    const path = this.configPath(file);
    const targets = allTargets(config);
    const wanted = this.choice.target ?? name;
    const target = wanted === undefined ? defaultTarget(targets) : targets.find((candidate) => candidate.name === wanted);
    if (target === undefined || path === undefined) throw noTarget(file, wanted, targets);
    return this.remember(`${path} ${target.name}`, target, dirname(path));
  }

  /** Two suites with one config share its agents. */
  private async remember(key: string, target: TargetConfig, folder: string): Promise<Target> {
    const made = this.targets.get(key) ?? { name: target.name, agent: await createTargetAgent(target, folder) };
    this.targets.set(key, made);
    return made;
  }

  private configPath(file: string): string | undefined {
    return this.choice.config ?? findConfig(dirname(file), rootForSuite(file, this.projectRoot));
  }

  private keyOf(file: string, name: string | undefined): string {
    if (this.choice.agent !== undefined) return `--agent ${this.choice.agent}`;
    return `suite ${dirname(file)} ${this.choice.target ?? name ?? ''}`;
  }
}

function allTargets({ agent, targets = [] }: AssayConfig): readonly TargetConfig[] {
  return agent === undefined ? targets : [{ name: 'default', agent }, ...targets];
}

function defaultTarget(targets: readonly TargetConfig[]): TargetConfig | undefined {
  return targets.find(({ name }) => name === 'default') ?? (targets.length === 1 ? targets[0] : undefined);
}

function noTarget(file: string, wanted: string | undefined, targets: readonly TargetConfig[]): TargetError {
  const names = targets.map(({ name }) => name).join(', ');
  if (wanted === undefined) {
    const hint = targets.length === 0 ? 'say `--agent ./agent.py`, or name one in assay.config.yaml: `agent: ./agent.py`' : `say --target with one of ${names}`;
    return new TargetError(`which agent should run ${file}?`, hint);
  }
  return new TargetError(`there is no target "${wanted}" for ${file}`, targets.length === 0 ? 'name it in assay.config.yaml, under `targets`' : `the targets are ${names}`);
}
