import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { JudgeSources } from '../../checks/judges/resolve-judge.ts';
import { isPrivate, readReferencedFile } from '../../suites/load/file-parts.ts';
import { rootForSuite } from '../../suites/load/project-root.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { isInside } from '../../base/files/is-inside.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Test } from '../../base/model/test.ts';
import type { WorkspacePlan } from '../../base/model/workspace.ts';
import type { CheckPrintTable } from '../../run/plan/plan.ts';
import type { CheckNeeds } from '../../checks/contract/check-needs.ts';

interface PrintOptions {
  readonly resolver: Pick<TargetResolver, 'judgesFor' | 'judgeTargetFor'>;
  readonly projectRoot: string;
  readonly kinds: AssertionKinds;
}

/** The most that are kept: each line of a dataset may name its own file. */
const MOST_KEPT = 1000;

/**
 * Recognises the files, programs and judges that the assertions of tests use, and what code is told about a test. Each
 * file is read once: if one is edited during a run, the run keeps the print of the earlier content, so its tests count
 * as changed afterwards.
 */
export class CheckPrints {
  private readonly kinds: AssertionKinds;
  private readonly options: PrintOptions;
  private readonly kept = new Map<string, string | Promise<string>>();

  constructor(options: PrintOptions) {
    this.options = options;
    this.kinds = options.kinds;
  }

  /** Only for tests whose assertions use anything: most use only the agent's evidence. */
  async of(
    file: string,
    tests: readonly Test[],
    targetsOf: (test: Test) => readonly string[],
  ): Promise<CheckPrintTable> {
    let prints: Map<Test, ReadonlyMap<string, string>> | undefined;
    for (const test of tests) {
      const { workspace } = test;
      const hasNeeds =
        workspace !== undefined ||
        this.hasNeeds(test.assertions) ||
        test.steps.some((step) => this.hasNeeds(step.assertions));
      if (!hasNeeds) continue;
      const all = [...test.steps.flatMap((step) => step.assertions), ...test.assertions];
      const told = this.runCode(all) ? toldAbout(test) : [];
      const byTarget = new Map<string, string>();
      for (const target of targetsOf(test)) {
        const world = workspace === undefined ? [] : await this.worldParts(workspace, { file, target });
        const parts = [...told, ...world, ...(await this.partsOf(all, { file, target }))];
        if (parts.length > 0) byTarget.set(target, hashHex(parts.join('\n')));
      }
      if (byTarget.size > 0) (prints ??= new Map()).set(test, byTarget);
    }
    return prints ?? NONE;
  }

  private hasNeeds(assertions: readonly Assertion[]): boolean {
    for (const assertion of assertions)
      if (this.kinds.of(assertion)?.needs !== undefined || this.hasNeeds(membersOf(assertion))) return true;
    return false;
  }

  /** Whether code of the user is among them: it is told more about the test than other assertions read. */
  private runCode(assertions: readonly Assertion[]): boolean {
    return assertions.some((assertion) => {
      const { code, programs } = this.needsOf(assertion);
      return code !== undefined || programs !== undefined || this.runCode(membersOf(assertion));
    });
  }

  private needsOf(assertion: Assertion): CheckNeeds {
    return this.kinds.of(assertion)?.needs?.(assertion.parameters) ?? {};
  }

  private async partsOf(assertions: readonly Assertion[], place: JudgeContext): Promise<readonly string[]> {
    const parts: string[] = [];
    for (const assertion of assertions) {
      const needs = this.needsOf(assertion);
      for (const path of needs.files ?? []) parts.push(await this.file(path, place));
      for (const path of needs.code ?? []) parts.push(await this.code(path, place));
      for (const program of needs.programs ?? []) parts.push(await this.program(program, place));
      for (const wanted of needs.judges ?? []) parts.push(await this.judge(wanted, place));
      parts.push(...(await this.partsOf(membersOf(assertion), place)));
    }
    return parts.filter((part) => part !== '');
  }

  /** The files of the template, and the programs that prepare it. */
  private async worldParts(plan: WorkspacePlan, place: JudgeContext): Promise<readonly string[]> {
    const { template, exclude = [], prepare, setup, environment = {} } = plan;
    const build = environment.docker?.build;
    const parts: string[] = [];
    for (const folder of [template, build]) {
      if (folder === undefined) continue;
      const path = resolve(dirname(place.file), folder);
      parts.push(
        await this.once(['tree', path, exclude], async () => {
          const { hashTree } = await import('../../agents/workspace/hash-tree.ts');
          return `tree ${await hashTree(path, exclude)}`;
        }),
      );
    }
    for (const script of [prepare, setup])
      if (script !== undefined) parts.push(await this.program({ script }, place));
    return parts;
  }

  private once(key: readonly unknown[], look: () => string | Promise<string>): string | Promise<string> {
    const name = JSON.stringify(key);
    let print = this.kept.get(name);
    if (print === undefined) {
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(name, (print = look()));
    }
    return print;
  }

  private file(path: string, { file }: JudgeContext): string | Promise<string> {
    return this.once(['file', dirname(file), path], () => {
      const read = readReferencedFile(path, { file, root: rootForSuite(file, this.options.projectRoot) });
      return `file ${'text' in read ? hashHex(read.text) : 'unread'}`;
    });
  }

  /** What it loads in turn is not known before it runs: any code of the project may be part of it. */
  private code(path: string, { file }: JudgeContext): string | Promise<string> {
    const start = resolve(dirname(file), path);
    return this.once(['code', start], async () => {
      const root = rootForSuite(file, this.options.projectRoot);
      return `code ${existsSync(start) ? hashFile(start) : 'absent'} ${await this.projectCode(root)}`;
    });
  }

  private projectCode(root: string): string | Promise<string> {
    return this.once(['project', root], async () => {
      const { codeFiles } = await import('../../base/files/listed-files.ts');
      return hashHex(printJson(codeFiles(root).map((path) => [relative(root, path), hashFile(path)])));
    });
  }

  private program(
    { script, cwd = '.' }: NonNullable<CheckNeeds['programs']>[number],
    { file }: JudgeContext,
  ): string | Promise<string> {
    const folder = resolve(dirname(file), cwd);
    return this.once(['program', folder, script], async () => {
      const root = realpathSync(rootForSuite(file, this.options.projectRoot));
      const words = typeof script === 'string' ? script.split(SHELL_SIGNS) : script;
      const values = words.flatMap((word) => [
        word,
        ...(word.includes('=') ? [word.replace(/^.*?=/s, '')] : []),
      ]);
      const own = values.map((word) => resolve(folder, word)).filter((path) => isOwnFile(path, root));
      const hashes = own.map((path) => [relative(root, path), hashFile(path)]);
      if (own.length === 0) return '';
      return `program ${hashHex(printJson(hashes))} ${await this.projectCode(root)}`;
    });
  }

  private judge(wanted: string | undefined, { file, target }: JudgeContext): string | Promise<string> {
    return this.once(['judge', dirname(file), target, wanted], async () => {
      const { resolver } = this.options;
      const { resolveJudge } = await import('../../checks/judges/resolve-judge.ts');
      try {
        const sources: JudgeSources = await resolver.judgesFor(file);
        const judgeTarget = await resolver.judgeTargetFor(file, target);
        // Variables stay as names, as in the identity of a target.
        return `judge ${hashHex(printJson(resolveJudge(sources, { wanted, judgeTarget })))}`;
      } catch {
        // The test itself reports why it cannot be called.
        return 'judge none';
      }
    });
  }
}

interface JudgeContext {
  readonly file: string;
  /** It may name a judge. */
  readonly target: string | undefined;
}

const NONE: CheckPrintTable = new Map();

/** What code that judges may read of a test, and its fingerprint does not contain. */
function toldAbout({ description, tags, metadata }: Test): readonly string[] {
  if (description === undefined && tags.length === 0 && metadata === undefined) return [];
  return [`told ${hashHex(printJson([description ?? null, tags, metadata ?? null]))}`];
}

/** What separates the words of a shell command. */
const SHELL_SIGNS = /[\s|&;<>()'"`]+/;

/** Installed programs differ from machine to machine, and so do the values in `.env`. */
function isOwnFile(path: string, root: string): boolean {
  try {
    const real = realpathSync(path);
    return isInside(real, root) && !isPrivate(relative(root, real)) && statSync(real).isFile();
  } catch {
    return false;
  }
}
