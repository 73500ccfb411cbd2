import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { globMatcher } from '../../base/match/glob.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { WorkspacePlan } from '../../base/model/workspace.ts';
import { AgentError } from '../../evidence/reply/agent-error.ts';
import { copyTree, TEMPLATE_LIMITS, TreeError } from './copy-tree.ts';
import { initRepository } from './git.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { printedVars, runSuiteProgram, SETUP_LIMIT_MS } from './suite-program.ts';
import { createEntry, type WorkspaceEntry } from './workspace-store.ts';

/** What every attempt gets a copy of. It was checked: nothing in it leads out. */
export interface PreparedTemplate {
  readonly entry: WorkspaceEntry;
  readonly folder: string;
  readonly manifest: Manifest;
  /** What the `setup` of the file printed. */
  readonly vars: JsonObject;
}

interface Preparing {
  readonly file: string;
  readonly plan: WorkspacePlan;
  readonly git: 'fresh' | 'none';
  readonly scriptEnv: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Copies the template once, runs the `setup` of the file in it, and makes the first commit. */
export async function prepareTemplate({
  file,
  plan,
  git,
  scriptEnv,
  signal,
}: Preparing): Promise<PreparedTemplate> {
  const timeoutMs = plan.timeouts?.setup ?? SETUP_LIMIT_MS;
  const teardown = plan.prepare === undefined ? [] : (plan.teardown ?? []);
  const entry = createEntry({ teardown, env: scriptEnv, timeoutMs });
  const folder = join(entry.folder, 'work');
  try {
    await copyTemplate(file, plan, { to: folder, signal });
    let vars: JsonObject = {};
    if (plan.prepare !== undefined) {
      try {
        const program = { cwd: folder, env: scriptEnv, timeoutMs, signal };
        vars = printedVars(await runSuiteProgram({ ...program, what: 'setup', argv: plan.prepare }));
      } catch (error) {
        for (const argv of teardown)
          await runSuiteProgram({
            what: 'teardown',
            argv,
            cwd: folder,
            env: scriptEnv,
            timeoutMs,
            signal: new AbortController().signal,
          }).catch(() => {});
        throw error;
      }
    }
    // Each attempt has its own.
    entry.note({});
    if (git === 'fresh') await initRepository(folder, signal);
    return { entry, folder, manifest: await readManifest(folder), vars };
  } catch (error) {
    entry.remove();
    throw asWorkspaceError(error, plan);
  }
}

/** The template of a plan without what it leaves out. Any `.git` in it is history, or leads to some, which no agent may read. */
async function copyTemplate(
  file: string,
  { template, exclude = [] }: WorkspacePlan,
  { to, signal }: { readonly to: string; readonly signal: AbortSignal },
): Promise<void> {
  if (template === undefined) {
    mkdirSync(to, { recursive: true });
    return;
  }
  const from = resolve(dirname(file), template);
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats === undefined) throw new TreeError(`the template ${template} does not exist (${from})`);
  if (!stats.isDirectory()) throw new TreeError(`the template ${template} is not a folder`);
  const isExcluded = globMatcher([...exclude, '**/.git']);
  await copyTree(from, to, {
    leaveOut: isExcluded,
    limits: TEMPLATE_LIMITS,
    check: () => signal.throwIfAborted(),
  });
}

/** Every problem has the place of the workspace in the suite. */
export function asWorkspaceError(error: unknown, { place }: Pick<WorkspacePlan, 'place'>): unknown {
  if (error instanceof AgentError && error.kind !== 'workspace') return error;
  const message = error instanceof Error ? error.message : String(error);
  return new AgentError('workspace', `${message}\n(workspace at ${place.file}:${place.line})`, {
    cause: error,
    ...(error instanceof AgentError && { printed: error.printed }),
  });
}
