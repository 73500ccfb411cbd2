import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AnyTarget } from '../../agents/kinds/target-kind.ts';
import { codeOfTarget, isCodeKnown, readsOfTarget, type TargetSource } from '../../config/target-code.ts';
import type { TargetResolver } from '../../config/target-resolver.ts';
import { printCode } from '../../load/code/code-print.ts';
import {
  filesOfDeclared,
  MOST_DECLARED,
  MOST_FILES,
  printNamedData,
  type DataPrint,
} from '../../load/code/data-print.ts';
import { printInstalled } from '../../load/code/installed-print.ts';
import { hashHex } from '../../match/hash-text.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { ChangedUsageError } from './changed-usage-error.ts';
import { grouped } from '../../model/grouped.ts';

export interface AgentPrint {
  /** Identifies its settings, those of the run, and its code with everything of the project that the code loads. */
  readonly print: string;
  /** The files that its code and its settings name: it may read them while it runs. */
  readonly data: DataPrint;
  /** False if there are more files than Assay compares. */
  readonly isComplete: boolean;
  /** False if its code may change unnoticed: its tests run each time. */
  readonly isKnown: boolean;
}

interface Project {
  readonly projectRoot: string;
  /** The files that are run. */
  readonly suites: readonly string[];
  /** Options of the run that decide what an agent replies, and what is known about it. */
  readonly settings: JsonObject;
}

/** Identifies the agents of tests. */
export class AgentPrints {
  private readonly resolver: TargetResolver;
  private readonly projectRoot: string;
  private readonly suites: readonly string[];
  private readonly settings: JsonObject;
  private readonly prints = new Map<string, Promise<AgentPrint>>();
  private readonly files = new Set<string>();
  private readonly installs = new Map<string, string>();
  /** Many suites have the same agent. */
  private readonly known = new Map<string, AgentPrint>();

  constructor(resolver: TargetResolver, { projectRoot, suites, settings }: Project) {
    this.resolver = resolver;
    this.projectRoot = projectRoot;
    this.suites = suites;
    this.settings = settings;
  }

  of(file: string, target: string): Promise<AgentPrint> {
    const key = `${file}\0${target}`;
    let print = this.prints.get(key);
    if (print === undefined) this.prints.set(key, (print = this.print(file, target)));
    return print;
  }

  /** The files that the agents asked about so far may read. */
  async data(): Promise<readonly DataPrint[]> {
    return (await Promise.all(this.prints.values())).map(({ data }) => data);
  }

  /** Whether every file of the agents asked about so far is compared. */
  get isComplete(): boolean {
    return [...this.known.values()].every(({ isComplete }) => isComplete);
  }

  /** The files of these agents that are not in the project. */
  get outside(): readonly string[] {
    return [...this.files]
      .filter((key) => key.startsWith('../'))
      .map((key) => resolve(this.projectRoot, key));
  }

  /** The values of the variables that a target names, as a hash: they may be secrets. */
  private valuesIn(identity: string): string {
    const names = [...new Set([...identity.matchAll(VARIABLE)].map(([, name]) => name!))];
    const values = names.map((name) => [name, this.resolver.env[name] ?? null]);
    return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
  }

  private installed(folder: string): string {
    let print = this.installs.get(folder);
    if (print === undefined) this.installs.set(folder, (print = printInstalled(folder, this.projectRoot)));
    return print;
  }

  private async print(file: string, target: string): Promise<AgentPrint> {
    const [source] = await this.resolver.sourcesOf(file, target);
    if (source === undefined) return NO_AGENT;
    const { projectRoot } = this;
    // What a config of data says about the target is its identity; the rest of the config is not about the agent.
    const configs = source.configs.filter((config) => /\.[cm]?[jt]s$/.test(config));
    const start = codeOfTarget({ ...source, configs }, file, { projectRoot, env: this.resolver.env });
    // They decide what a reply cost, and what scripts see when they judge it.
    const { prices, scripts } = this.resolver.isRefused(file) ? {} : await this.resolver.configFor(file);
    const judged = [prices, scripts?.env, this.valuesIn(source.identity), this.installed(source.folder)];
    const key = JSON.stringify([source.identity, start, judged]);
    let known = this.known.get(key);
    if (known === undefined) {
      const code = printCode(start.files, start);
      const reads = readsOfTarget(source, projectRoot);
      const data = printNamedData(code, {
        ...start,
        settings: [...textsIn(source.target as unknown as Json), ...start.named.map((path) => `${path}/`)],
        declared: [...declaredPaths(source), ...reads],
        suites: this.suites,
      });
      const files = [...code.files]
        .filter(([path]) => !data.has(path))
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      known = {
        print: hashHex(JSON.stringify([source.identity, files, this.settings, judged])),
        data,
        isKnown: isCodeKnown(source, file),
        isComplete:
          code.isComplete &&
          data.size < MOST_FILES &&
          reads.every((path) => filesOfDeclared(path) !== undefined),
      };
      this.known.set(key, known);
      for (const path of [...code.files.keys(), ...data.keys()]) this.files.add(path);
    }
    return known;
  }
}

/** `${{ NAME }}` of a config, and `$NAME` of a shell line. */
const VARIABLE = /\$\{{0,2}\s*(\w+)/g;

/** A path that does not exist would never change. */
function declaredPaths({ target, folder }: TargetSource): readonly string[] {
  const { name, depends_on: declared = [] } = (target ?? {}) as Partial<AnyTarget>;
  return declared.map((path) => {
    const place = resolve(folder, path);
    if (filesOfDeclared(place) !== undefined) return place;
    const problem = existsSync(place) ? `has more than ${grouped(MOST_DECLARED)} files` : 'does not exist';
    throw new ChangedUsageError(
      `\`depends_on\` of the target "${name}" names ${path}, which ${problem}`,
      'name files and folders that its answers depend on, relative to the config',
    );
  });
}

const NO_AGENT: AgentPrint = { print: '', data: new Map(), isComplete: true, isKnown: true };

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
