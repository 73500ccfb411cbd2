import { dirname, resolve } from 'node:path';
import { hashHex } from '../../base/match/hash-text.ts';
import { programsOf, type WorkspacePlan } from '../../base/model/workspace.ts';
import { AgentError } from '../../evidence/reply/agent-error.ts';
import type { Sealing } from './agent-workspace.ts';
import { runDocker } from './docker.ts';
import { openWorkspace, type OpenWorkspace } from './open-workspace.ts';
import { prepareTemplate, type PreparedTemplate } from './prepared-template.ts';
import { whyNoNamespace } from './sealed-command.ts';
import { sweepWorkspaces } from './workspace-store.ts';
import { tearDownLeft } from './suite-program.ts';

export interface WorkspaceHostOptions {
  /** Whether programs that this suite names may run: `--allow-scripts`, or its config. */
  maySuiteRun(file: string): Promise<boolean>;
  /** The environment of such programs: a small part, and no keys. */
  scriptEnv(file: string): Promise<NodeJS.ProcessEnv>;
  /** Where artifacts are kept. Undefined: nothing is. */
  readonly artifacts?: string | undefined;
  /** A folder that somebody worked in: each workspace is a copy of it. */
  readonly prepared?: string | undefined;
}

export interface WorkspaceOf {
  readonly id: string;
  readonly file: string;
  readonly plan: WorkspacePlan;
  /** Undefined: Assay does not start the agent, or runs it as a part of itself. */
  readonly sealing: Sealing | undefined;
  /** Variables that its target sets. */
  readonly variables?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** The workspaces of one run. */
export class WorkspaceHost {
  private readonly options: WorkspaceHostOptions;
  private readonly templates = new Map<string, Promise<PreparedTemplate>>();
  private readonly images = new Map<string, Promise<string>>();
  private readonly closing = new AbortController();
  /** Why there are no network namespaces. `null`: there are. */
  private namespaces: string | null | undefined;
  private swept: Promise<void> | undefined;

  constructor(options: WorkspaceHostOptions) {
    this.options = options;
  }

  /** What killed runs left is cleaned up. */
  sweep(): Promise<void> {
    return (this.swept ??= sweepWorkspaces(tearDownLeft));
  }

  /** A fresh workspace. Throws an AgentError if it cannot be prepared, or its policy cannot be enforced. */
  async open(of: WorkspaceOf): Promise<OpenWorkspace> {
    const { file, plan, sealing, signal } = of;
    await this.sweep();
    await this.refusePrograms(of);
    this.refusePolicy(plan, sealing);
    const git = plan.git ?? (sealing === 'coding' ? 'fresh' : 'none');
    const scriptEnv = await this.options.scriptEnv(file);
    const key = hashHex(JSON.stringify([file, plan.template, plan.exclude, plan.prepare, git]));
    let template = this.templates.get(key);
    if (template === undefined)
      this.templates.set(
        key,
        (template = prepareTemplate({ file, plan, git, scriptEnv, signal: this.closing.signal })),
      );
    const prepared = await untilAborted(template, signal);
    return openWorkspace({
      ...of,
      git,
      scriptEnv,
      template: prepared,
      image: await this.imageOf(of),
      artifacts: this.options.artifacts,
      prepared: this.options.prepared,
    });
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('the run is over'));
    for (const template of this.templates.values()) (await template.catch(() => undefined))?.entry.remove();
    this.templates.clear();
  }

  private async refusePrograms({ file, plan }: WorkspaceOf): Promise<void> {
    const programs = programsOf(plan);
    if (programs.length === 0 || (await this.options.maySuiteRun(file))) return;
    const names = programs.map((name) => `\`${name}\``).join(', ');
    throw new AgentError(
      'config',
      `${names} of the test may not run: run with --allow-scripts or set scripts.allow in the config`,
    );
  }

  /** The image of a container, which is built once. */
  private async imageOf({ file, plan, signal }: WorkspaceOf): Promise<string | undefined> {
    const { docker } = plan.environment ?? {};
    if (docker === undefined) return undefined;
    if (docker.image !== undefined) return docker.image;
    const folder = resolve(dirname(file), docker.build!);
    let image = this.images.get(folder);
    if (image === undefined)
      this.images.set(folder, (image = runDocker(['build', '--quiet', folder], this.closing.signal)));
    return untilAborted(image, signal);
  }

  /** What cannot be enforced is refused: a policy that nobody keeps would be a lie. */
  private refusePolicy({ environment = {} }: WorkspacePlan, sealing: Sealing | undefined): void {
    const { home, network, docker, run_in } = environment;
    const refuse = (what: string, why: string): never => {
      throw new AgentError('config', `\`${what}\` cannot be enforced: ${why}`);
    };
    if (sealing === undefined) {
      const what = Object.entries({
        network,
        docker,
        run_in,
        home: home === 'clean' ? home : undefined,
      }).find(([, value]) => value !== undefined)?.[0];
      if (what !== undefined)
        refuse(
          `environment.${what}`,
          'Assay does not start this agent as a separate program; use a target with `command` or a coding agent',
        );
    }
    if (network !== undefined && docker === undefined) {
      if (process.platform !== 'linux')
        refuse('environment.network', 'without `docker`, that needs the network namespaces of Linux');
      const problem = (this.namespaces ??= whyNoNamespace() ?? null);
      if (problem !== null)
        refuse(
          'environment.network',
          `this user cannot create a network namespace (${problem}); use \`docker\``,
        );
    }
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort!: () => void;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  work.catch(() => {});
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
