import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../base/files/is-inside.ts';
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
  const folders = starts.map((start) =>
    'words' in start && start.suiteFolder !== undefined
      ? resolve(dirname(suite), start.suiteFolder)
      : resolve(folder, named ?? '.'),
  );
  const also = folders.flatMap((start) => existingAbove(start, names, projectRoot));
  return { from: 'programs', folders: [...new Set(folders)], also };
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
