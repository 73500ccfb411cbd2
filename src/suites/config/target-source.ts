import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../base/files/is-inside.ts';
import { isCode, isFile } from '../../base/files/listed-files.ts';
import type { TargetConfig } from './config.ts';
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

/** How to learn which files the answers of a target depend on. */
export type InputPlace =
  /** Its author lists them. */
  | { readonly from: 'depends_on'; readonly paths: readonly string[] }
  /** The process that runs it sees them. */
  | { readonly from: 'observed' }
  /** Assay starts programs in these folders, which also read these files and folders. */
  | {
      readonly from: 'programs';
      readonly folders: readonly string[];
      readonly also: readonly string[];
      /** Programs and scripts that the commands name: git must know them. */
      readonly scripts: readonly string[];
    }
  /** Its settings say all. */
  | { readonly from: 'settings' }
  | { readonly from: 'unknown'; readonly reason: string };

export function placeOfInputs(
  { target: authored, folder }: TargetSource,
  suite: string,
  projectRoot: string,
): InputPlace {
  const { kind, target, reader } = (authored && readTarget(authored)) ?? {};
  // One with errors never runs.
  if (kind === undefined || target === undefined || reader?.errorCount !== 0) return { from: 'settings' };
  if (target.depends_on !== undefined) return { from: 'depends_on', paths: target.depends_on };
  const starts = codeStarts(authored);
  if (starts.some((start) => 'file' in start && start.isLoadedHere))
    return { from: 'unknown', reason: 'it runs in the process of Assay' };
  if (starts.some((start) => 'file' in start)) return { from: 'observed' };
  if (starts.length === 0)
    return kind.whyUnobserved?.(target) === undefined
      ? { from: 'settings' }
      : { from: 'unknown', reason: 'Assay does not start it' };
  const { folder: named, names = [] } = kind.reads?.(target) ?? {};
  const places = starts.map((start) => ({
    words: 'words' in start ? start.words : [],
    folder:
      'words' in start && start.suiteFolder !== undefined
        ? resolve(dirname(suite), start.suiteFolder)
        : resolve(folder, named ?? '.'),
  }));
  const folders = places.map((place) => place.folder);
  const above = folders.flatMap((start) => existingAbove(start, names, projectRoot));
  const files = places.flatMap((place) => place.words.map((word) => resolve(place.folder, word)));
  // Nor does git know the programs of the system.
  const own = files.filter((path) => isFile(path) && (isInside(path, projectRoot) || !isProgram(path)));
  const scripts = own.filter((path) => isCode(path) || isProgram(path));
  const data = own.filter((path) => !scripts.includes(path));
  const elsewhere = scripts.filter((path) => !folders.some((each) => isInside(path, each)));
  return {
    from: 'programs',
    folders: [...new Set([...folders, ...elsewhere.map((path) => dirname(path))])],
    also: [...above, ...data],
    scripts,
  };
}

function isProgram(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) % 2 === 1;
}

/** Files and folders of these names in a folder and in those above it. */
function existingAbove(start: string, names: readonly string[], projectRoot: string): readonly string[] {
  const places: string[] = [];
  for (let current = start; isInside(current, projectRoot) || current === start; current = dirname(current)) {
    places.push(...names.map((name) => join(current, name)));
    if (current === dirname(current)) break;
  }
  return places.filter((path) => existsSync(path));
}

/** Whether this process loads code for a target: what it has once loaded, it does not load again. */
export function isLoadedHere({ configs, target }: TargetSource): boolean {
  const isScript = codeStarts(target).some((start) => 'file' in start && start.isLoadedHere);
  return isScript || configs.some((config) => /\.[cm]?[jt]s$/.test(config));
}

/** The configs of a target, and its file. */
export function startFiles({ configs, target, folder }: TargetSource): readonly string[] {
  const files = codeStarts(target).flatMap((start) => ('file' in start ? [resolve(folder, start.file)] : []));
  return [...configs.map((path) => resolve(path)), ...files];
}
