import { dirname, resolve } from 'node:path';
import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import type { CheckNeeds } from '../../assertions/contract/check-needs.ts';
import { commandReferences } from '../../load/code/command-references.ts';
import { printCode } from '../../load/code/code-print.ts';
import { printNamedData, type DataPrint } from '../../load/code/data-print.ts';
import { rootForSuite } from '../../load/project-root.ts';
import { membersOf, type Assertion } from '../../model/assertion.ts';
import type { PlannedAttempt } from '../../run/plan.ts';

/** The files that the code of evaluators and scripts names: they may read them while they grade. */
export class CheckFiles {
  private readonly kinds: AssertionKinds;
  private readonly projectRoot: string;
  private readonly known = new Map<string, DataPrint>();

  constructor(kinds: AssertionKinds, projectRoot: string) {
    this.kinds = kinds;
    this.projectRoot = projectRoot;
  }

  of({ file, test }: PlannedAttempt): DataPrint {
    const starts = new Set<string>();
    for (const assertion of [...test.steps.flatMap((step) => step.assertions), ...test.assertions])
      this.addStarts(assertion, dirname(file), starts);
    if (starts.size === 0) return NO_FILES;
    const key = [...starts].join('\0');
    let data = this.known.get(key);
    if (data === undefined) {
      const projectRoot = rootForSuite(file, this.projectRoot);
      const place = {
        projectRoot,
        folders: [...new Set([...starts].map((start) => dirname(start)))],
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

  private addStarts(assertion: Assertion, folder: string, starts: Set<string>): void {
    const needs: CheckNeeds = this.kinds.of(assertion)?.needs?.(assertion.parameters) ?? {};
    for (const path of needs.code ?? []) starts.add(resolve(folder, path));
    for (const { script, cwd = '.' } of needs.programs ?? []) {
      const words = typeof script === 'string' ? script.split(/\s+/) : script;
      for (const path of commandReferences(words, [resolve(folder, cwd)]).files) starts.add(path);
    }
    for (const member of membersOf(assertion)) this.addStarts(member, folder, starts);
  }
}

const NO_FILES: DataPrint = new Map();
