import { existsSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { isInside } from '../base/files/is-inside.ts';
import { findRun, listRuns, type RunDirectory } from '../runs/journal/run-directory.ts';
import { leavesProject } from '../suites/load/project-root.ts';
import { Refusal } from './refusal.ts';

/**
 * Paths that a client names, as arguments for a command: `file.yaml:12`, folders, globs and parts of names. Everything
 * must be in the project, also through links. What a glob or a folder leads to is checked where files are found
 * (`confine`).
 */
export function projectPaths(paths: readonly string[], root: string): readonly string[] {
  return paths.map((path) => {
    const plain = sep === '\\' ? path.replaceAll('\\', '/') : path;
    refuseOutside(plain, root);
    return plain;
  });
}

function refuseOutside(path: string, root: string): void {
  // In a pattern it would hide the dots: `.\./other/*.yaml`.
  if (path.includes('\\'))
    throw new Refusal(`${JSON.stringify(path)} contains a backslash`, 'separate folders with /');
  const plain = path.replace(/:\d+$/, '');
  const isPattern = /[*?[\]{}!()|]/.test(path);
  const isOutside =
    path.includes('\0') ||
    // Braces may hold the dots: `{..,x}/secret.yaml`.
    (isPattern && /\.\.|^\/|[{,]\//.test(path) && !isPlainlyInside(path, root)) ||
    !isInside(resolve(plain), root) ||
    [path, plain].some((name) => existsSync(name) && leavesProject(name, root));
  if (isOutside)
    throw new Refusal(`${JSON.stringify(path)} is outside the project`, `name a path inside ${root}`);
}

/** A file whose name looks like a pattern. */
function isPlainlyInside(path: string, root: string): boolean {
  return existsSync(path) && isInside(resolve(path), root);
}

/** A run of this project by its id or `latest`. Runs elsewhere are not read. */
export function projectRun(name: string, root: string): RunDirectory {
  const run = /^[\w.-]+$/.test(name) && !name.startsWith('-') ? findRun(root, name) : undefined;
  if (run === undefined)
    throw new Refusal(`there is no run ${JSON.stringify(name)} in this project`, recentRuns(root));
  if (!isOwnRun(run.path, root))
    throw new Refusal(`the run ${JSON.stringify(name)} is outside the project`, 'use a run of this project');
  return run;
}

/** Neither its folder nor one of its files is a link to another project. */
function isOwnRun(path: string, root: string): boolean {
  const paths = [path, ...readdirSync(path).map((name) => join(path, name))];
  return isInside(path, root) && !paths.some((part) => leavesProject(part, root));
}

/** The ids of the latest runs, for whoever must choose one. */
export function recentRuns(root: string): string {
  const ids = latestRuns(root).map(({ runId }) => runId);
  return ids.length === 0
    ? 'there are none yet; the tool `run` makes one'
    : `the latest are ${ids.slice(0, 5).join(', ')}`;
}

/** Newest first. Looking further back would take too long. */
export function latestRuns(root: string): readonly RunDirectory[] {
  return listRuns(root)
    .slice(-30)
    .toReversed()
    .filter(({ path }) => isOwnRun(path, root));
}
