import { dirname, resolve } from 'node:path';
import { commandReferences } from '../load/code/command-references.ts';
import { printCode, type CodePrint } from '../load/code/code-print.ts';
import type { Environment } from '../models/create-model.ts';
import type { TargetConfig } from './config.ts';

/** Where a target comes from. */
export interface TargetSource {
  /** The configs that hold for the suite, also where `--agent` names the agent. */
  readonly configs: readonly string[];
  /** Undefined when there is none. */
  readonly target: TargetConfig | undefined;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  /** What it is, as text; empty when there is none. */
  readonly identity: string;
}

interface Project {
  readonly projectRoot: string;
  readonly env: Environment;
}

/** What a target runs for a suite: the configs, the agent's file or the files of its command, and all that these load. */
export function printTargetCode(
  source: TargetSource,
  suite: string,
  { projectRoot, env }: Project,
): CodePrint {
  const { configs, target, folder } = source;
  const folders = [folder, projectRoot, resolve(projectRoot, 'src'), ...pythonPath(env, folder)];
  const starts = configs.map((config) => resolve(config));
  const { agent, command, command_template, cwd, start } = target ?? {};
  const addCommand = (words: readonly string[], place: string): void => {
    starts.push(...commandReferences(words, [place]).files);
  };
  if (typeof agent === 'string') {
    const line = /^\s*cmd:(.*)$/s.exec(agent)?.[1];
    const [, file] = /^\s*(.*\.(?:py|[cm]?[jt]s))(?::[^:/\\]*)?\s*$/su.exec(agent) ?? [];
    if (line !== undefined) addCommand(wordsOf(line), folder);
    else if (file !== undefined && !/^https?:/i.test(file)) starts.push(resolve(folder, file));
  }
  if (Array.isArray(command)) addCommand(command as readonly string[], folder);
  if (Array.isArray(start)) addCommand(start as readonly string[], folder);
  if (command_template !== undefined)
    addCommand(wordsOf(command_template), resolve(dirname(suite), cwd ?? '.'));
  return printCode(starts, { projectRoot, folders: [...folders, ...starts.map((path) => dirname(path))] });
}

/** Whether this process itself would load code for it: what it has once loaded, it does not load again. */
export function isLoadedHere({ configs, target }: TargetSource): boolean {
  const agent = target?.agent;
  const isScript =
    typeof agent === 'string' &&
    /\.[cm]?[jt]s(?::[^:/\\]*)?\s*$/.test(agent) &&
    !/^\s*(?:cmd|https?):/.test(agent);
  return isScript || configs.some((config) => /\.[cm]?[jt]s$/.test(config));
}

/** Also the line as a whole, for names with spaces in quotes. */
function wordsOf(line: string): readonly string[] {
  const quoted = [...line.matchAll(/(["'])(.+?)\1/g)].map(([, , word]) => word!);
  return [...line.trim().split(/\s+/), ...quoted];
}

function pythonPath(env: Environment, folder: string): readonly string[] {
  const path = env['PYTHONPATH'] ?? '';
  return path.split(':').flatMap((part) => (part === '' ? [] : [resolve(folder, part)]));
}
