import { createHash, randomBytes } from 'node:crypto';
import type { AnyTarget } from '../../agents/kinds/target-kind.ts';
import { placeOfInputs, type TargetSource } from '../../suites/config/target-source.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import { isSuiteName } from '../../suites/load/discover.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { basename, relative, resolve, sep } from 'node:path';
import { cwd, version as nodeVersion } from 'node:process';
import { NOT_OWN } from '../../base/files/file-look.ts';
import { ChangedUsageError } from './changed-usage-error.ts';
import type { ProjectStates, States } from './input-snapshot.ts';
import { printInstalled } from './installed-print.ts';
import { declaredFiles, gitFiles } from '../../base/files/listed-files.ts';
import { version } from '../../base/system/version.ts';

/** Which files count. */
export type Inputs =
  /** These, as they were before anything ran. */
  | {
      readonly from: 'list';
      readonly states: States;
      again(now: ProjectStates): States;
    }
  /** Those that the agent is seen to use. */
  | { readonly from: 'observed' }
  | { readonly from: 'settings' }
  | { readonly from: 'unknown'; readonly reason: string };

export interface AgentPrint {
  /** Identifies its settings and those of the run. */
  readonly print: string;
  readonly inputs: Inputs;
  /** Of the snapshot of its inputs that this run takes. */
  readonly snapshot: string;
}

interface Project {
  readonly states: ProjectStates;
  /** The files that are run. */
  readonly suites: readonly string[];
  /** Options of the run that decide what an agent replies, and what is known about it. */
  readonly settings: JsonObject;
}

/** Identifies the agents of tests. */
export class AgentPrints {
  private readonly resolver: TargetResolver;
  private readonly project: Project;
  private readonly prints = new Map<string, Promise<AgentPrint>>();
  private readonly installs = new Map<string, string>();
  /** Many suites have the same agent. */
  private readonly known = new Map<string, AgentPrint>();

  constructor(resolver: TargetResolver, project: Project) {
    this.resolver = resolver;
    this.project = project;
  }

  of(file: string, target: string): Promise<AgentPrint> {
    const key = `${file}\0${target}`;
    let print = this.prints.get(key);
    if (print === undefined) this.prints.set(key, (print = this.print(file, target)));
    return print;
  }

  /** The values of the variables that a target names, as a hash: they may be secrets. */
  private valuesIn(identity: string): string {
    const names = [...new Set([...identity.matchAll(VARIABLE)].map(([, name]) => name!))];
    const values = names.map((name) => [name, this.resolver.env[name] ?? null]);
    return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
  }

  private installed(folder: string): string {
    let print = this.installs.get(folder);
    if (print === undefined)
      this.installs.set(folder, (print = printInstalled(folder, this.project.states.root)));
    return print;
  }

  private async print(file: string, target: string): Promise<AgentPrint> {
    const [source] = await this.resolver.sourcesOf(file, target);
    if (source === undefined) return NO_AGENT;
    const { states, settings, suites } = this.project;
    const place = placeOfInputs(source, file, states.root);
    // They decide what a reply cost, and what scripts see when they judge it.
    const { prices, scripts } = this.resolver.isRefused(file) ? {} : await this.resolver.configFor(file);
    // Its process is of the same Node, and starts where this one works.
    const process = place.from === 'observed' ? [nodeVersion, relative(states.root, cwd())] : [];
    const judged = [
      // Another version of Assay may judge otherwise.
      version,
      prices,
      scripts?.env,
      this.valuesIn(source.identity),
      this.installed(source.folder),
      process,
    ];
    const key = JSON.stringify([source.identity, place, source.folder, judged]);
    let known = this.known.get(key);
    if (known === undefined) {
      const print = hashHex(JSON.stringify([source.identity, settings, judged]));
      const inputs = this.inputsOf(source, place, suites);
      this.known.set(key, (known = { print, inputs, snapshot: newSnapshot() }));
    }
    return known;
  }

  private inputsOf(
    source: TargetSource,
    place: ReturnType<typeof placeOfInputs>,
    suites: readonly string[],
  ): Inputs {
    if (place.from === 'depends_on')
      return listOf(() => declaredBy(source, place.paths), this.project.states);
    if (place.from !== 'programs') return place;
    const { folders, also, scripts } = place;
    return listedByGit(folders, {
      suites,
      also,
      scripts,
      configs: source.configs,
      states: this.project.states,
    });
  }
}

export function newSnapshot(): string {
  return randomBytes(8).toString('hex');
}

interface GitPlace {
  readonly suites: readonly string[];
  readonly also?: readonly string[];
  readonly scripts?: readonly string[];
  readonly configs?: readonly string[];
  readonly states: ProjectStates;
}

/** What tests check, and configs, whose settings are compared, say nothing about a program. */
export function listedByGit(
  folders: readonly string[],
  { suites, also = [], scripts = [], configs = [], states }: GitPlace,
): Inputs {
  const others = new Set([...suites, ...configs].map((path) => resolve(path)));
  const isOwn = (path: string): boolean =>
    !relative(states.root, path)
      .split(sep)
      .some((name) => NOT_OWN.has(name));
  const isWanted = (path: string): boolean =>
    !others.has(path) && !isSuiteName(basename(path)) && isOwn(path);
  const files = (): readonly string[] => {
    const lists = [...folders.map((folder) => gitFiles(folder)), declaredFiles(also, states.root)];
    const all = lists.flatMap((list) => {
      if ('problem' in list) throw new UnknownInputs(list.problem);
      return list.files;
    });
    const found = new Set(all);
    // What it loads, git does not know either.
    const missing = scripts.find((path) => !found.has(path) && isOwn(path));
    if (missing !== undefined) throw new UnknownInputs(`git does not know ${missing}`);
    return [...found].filter(isWanted);
  };
  return listOf(files, states);
}

class UnknownInputs extends Error {}

function listOf(list: () => readonly string[], before: ProjectStates): Inputs {
  try {
    return {
      from: 'list',
      states: before.ofFiles(list()),
      again: (now) => now.ofFiles(list()),
    };
  } catch (error) {
    if (!(error instanceof UnknownInputs)) throw error;
    return { from: 'unknown', reason: error.message };
  }
}

/** A path that does not exist would never change. */
function declaredBy({ target, folder }: TargetSource, paths: readonly string[]): readonly string[] {
  const list = declaredFiles(paths, folder);
  if ('files' in list) return list.files;
  const { name } = target as unknown as AnyTarget;
  throw new ChangedUsageError(
    `\`depends_on\` of the target "${name}" ${list.problem}`,
    'name files and folders that its answers depend on, relative to the config',
  );
}

/** `${{ NAME }}` of a config, and `$NAME` of a shell line. */
const VARIABLE = /\$\{{0,2}\s*(\w+)/g;

const NO_AGENT: AgentPrint = {
  print: '',
  inputs: { from: 'settings' },
  snapshot: '',
};
