import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Cassette } from '../../evidence/cassettes/cassette.ts';
import { CassetteError } from '../../evidence/cassettes/cassette-error.ts';
import { readCassetteFile } from '../../evidence/cassettes/cassette-file.ts';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import { hasErrors } from '../../base/model/finding.ts';
import { selectSuites } from '../select/select-suites.ts';

/** A file in the folder of cassettes. */
export interface KeptCassette {
  /** For people. */
  readonly path: string;
  readonly bytes: number;
  /** Undefined: it cannot be read, and `problem` says why. */
  readonly cassette?: Cassette | undefined;
  readonly problem?: string | undefined;
  /** Whether a test has its name. Undefined: its suite cannot be read, so nobody can say. */
  readonly isUsed: boolean | undefined;
}

export interface CassetteFolderOptions {
  /** Default: the one that the config names. */
  readonly dir?: string | undefined;
  readonly config?: string | undefined;
  /** A config may be code, which is executed to read it. */
  readonly mayExecute: boolean;
}

/** The cassettes of a project, in the order of their paths. */
export async function findCassettes(options: CassetteFolderOptions): Promise<readonly KeptCassette[]> {
  const { folder, base } = await cassetteFolder(options);
  const tests = new SuiteTests(base);
  const found: KeptCassette[] = [];
  for (const file of jsonFilesIn(folder)) {
    const path = relative('', file);
    const { size: bytes } = statSync(file);
    try {
      const cassette = readCassetteFile(file);
      const isUsed = await tests.has(cassette.file, cassette.test);
      found.push({ path, bytes, cassette, isUsed });
    } catch (error) {
      if (!(error instanceof CassetteError)) throw error;
      found.push({ path, bytes, problem: error.message, isUsed: undefined });
    }
  }
  return found;
}

/** The folder, and the one that the paths of suites are relative to. */
async function cassetteFolder({
  dir,
  config,
  mayExecute,
}: CassetteFolderOptions): Promise<{ readonly folder: string; readonly base: string }> {
  const choice = { config, mayExecute, isNamingOnly: true, isOptional: true };
  const resolver = new TargetResolver(choice, process.cwd(), process.env);
  const found = await resolver.cassettesFor(join(process.cwd(), 'suite.yaml'));
  const folder = dir === undefined ? resolve(found.folder, found.config?.dir ?? 'cassettes') : resolve(dir);
  return { folder, base: found.folder };
}

function jsonFilesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** The ids of the tests of each suite, read once. */
class SuiteTests {
  private readonly root: string;
  private readonly known = new Map<string, ReadonlySet<string> | undefined>();

  constructor(root: string) {
    this.root = root;
  }

  async has(file: string, test: string): Promise<boolean | undefined> {
    if (!this.known.has(file)) this.known.set(file, await this.read(join(this.root, file)));
    return this.known.get(file)?.has(test);
  }

  /** Undefined: it has errors, so it may have more tests than can be seen. */
  private async read(path: string): Promise<ReadonlySet<string> | undefined> {
    if (!existsSync(path)) return new Set();
    const { suites, findings } = await selectSuites({ paths: [relative('', path)] }, { mayExecute: false });
    if (hasErrors(findings)) return undefined;
    const ids = new Set<string>();
    for (const suite of suites)
      for await (const batch of suite.batches()) for (const { id } of batch) ids.add(id);
    return ids;
  }
}
