import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandReferences, foldersNamed } from '../load/code/command-references.ts';
import { LOADS, printCode, type CodePlace, type CodePrint } from '../load/code/code-print.ts';
import type { Environment } from '../llm/create-model.ts';
import type { TargetConfig } from './config.ts';
import { isInside } from '../files/is-inside.ts';
import { codeStarts, readTarget } from './read-target.ts';

/** Where a target comes from. */
export interface TargetSource {
  /** The configs that apply to the suite, even if `--agent` names the agent. */
  readonly configs: readonly string[];
  /** As its author wrote it. Undefined if there is none. */
  readonly target: TargetConfig | undefined;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  /** Its identity as text; empty if there is none. */
  readonly identity: string;
}

interface Project {
  readonly projectRoot: string;
  readonly env: Environment;
}

/** Everything a target runs for a suite: its entry files, and everything these load. */
export function printTargetCode(source: TargetSource, suite: string, project: Project): CodePrint {
  const { files, ...place } = codeOfTarget(source, suite, project);
  return printCode(files, place);
}

interface TargetCode extends CodePlace {
  /** The configs, and the agent's file or the files of its command. */
  readonly files: readonly string[];
  /** Folders that its command names. */
  readonly named: readonly string[];
}

/** Where the code of a target begins. */
export function codeOfTarget(
  { configs, target, folder }: TargetSource,
  suite: string,
  { projectRoot, env }: Project,
): TargetCode {
  const folders = [folder, projectRoot, resolve(projectRoot, 'src'), ...pythonPath(env, folder)];
  const starts = configs.map((config) => resolve(config));
  const named: string[] = [];
  for (const start of codeStarts(target)) {
    if ('file' in start) starts.push(resolve(folder, start.file));
    else {
      const { words, suiteFolder } = start;
      const place = suiteFolder === undefined ? folder : resolve(dirname(suite), suiteFolder);
      const found = commandReferences(words, [place]);
      starts.push(...found.files);
      folders.push(...(found.folders ?? []));
      named.push(...foldersNamed(words, place));
    }
  }
  return { files: starts, named, projectRoot, folders: [...folders, ...starts.map((path) => dirname(path))] };
}

/** Whether this process would load the target's code itself: code that is loaded once is not loaded again. */
export function isLoadedHere({ configs, target }: TargetSource): boolean {
  const isScript = codeStarts(target).some((start) => 'file' in start && start.isLoadedHere);
  return isScript || configs.some((config) => /\.[cm]?[jt]s$/.test(config));
}

/** Whether all code of a target can be found: an address may run anything, and not every language is read. */
export function isCodeKnown({ target: authored, folder }: TargetSource, suite: string): boolean {
  const { kind, target } = (authored && readTarget(authored)) ?? {};
  const starts = codeStarts(authored);
  // Somebody, or its kind, says what it depends on.
  if (target?.depends_on !== undefined || kind?.reads !== undefined) return true;
  if (starts.length === 0) return target === undefined || kind?.whyUnobserved?.(target) === undefined;
  return starts.every((start) => {
    if ('file' in start) return true;
    const { words, suiteFolder } = start;
    const place = suiteFolder === undefined ? folder : resolve(dirname(suite), suiteFolder);
    return [...commandReferences(words, [place]).files].some((file) => LOADS.test(file));
  });
}

/** What the program of a target reads on its own, as far as it exists. */
export function readsOfTarget({ target, folder }: TargetSource, projectRoot: string): readonly string[] {
  const { kind, target: read, reader } = (target && readTarget(target)) ?? {};
  const reads = read !== undefined && reader?.errorCount === 0 ? kind?.reads?.(read) : undefined;
  if (reads === undefined) return [];
  const start = resolve(folder, reads.folder ?? '.');
  // Of the folder of the config, and of the whole project, the agent reads what the tests tell it to.
  const whole = isInside(folder, start) ? [] : [start];
  const places: string[] = [];
  for (let current = start; isInside(current, projectRoot) || current === start; current = dirname(current)) {
    places.push(...reads.names.map((name) => join(current, name)));
    if (current === dirname(current)) break;
  }
  return [...whole, ...places].filter((path) => existsSync(path));
}

function pythonPath(env: Environment, folder: string): readonly string[] {
  const path = env['PYTHONPATH'] ?? '';
  return path.split(':').flatMap((part) => (part === '' ? [] : [resolve(folder, part)]));
}
