import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLoadedHere, printTargetCode, type TargetSource } from '../../config/target-code.ts';
import type { TargetResolver } from '../../config/target-resolver.ts';
import { ABSENT, hashOf } from '../../load/code/code-print.ts';
import { isInside } from '../../files/is-inside.ts';
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
  readonly agents: readonly { readonly file: string; readonly target: string | undefined }[];
}

/** What the targets of these suites run, on this machine. */
export async function printRunCode(
  suites: readonly SuiteTargets[],
  resolver: TargetResolver,
  projectRoot: string,
): Promise<RunCode> {
  const files = new Map<string, string>();
  const printed = new Map<string, RunCode['agents'][number]>();
  let isComplete = true;
  for (const { file, targets } of suites)
    for (const name of resolver.chosenNames(targets)) {
      for (const source of await resolver.sourcesOf(file, name)) {
        const key = keyOf(source, file);
        if (printed.has(key)) continue;
        printed.set(key, { file, target: source.target?.name });
        const print = printTargetCode(source, file, { projectRoot, env: resolver.env });
        for (const [path, hash] of print.files) files.set(path, hash);
        isComplete &&= print.isComplete;
      }
    }
  return { files: Object.fromEntries(files), isComplete, agents: [...printed.values()] };
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
    return describeDifference(path, hash, existsSync(here) ? hashOf(here).hash : ABSENT);
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

/** Compares what targets run on this machine with what they run where the run was started. */
export class CodeCheck {
  private readonly options: CodeCheckOptions;
  private readonly reasons = new Map<string, string | undefined>();

  constructor(options: CodeCheckOptions) {
    this.options = options;
  }

  /** Includes files that the run does not know of: one that exists only here may replace another. */
  async reasonToRefuse(suite: string, target: string | undefined): Promise<string | undefined> {
    const [source] = await this.options.resolver.sourcesOf(suite, target);
    // An unknown target is refused where it is created.
    if (source === undefined) return undefined;
    const key = keyOf(source, suite);
    if (!this.reasons.has(key)) this.reasons.set(key, this.compare(source, suite));
    return this.reasons.get(key);
  }

  private compare(source: TargetSource, suite: string): string | undefined {
    const { files, resolver, projectRoot } = this.options;
    const wanted = new Map(Object.entries(files));
    const here = [...printTargetCode(source, suite, { projectRoot, env: resolver.env }).files];
    const reason = refusal(here.flatMap(([path, hash]) => describeDifference(path, wanted.get(path), hash)));
    if (reason !== undefined || !isLoadedHere(source)) return reason;
    const stale = here.filter(([path, hash]) => (loaded.get(join(projectRoot, path)) ?? hash) !== hash);
    if (stale.length > 0)
      return `${someOf(stale.map(([path]) => path))} changed after this worker loaded it: restart the worker`;
    for (const [path, hash] of here) loaded.set(join(projectRoot, path), hash);
    return undefined;
  }
}

function describeDifference(path: string, wanted: string | undefined, here: string): readonly string[] {
  if (wanted === here) return [];
  if (here === ABSENT) return [`${path} is not on this machine`];
  return [wanted === undefined || wanted === ABSENT ? `${path} is only on this machine` : `${path} differs`];
}

function refusal(differences: readonly string[]): string | undefined {
  if (differences.length === 0) return undefined;
  return `the code differs from where the run was started (${someOf(differences)}): use the same files here`;
}
