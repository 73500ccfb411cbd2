import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { AssayConfig } from '../suites/config/config.ts';
import { findConfig, isTargetsFile } from '../suites/config/find-config.ts';
import { loadConfig } from '../suites/config/load-config.ts';
import { printText, type Confinement } from '../suites/load/confinement.ts';
import { discover } from '../suites/load/discover.ts';
import { readSuiteFile } from '../suites/load/read-suite-file.ts';
import { hasErrors } from '../base/model/finding.ts';
import { Refusal } from './refusal.ts';

type McpConfig = NonNullable<AssayConfig['mcp']>;

export interface RunPermission {
  /** Undefined: nothing may run. */
  readonly allowed?: McpConfig | undefined;
  /** Why not. */
  readonly reason?: string | undefined;
  /** What decides how the allowed things run, as it is now: a permission is for definitions, not for names. */
  readonly fixed: NonNullable<Confinement['fixed']>;
}

/** What clients may run, by the `assay.config.*` in the project's root and nothing else. */
export async function readPermission(
  root: string,
  { trustConfig }: { readonly trustConfig: boolean },
): Promise<RunPermission> {
  const { paths, findings } = findConfig(root, { root, mayExecute: trustConfig });
  const fixed = Object.fromEntries([...paths, join(root, '.env')].map((path) => [path, printFile(path)]));
  const own = paths.find((path) => !isTargetsFile(path));
  if (own !== undefined) {
    const loaded = await loadConfig(relative('', own));
    if (loaded.config?.mcp?.paths !== undefined) return { allowed: loaded.config.mcp, fixed };
    if (hasErrors(loaded.findings)) return { reason: `${relative('', own)} has errors`, fixed };
  }
  const [unread] = findings;
  if (unread !== undefined) return { reason: `${unread.file}: ${unread.message}`, fixed };
  const reason = own === undefined ? 'the project has no assay.config.yaml' : 'the config has no `mcp.paths`';
  return { reason, fixed };
}

function printFile(path: string): string | null {
  if (!existsSync(path)) return null;
  const read = readSuiteFile(path);
  return 'text' in read ? printText(read.text) : null;
}

/** How to allow it, for whoever reads the refusal. */
const HOW =
  'ask the user to add this to assay.config.yaml and to restart this server:\nmcp:\n  paths: [tests]   # what may run\n  targets: [default]   # with which agents; optional\n  max_cost: 0.50   # US dollars for each run; optional';

export interface WantedRun {
  readonly paths: readonly string[];
  readonly target?: string | undefined;
}

/** Checks a run, and returns the arguments that keep it within what is allowed. Throws a Refusal. */
export async function allowedArguments(
  { allowed, reason }: RunPermission,
  { paths, target }: WantedRun,
): Promise<readonly string[]> {
  if (allowed?.paths === undefined) throw new Refusal(`tests may not be run from here: ${reason}`, HOW);
  // For a command, no paths are all paths, and no target is the one that a suite names.
  for (const list of ['paths', 'targets'] as const)
    if (allowed[list]?.length === 0)
      throw new Refusal(`tests may not be run from here: \`mcp.${list}\` in the config is empty`, HOW);
  const usable = allowed.targets;
  const closed = target?.split(',').find((name) => usable?.includes(name.trim()) === false);
  if (closed !== undefined)
    throw new Refusal(
      `the target ${JSON.stringify(closed.trim())} may not be run from here`,
      `use one of ${usable!.join(', ')}, or ask the user to add it to \`mcp.targets\` in the config`,
    );
  const used = target ?? usable?.[0];
  return [
    ...(used === undefined ? [] : [`--target=${used}`]),
    ...(allowed.max_cost === undefined ? [] : [`--max-cost=${allowed.max_cost}`]),
    '--',
    ...(await allowedFiles(paths, allowed.paths)),
  ];
}

/** The files themselves, so that nothing else is found when they run. */
async function allowedFiles(
  paths: readonly string[],
  allowed: readonly string[],
): Promise<readonly string[]> {
  const open = await discover(allowed);
  const may = new Set(open.files.map((file) => resolve(file)));
  if (paths.length === 0) {
    // What was not found is named too: the run reports it as an error.
    const all = [...open.files, ...open.unmatched.map(({ argument }) => argument)];
    return all.length > 0 ? all : allowed;
  }
  const files: string[] = [];
  for (const path of paths) {
    const [, plain = path, line = ''] = /^(.+\.(?:ya?ml|json|jsonl))(:\d+)$/i.exec(path) ?? [];
    const found = await discover([plain]);
    const [lost] = found.unmatched;
    if (lost !== undefined) throw new Refusal(`${lost.argument}: ${lost.message}`, lost.hint);
    const closed = found.files.find((file) => !may.has(resolve(file)));
    if (closed !== undefined)
      throw new Refusal(
        `${closed} may not be run from here`,
        `allowed is: ${allowed.join(', ')}; ask the user to extend \`mcp.paths\` in the config`,
      );
    files.push(...found.files.map((file) => `${file}${line}`));
  }
  if (files.length === 0)
    throw new Refusal(`no suite in ${paths.join(', ')}`, 'the tool `list` shows what there is');
  return [...new Set(files)];
}
