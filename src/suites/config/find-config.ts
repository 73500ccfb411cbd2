import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CONFIG_NAMES, TARGETS_NAMES } from '../load/config-names.ts';
import { confinement, RESTART_SERVER } from '../load/confinement.ts';
import { leavesProject } from '../load/project-root.ts';
import { fileFinding, outsideProject } from '../load/read-suite-file.ts';
import { hasTrustedOwner } from '../load/trusted-owner.ts';
import type { Finding } from '../../base/model/finding.ts';
import { isProvidersFile } from './agentv-targets.ts';
import { readDotEnv } from './dot-env.ts';

export interface ConfigSearch {
  /** The project's root: folders above it are not searched. */
  readonly root: string;
  /** Whether the root's config may be code. A command that only reads never executes project code. */
  readonly mayExecute: boolean;
  /** `--agent` names the agent, so a suite needs no config: a config that may not be executed is ignored. */
  readonly isOptional?: boolean;
}

export interface FoundConfig {
  /**
   * An `assay.config.*`, a targets file, or both; the one that comes first wins. More targets files may follow: they count when
   * the ones before them are about something else.
   */
  readonly paths: readonly string[];
  /** About configs that are not used. An error means that the suites below them cannot run. */
  readonly findings: readonly Finding[];
}

/** The nearest `assay.config.*` and the targets files from a folder upward; not above the root. */
export function findConfig(folder: string, search: ConfigSearch): FoundConfig {
  const found = searchUpward(folder, search);
  const fixed = confinement()?.fixed;
  if (fixed === undefined) return found;
  const paths = Object.keys(fixed).filter((path) => !isDotEnv(path));
  const added = found.paths.filter((path) => !paths.includes(path));
  const { findings } = readDotEnv(search.root, {});
  return {
    paths,
    findings: [
      ...found.findings,
      ...added.map((path) => notFixed(path, search.root)),
      ...findings.filter(({ severity }) => severity === 'error'),
    ],
  };
}

function searchUpward(folder: string, search: ConfigSearch): FoundConfig {
  const paths: string[] = [];
  const findings: Finding[] = [];
  let wanted = [CONFIG_NAMES, TARGETS_NAMES];
  for (let current = resolve(folder); ; current = dirname(current)) {
    const isRoot = current === resolve(search.root) || current === dirname(current);
    const candidates = (names: readonly string[]): readonly string[] =>
      names.map((name) => join(current, name)).filter((name) => existsSync(name));
    const isUsable = (path: string): boolean => problemOf(path, { ...search, isRoot }) === undefined;
    let others = wanted.includes(TARGETS_NAMES) ? [] : candidates(TARGETS_NAMES);
    wanted = wanted.filter((names) => {
      const [path, ...rest] = candidates(names);
      if (path === undefined) return true;
      const problem = problemOf(path, { ...search, isRoot });
      if (problem === undefined) paths.push(path);
      else findings.push(problem);
      if (names === TARGETS_NAMES) others = rest;
      // One that is passed over leaves room for another further up.
      return problem?.code === 'config_below_root' && search.isOptional === true;
    });
    paths.push(...others.filter(isUsable));
    if (isRoot) return { paths, findings };
  }
}

/** A config that `--config` names. It may be anywhere, but code still needs a command that may execute it. */
export function namedConfig(path: string, { mayExecute }: Pick<ConfigSearch, 'mayExecute'>): FoundConfig {
  return isCode(path) && !mayExecute
    ? { paths: [], findings: [notRead(path)] }
    : { paths: [path], findings: [] };
}

/** The folder that a config's paths are relative to. For a config in `.agentv`, this is the project folder. */
export function configFolder(path: string): string {
  const folder = dirname(path);
  return folder.endsWith('.agentv') ? dirname(folder) : folder;
}

function problemOf(
  path: string,
  { root, isRoot, mayExecute, isOptional }: ConfigSearch & { readonly isRoot: boolean },
): Finding | undefined {
  const file = relative('', path);
  if (!hasTrustedOwner(path)) return foreignConfig(file);
  if (leavesProject(path, root)) return outsideProject(file);
  if (!isCode(path)) return undefined;
  if (!isRoot)
    return isOptional === true ? { ...codeBelowRoot(file), severity: 'warning' } : codeBelowRoot(file);
  return mayExecute ? undefined : notRead(file);
}

/** `targets.yaml` and similar files of projects that come from another tool. */
export function isTargetsFile(path: string): boolean {
  return /^targets\.ya?ml$/.test(basename(path)) || isProvidersFile(path);
}

function isDotEnv(path: string): boolean {
  return basename(path) === '.env';
}

export function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/i.test(path);
}

function foreignConfig(file: string): Finding {
  return fileFinding(
    file,
    'foreign_owner',
    'this config belongs to another user, so it is not used',
    'change its owner, or name it with --config',
  );
}

function codeBelowRoot(file: string): Finding {
  return fileFinding(
    file,
    'config_below_root',
    'a config below the project root may not be code, so it was not executed',
    'write it as assay.config.yaml, name it with --config, or choose the agent with --agent',
  );
}

/** The user who started the server has not seen it, or it is not the root's own. */
function notFixed(path: string, root: string): Finding {
  const isOwn = configFolder(path) === resolve(root);
  const message = isOwn
    ? 'this config was added after the server was started, so nothing runs'
    : 'a config below the project root decides nothing for clients of `assay mcp`, so these suites do not run';
  const hint = isOwn ? RESTART_SERVER : 'move its content to the config in the root, and restart the server';
  return fileFinding(relative('', path), 'config_not_fixed', message, hint);
}

function notRead(file: string): Finding {
  const message = 'this config is code, and this command does not execute project code, so it was not read';
  const hint = 'add --trust-config to read it';
  return { ...fileFinding(file, 'config_not_read', message, hint), severity: 'warning' };
}
