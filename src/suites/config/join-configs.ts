import { basename, dirname } from 'node:path';
import { fileFinding } from '../load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { AssayConfig } from './config.ts';
import { isTargetsFile } from './find-config.ts';
import { allTargets } from './find-target.ts';
import type { LoadedConfig } from './load-config.ts';
import { baseName } from './target-variants.ts';
import { KIND_KEYS } from './target-kind.ts';

interface ConfigFile {
  readonly path: string;
  readonly loaded: LoadedConfig;
}

/** What applies to a suite: one config, or an `assay.config.*` and the targets of a targets file. */
export interface JoinedConfig {
  /** The first wins. */
  readonly files: readonly ConfigFile[];
  /** Undefined when one of its files cannot be used. */
  readonly config?: AssayConfig | undefined;
  /** About settings of one file that the other overrides. */
  readonly findings: readonly Finding[];
}

/**
 * Targets are joined by name, and the first file wins; so it is with `judge`. Everything else stands in the `assay.config.*`:
 * a targets file beside it adds agents, and allows nothing that the config does not. Of several targets files the first counts
 * that is about agents.
 */
export function joinConfigs(found: readonly ConfigFile[]): JoinedConfig {
  const { files, findings } = chooseFiles(found);
  const configs = files.map(({ loaded }) => loaded.config);
  if (configs.includes(undefined)) return { files, findings };
  const [first = {}, second] = configs as readonly AssayConfig[];
  if (second === undefined) return { files, config: first, findings };
  const settings = isTargetsFile(files[0]!.path) ? second : first;
  const { agent: _, ...others } = settings;
  const own = allTargets(first);
  const names = new Set(own.map(baseName));
  const judge = first.judge ?? second.judge;
  return {
    files,
    config: {
      ...others,
      ...(judge === undefined ? {} : { judge }),
      targets: [...own, ...allTargets(second).filter((target) => !names.has(baseName(target)))],
      secrets: [...(first.secrets ?? []), ...(second.secrets ?? [])],
    },
    findings: [...findings, ...ignoredSettings(files)],
  };
}

function chooseFiles(found: readonly ConfigFile[]): Pick<JoinedConfig, 'files' | 'findings'> {
  const targets = found.filter(({ path }) => isTargetsFile(path));
  // The only file is read whatever it is about: there is nothing else to run by.
  const isOnly = targets.length === found.length && targets.every(isForeignFile);
  const chosen = isOnly ? targets[0] : targets.find((file) => !isForeignFile(file));
  const before = targets.slice(0, chosen === undefined ? undefined : targets.indexOf(chosen));
  return {
    files: found.filter((file) => file === chosen || !targets.includes(file)),
    findings: before.map(({ path }) => notTargets(path)),
  };
}

/** `targets.yaml` is a common name. Beside a config, a file about something else is not read. */
function isForeignFile({ path, loaded }: ConfigFile): boolean {
  return isTargetsFile(path) && basename(dirname(path)) !== '.agentv' && loaded.isForeign;
}

function notTargets(path: string): Finding {
  const keys = ['`provider`', ...KIND_KEYS.slice(0, -1)].join(', ');
  const message = `no target in this file has a ${keys} or ${KIND_KEYS.at(-1)}, so the file was not read`;
  return { ...fileFinding(path, 'config_not_read', message), severity: 'warning' };
}

/** The file that defines a target. */
export function fileOfTarget({ files }: JoinedConfig, name: string): ConfigFile | undefined {
  return files.find(({ loaded }) => allTargets(loaded.config ?? {}).some((target) => target.name === name));
}

/** The file that hints should point to. If the project has a targets file, that is where it defines targets. */
export function fileForHints({ files }: JoinedConfig): {
  readonly configFile: string;
  readonly isTargetsFile: boolean;
} {
  const file = files.find(({ path }) => isTargetsFile(path)) ?? files[0];
  return { configFile: file?.path ?? 'assay.config.yaml', isTargetsFile: isTargetsFile(file?.path ?? '') };
}

const OF_TARGETS_FILES = new Set(['agent', 'targets', 'judge', 'secrets', '$schema']);

function ignoredSettings(files: readonly ConfigFile[]): readonly Finding[] {
  const [ignoring, ignored] = [false, true].map((isTargets) =>
    files.find(({ path }) => isTargetsFile(path) === isTargets)!,
  );
  const names = Object.keys(ignored!.loaded.config!).filter((name) => !OF_TARGETS_FILES.has(name));
  if (names.length === 0) return [];
  const listed = names.map((name) => `\`${name}\``).join(', ');
  const decisive = basename(ignoring!.path);
  const finding = fileFinding(
    ignored!.path,
    'other_config',
    `${listed} in this file ${names.length === 1 ? 'is' : 'are'} ignored: ${ignoring!.path} takes precedence`,
    `move ${names.length === 1 ? 'it' : 'them'} to ${decisive}`,
  );
  // An ignored gate would turn the run green without a word.
  return [names.includes('gates') ? finding : { ...finding, severity: 'warning' }];
}
