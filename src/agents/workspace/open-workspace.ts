import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../base/model/json.ts';
import type { LoadedParts, WorkspaceRecord } from '../../base/model/workspace.ts';
import { AgentError } from '../../evidence/reply/agent-error.ts';
import type { AgentWorkspace } from './agent-workspace.ts';
import { instructionsAbove, undeclaredParts } from './loaded-parts.ts';
import { cleanEnvironment, ownEnvironment } from './clean-home.ts';
import { copyTree, TEMPLATE_LIMITS } from './copy-tree.ts';
import { removeContainer } from './docker.ts';
import { endProcesses, MARK, pause, type KeptProgram } from './end-processes.ts';
import { initRepository } from './git.ts';
import { keepArtifacts } from './artifacts.ts';
import { fillWords as fill } from './fill-vars.ts';
import { readManifest } from './manifest.ts';
import { openGate, type NetworkGate } from './network-gate.ts';
import { asWorkspaceError, type PreparedTemplate } from './prepared-template.ts';
import { modelHosts, modelVariables, sealCommand, type Sandbox } from './sealed-command.ts';
import { printedVars, runSuiteProgram, SETUP_LIMIT_MS } from './suite-program.ts';
import { createEntry, ensureFolder, removeTree } from './workspace-store.ts';
import { WorkTree } from './work-tree.ts';
import type { WorkspaceOf } from './workspace-host.ts';

interface Opening extends WorkspaceOf {
  readonly git: 'fresh' | 'none';
  readonly template: PreparedTemplate;
  readonly scriptEnv: NodeJS.ProcessEnv;
  readonly image: string | undefined;
  readonly artifacts: string | undefined;
  readonly prepared: string | undefined;
}

/** Something its author should know, and an error with `--strict`. */
export interface WorkspaceWarning {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export interface OpenWorkspace {
  readonly folder: string;
  /** What the setups printed. */
  readonly vars: JsonObject;
  readonly agent: AgentWorkspace;
  readonly tree: WorkTree;
  /** A program that was stopped for the grading of the step before goes on. */
  resume(): void;
  /** Ends what the agent left running, and restores what is protected. A program that serves later steps is stopped until then. */
  beforeGrading(isLast: boolean): Promise<readonly WorkspaceWarning[]>;
  /** Tears it down. It never throws: what went wrong is among the warnings. */
  finish(
    hasFailed: boolean,
  ): Promise<{ readonly record: WorkspaceRecord; readonly warnings: readonly WorkspaceWarning[] }>;
}

export async function openWorkspace(opening: Opening): Promise<OpenWorkspace> {
  const { plan, template, scriptEnv, git, sealing, signal } = opening;
  const { environment = {}, timeouts = {} } = plan;
  const timeoutMs = timeouts.setup ?? SETUP_LIMIT_MS;
  const entry = createEntry();
  const id = entry.folder.split('/').at(-1)!;
  const folder = join(entry.folder, 'work');
  const home = join(entry.folder, 'home');
  const container = environment.docker === undefined ? undefined : `assay-${id}`;
  const env = { ...scriptEnv, [MARK]: id };
  let vars = template.vars;
  let gate: NetworkGate | undefined;
  const tellTeardown = (): readonly (readonly string[])[] => {
    const teardown = (plan.teardown ?? []).map((argv) => fill(argv, vars));
    entry.note({ teardown, env, timeoutMs, container });
    return teardown;
  };
  const tearDown = async (): Promise<readonly WorkspaceWarning[]> => {
    const warnings: WorkspaceWarning[] = [];
    ensureFolder(folder);
    for (const argv of tellTeardown())
      try {
        const own = new AbortController().signal;
        await runSuiteProgram({ what: 'teardown', argv, cwd: folder, env, timeoutMs, signal: own });
      } catch (error) {
        warnings.push({ code: 'teardown_failed', message: (error as Error).message });
      }
    gate?.close();
    await endProcesses(id, entry.folder);
    if (container !== undefined) await removeContainer(container);
    return warnings;
  };
  /** `docker` is only a client: a container lives on when it is killed. */
  const endAgent = async (kept?: KeptProgram): Promise<void> => {
    await endProcesses(id, folder, kept);
    if (container !== undefined && kept === undefined) await removeContainer(container);
  };
  try {
    tellTeardown();
    await copyTree(template.folder, folder, { check: () => signal.throwIfAborted() });
    let before = { folder: template.folder, manifest: template.manifest };
    if (plan.setup !== undefined) {
      const stdout = await runSuiteProgram({
        what: 'setup',
        argv: fill(plan.setup, vars),
        cwd: folder,
        env,
        timeoutMs,
        signal,
      });
      vars = { ...vars, ...printedVars(stdout) };
      tellTeardown();
      await endProcesses(undefined, folder);
      if (git === 'fresh') await initRepository(folder, signal);
      before = { folder: join(entry.folder, 'before'), manifest: await readManifest(folder) };
      await copyTree(folder, before.folder);
    }
    if (opening.prepared !== undefined) {
      removeTree(folder);
      await copyTree(opening.prepared, folder, { limits: TEMPLATE_LIMITS });
    }
    const isClean = (environment.home ?? (sealing === 'coding' ? 'clean' : 'own')) === 'clean';
    if (isClean) mkdirSync(home, { mode: 0o700 });
    if (environment.network !== undefined || (container !== undefined && sealing !== undefined)) {
      const sockets = join(entry.folder, 'net');
      mkdirSync(sockets, { mode: 0o700 });
      gate = await openGate(
        sockets,
        environment.network === undefined ? ['*'] : environment.network === 'none' ? [] : environment.network,
      );
    }
    const sandbox: Sandbox = {
      kind:
        container !== undefined
          ? 'docker'
          : environment.run_in !== undefined
            ? 'run_in'
            : environment.network !== undefined
              ? 'namespace'
              : 'none',
      gate,
      docker: container === undefined ? undefined : { image: opening.image!, name: container },
      runIn: environment.run_in && fill(environment.run_in, vars),
      folders: [
        folder,
        ...(isClean ? [home] : []),
        ...(gate === undefined ? [] : [join(entry.folder, 'net')]),
      ],
    };
    const seal = async (
      argv: readonly string[],
      given: NodeJS.ProcessEnv,
      { agentsOwn, in: inHome }: { readonly agentsOwn?: readonly string[]; readonly in: string },
    ) => {
      const declared = new Set([
        ...(environment.env ?? []),
        ...(agentsOwn ?? []),
        ...(opening.variables ?? []),
        ...modelVariables(given),
      ]);
      const own = isClean ? cleanEnvironment(given, inHome, declared) : ownEnvironment(given, declared);
      if (agentsOwn !== undefined) gate?.allow(modelHosts(given));
      return sealCommand(argv, { ...own, [MARK]: id, PWD: folder }, { sandbox, cwd: folder });
    };
    const tree = new WorkTree({
      folder,
      scratch: entry.folder,
      before,
      protect: plan.protect ?? [],
      // What the agent wrote runs in them: they get what the agent gets, but for keys, what it left in its home, and a container that may lack the program.
      async startCheck(argv) {
        checksHome ??= mkdtempSync(join(entry.folder, 'checks-'));
        return sandbox.kind === 'namespace'
          ? seal(argv, scriptEnv, { in: checksHome })
          : { argv, env: isClean ? cleanEnvironment(scriptEnv, checksHome, new Set()) : env };
      },
    });
    let loaded: LoadedParts | undefined;
    let kept: KeptProgram | undefined;
    let rest: 'no' | 'until the next step' | 'for good' = 'no';
    /** For each step: the agent may write to that of the last one. */
    let checksHome: string | undefined;
    const above = instructionsAbove(entry.folder);
    return {
      folder,
      vars,
      tree,
      agent: {
        folder,
        async start(argv, given, own) {
          tree.touch();
          return seal(argv, given, { agentsOwn: own ?? [], in: home });
        },
        isAtRest: () => rest !== 'no',
        keep: (program) => (kept = program),
        noteLoaded: (parts) => (loaded = { ...loaded, ...parts }),
      },
      resume() {
        if (rest !== 'for good') rest = 'no';
        pause(kept, 'SIGCONT');
      },
      async beforeGrading(isLast) {
        checksHome = undefined;
        rest = isLast ? 'for good' : 'until the next step';
        if (isLast) kept = undefined;
        pause(kept, 'SIGSTOP');
        await endAgent(kept);
        return tree.restore();
      },
      async finish(hasFailed) {
        rest = 'for good';
        const warnings: WorkspaceWarning[] = [];
        const guard = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
          try {
            return await work();
          } catch (error) {
            warnings.push({ code: 'workspace_unread', message: `${what}: ${(error as Error).message}` });
            return undefined;
          }
        };
        await guard('what the agent started could not be ended', () => endAgent());
        const ensured = await guard('the workspace could not be made again', async () => tree.ensure());
        warnings.push(...(ensured ?? []));
        const diff = await guard('what the agent changed could not be read', () => tree.diff());
        const artifacts = await guard('artifacts could not be kept', () =>
          keepArtifacts(plan.artifacts ?? [], { from: folder, to: opening.artifacts, id: opening.id }),
        );
        const isKept = plan.keep === 'always' || (plan.keep === 'on_failure' && hasFailed);
        warnings.push(
          ...undeclaredParts(loaded, above, { before: before.folder, loads: environment.loads ?? [] }),
        );
        warnings.push(...((await guard('`teardown`', tearDown)) ?? []));
        if (isKept) entry.note({ isKept });
        else await guard('the workspace could not be deleted', async () => entry.remove());
        const parts = above.length === 0 ? loaded : { ...loaded, files: above };
        return {
          warnings,
          record: {
            ...(isKept && { folder }),
            changed_files: diff?.total ?? 0,
            changes: diff?.files ?? [],
            diff: diff?.text,
            diff_cut: diff === undefined ? 'it could not be read' : diff.cut,
            protected_changed: tree.protectedChanges(),
            artifacts,
            git,
            home: isClean ? 'clean' : 'own',
            network: environment.network === 'none' ? [] : environment.network,
            sandbox: sandbox.kind === 'none' ? undefined : sandbox.kind,
            hosts: gate?.reached(),
            loaded: parts,
          },
        };
      },
    };
  } catch (error) {
    await tearDown().catch(() => {});
    entry.remove();
    if (signal.aborted && !(error instanceof AgentError)) throw error;
    throw asWorkspaceError(error, plan);
  }
}
