import { dirname, resolve } from 'node:path';
import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import type { CheckNeeds } from '../../assertions/contract/check-needs.ts';
import { commandReferences, foldersNamed } from '../../load/code/command-references.ts';
import { printCode } from '../../load/code/code-print.ts';
import { printNamedData, type DataPrint } from '../../load/code/data-print.ts';
import { rootForSuite } from '../../load/project-root.ts';
import { membersOf, type Assertion } from '../../model/assertion.ts';
import type { PlannedAttempt } from '../../run/plan.ts';

interface Project {
  readonly projectRoot: string;
  /** The files that are run. */
  readonly suites: readonly string[];
}

/** The files that the code of evaluators and scripts names: they may read them while they grade. */
export class CheckFiles {
  private readonly kinds: AssertionKinds;
  private readonly projectRoot: string;
  private readonly suites: readonly string[];
  private readonly known = new Map<string, DataPrint>();

  constructor(kinds: AssertionKinds, { projectRoot, suites }: Project) {
    this.kinds = kinds;
    this.projectRoot = projectRoot;
    this.suites = suites;
  }

  of({ file, test }: PlannedAttempt): DataPrint {
    const found: Found = { starts: new Set(), folders: new Set(), words: new Set() };
    for (const assertion of [...test.steps.flatMap((step) => step.assertions), ...test.assertions])
      this.addStarts(assertion, dirname(file), found);
    const { starts, folders, words } = found;
    if (starts.size + words.size === 0) return NO_FILES;
    const key = JSON.stringify([starts, folders, words].map((each) => [...each]));
    let data = this.known.get(key);
    if (data === undefined) {
      const projectRoot = rootForSuite(file, this.projectRoot);
      const place = {
        projectRoot,
        folders: [...new Set([...folders, ...[...starts].map((start) => dirname(start))])],
        settings: [...words],
        suites: this.suites,
      };
      const code = printCode(starts, place);
      // The fingerprint of a test knows only the program that it names: not a module, nor a script in a script.
      const own = [...code.files].map(
        ([path, hash]) => [path, { hash, place: path, isWritten: false }] as const,
      );
      data = new Map([...own, ...printNamedData(code, place)]);
      this.known.set(key, data);
    }
    return data;
  }

  /** Of the tests that were asked about so far. */
  all(): readonly DataPrint[] {
    return [...this.known.values()];
  }

  private addStarts(assertion: Assertion, folder: string, found: Found): void {
    const needs: CheckNeeds = this.kinds.of(assertion)?.needs?.(assertion.parameters) ?? {};
    for (const path of needs.code ?? []) found.starts.add(resolve(folder, path));
    for (const { script, cwd = '.' } of needs.programs ?? []) {
      const place = resolve(folder, cwd);
      const words = typeof script === 'string' ? script.split(/\s+/) : script;
      const named = commandReferences(words, [place]);
      for (const path of named.files) found.starts.add(path);
      // A script that runs as a module imports from the folder that it runs in.
      for (const path of [place, ...(named.folders ?? [])]) found.folders.add(path);
      for (const word of words) found.words.add(word);
      for (const path of foldersNamed(words, place)) found.words.add(`${path}/`);
    }
    for (const member of membersOf(assertion)) this.addStarts(member, folder, found);
  }
}

interface Found {
  /** Files of code that is run. */
  readonly starts: Set<string>;
  readonly folders: Set<string>;
  /** Of commands: each may name a file or a folder. */
  readonly words: Set<string>;
}

const NO_FILES: DataPrint = new Map();
