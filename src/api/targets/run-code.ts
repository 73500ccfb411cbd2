import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isLoadedHere, startFiles, type TargetSource } from '../../suites/config/target-source.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { isInside } from '../../base/files/is-inside.ts';
import { codeFiles } from '../../base/files/listed-files.ts';
import { someOf } from '../basics/run-findings.ts';

interface SuiteTargets {
  readonly file: string;
  readonly targets: ReadonlySet<string | undefined>;
}

export interface RunCode {
  /** Hashes by path from the project's root. */
  readonly files: Readonly<Record<string, string>>;
  readonly isComplete: boolean;
  /** Each target of the run once, with one of the suites that use it. */
  readonly agents: readonly {
    readonly file: string;
    readonly target: string | undefined;
  }[];
}

/** They travel with every beat of a run. */
const MOST_FILES = 1000;
const ABSENT = 'absent';

/** The code of the project, and what its targets are made of, on this machine. */
export async function printRunCode(
  suites: readonly SuiteTargets[],
  resolver: TargetResolver,
  projectRoot: string,
): Promise<RunCode> {
  const paths = new Set(codeFiles(projectRoot));
  const agents = new Map<string, RunCode['agents'][number]>();
  for (const { file, targets } of suites)
    for (const name of resolver.chosenNames(targets)) {
      for (const source of await resolver.sourcesOf(file, name)) {
        agents.set(keyOf(source, file), { file, target: source.target?.name });
        for (const path of startFiles(source)) paths.add(path);
      }
    }
  const isComplete = paths.size <= MOST_FILES;
  return {
    files: hashesOf([...paths].slice(0, MOST_FILES), projectRoot),
    isComplete,
    agents: [...agents.values()],
  };
}

function hashesOf(paths: readonly string[], projectRoot: string): Readonly<Record<string, string>> {
  const root = realpathSync(projectRoot);
  const existing = paths.filter((path) => existsSync(path));
  return Object.fromEntries(
    existing.map((path) => [relative(root, realpathSync(path)).split(sep).join('/'), hashFile(path)]),
  );
}

/** The command of a template runs in the folder of its suite. */
function keyOf({ configs, target, folder }: TargetSource, suite: string): string {
  const place = target?.command_template === undefined ? folder : join(suite, '..');
  return [...configs, target?.name, place].join('\0');
}

/** How the files on this machine differ from those that a run was started with; undefined if they do not. */
export function differingFiles(files: RunCode['files'], projectRoot: string): string | undefined {
  const differences = Object.entries(files).flatMap(([path, hash]) => {
    const here = join(projectRoot, path);
    // A queue may only name files of the project.
    if (!isInside(here, projectRoot)) return [];
    return describeDifference(path, hash, existsSync(here) ? hashFile(here) : ABSENT);
  });
  return refusal(differences);
}

/** The files of in-process code when this process loaded them. */
const loaded = new Map<string, string>();

interface CodeCheckOptions {
  /** Of the run. */
  readonly files: RunCode['files'];
  readonly resolver: TargetResolver;
  readonly projectRoot: string;
}

/** Compares the code on this machine with the code where the run was started. */
export class CodeCheck {
  private readonly options: CodeCheckOptions;
  private readonly reasons = new Map<string, string | undefined>();
  private here: readonly string[] | undefined;

  constructor(options: CodeCheckOptions) {
    this.options = options;
  }

  /** Includes files that the run does not know of: one that exists only here may replace another. */
  async reasonToRefuse(suite: string, target: string | undefined): Promise<string | undefined> {
    const [source] = await this.options.resolver.sourcesOf(suite, target);
    // An unknown target is refused where it is created.
    if (source === undefined) return undefined;
    const key = keyOf(source, suite);
    if (!this.reasons.has(key)) this.reasons.set(key, this.compare(source));
    return this.reasons.get(key);
  }

  private compare(source: TargetSource): string | undefined {
    const { files, projectRoot } = this.options;
    this.here ??= codeFiles(projectRoot);
    const here = Object.entries(hashesOf([...this.here, ...startFiles(source)], projectRoot));
    const isComplete = Object.keys(files).length < MOST_FILES;
    const reason = refusal(
      here.flatMap(([path, hash]) =>
        files[path] === undefined && !isComplete ? [] : describeDifference(path, files[path], hash),
      ),
    );
    if (reason !== undefined || !isLoadedHere(source)) return reason;
    const stale = here.filter(([path, hash]) => (loaded.get(resolve(projectRoot, path)) ?? hash) !== hash);
    if (stale.length > 0)
      return `${someOf(stale.map(([path]) => path))} changed after this worker loaded it: restart the worker`;
    for (const [path, hash] of here) loaded.set(resolve(projectRoot, path), hash);
    return undefined;
  }
}

function describeDifference(path: string, wanted: string | undefined, here: string): readonly string[] {
  if (wanted === here) return [];
  if (here === ABSENT) return [`${path} is not on this machine`];
  return [wanted === undefined ? `${path} is only on this machine` : `${path} differs`];
}

function refusal(differences: readonly string[]): string | undefined {
  if (differences.length === 0) return undefined;
  return `the code differs from where the run was started (${someOf(differences)}): use the same files here`;
}
