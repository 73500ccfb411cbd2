import { realpathSync } from 'node:fs';
import { DatasetLines } from '../../suites/load/dataset-lines.ts';
import { loadSuite } from '../../suites/load/load-suites.ts';
import { openLongSuite, type LongSuite } from '../../suites/load/open-long-suite.ts';
import { rootForSuite } from '../../suites/load/project-root.ts';
import { TestCursor } from '../../suites/load/test-cursor.ts';
import { isInside } from '../../base/files/is-inside.ts';
import type { Test } from '../../base/model/test.ts';
import type { AttemptReference } from '../../run/queue/protocol.ts';
import { Refusal } from '../../run/queue/run-member.ts';
import type { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { isDataset } from '../../base/model/suite-lines.ts';

/** The most open files; a run of thousands of files goes through them one after the other. */
const MOST_FILES = 64;

interface CheckedSuite {
  find(reference: AttemptReference): Test | undefined | Promise<Test | undefined>;
  close(): Promise<void>;
}

/** The suites of this machine, if they are the ones that a run names. */
export class CheckedSuites {
  private readonly projectRoot: string;
  private readonly evaluators: ProjectEvaluators;
  private readonly suites = new Map<string, Promise<CheckedSuite>>();

  constructor(projectRoot: string, evaluators: ProjectEvaluators) {
    this.projectRoot = projectRoot;
    this.evaluators = evaluators;
  }

  /** Throws a Refusal if the file is missing here, or differs. */
  async find(reference: AttemptReference, hash: string | undefined): Promise<Test> {
    const { file } = reference;
    let suite = this.suites.get(file);
    if (suite === undefined) {
      this.suites.set(file, (suite = this.open(file, hash)));
      await this.closeOldest();
    }
    const test = await (await suite).find(reference);
    if (test?.id !== reference.test) throw otherFile(file);
    return test;
  }

  /** A queue may only name files of the project. */
  refuseOutside(file: string): void {
    if (!isInside(realPath(file), realpathSync(this.projectRoot)))
      throw new Refusal(`${file} is outside the project, where workers read no files`);
  }

  async close(): Promise<void> {
    for (const suite of this.suites.values()) await closeQuietly(suite);
    this.suites.clear();
  }

  private async open(file: string, hash: string | undefined): Promise<CheckedSuite> {
    const root = rootForSuite(file, this.projectRoot);
    this.refuseOutside(file);
    const formats = await this.evaluators.formatsOf(file);
    const broken = this.evaluators.findings.find(({ severity }) => severity === 'error');
    if (broken !== undefined) throw new Refusal(`${broken.file}:${broken.line}: ${broken.message}`);
    if (isDataset(file)) {
      if (hashFile(file) !== hash) throw otherFile(file);
      const lines = await DatasetLines.open({ file, root, formats });
      return { find: ({ line, test }) => lines.testAt(line, test), close: () => lines.close() };
    }
    const long = openLongSuite(file, root, { formats });
    if (long?.hasRowFiles === true) {
      if (long.hash !== hash) throw otherFile(file);
      const cursor = new TestCursor(() => testsOf(long));
      return { find: ({ test }) => cursor.find(test), close: async () => cursor.close() };
    }
    const loaded = await loadSuite(file, root, formats);
    if (loaded.hash !== hash) throw otherFile(file);
    const tests = new Map(loaded.suite?.tests.map((test) => [test.id, test]));
    return { find: ({ test }) => tests.get(test), close: async () => {} };
  }

  private async closeOldest(): Promise<void> {
    if (this.suites.size <= MOST_FILES) return;
    const [file, suite] = this.suites.entries().next().value!;
    this.suites.delete(file);
    await closeQuietly(suite);
  }
}

function* testsOf({ batches }: LongSuite): Generator<Test> {
  for (const batch of batches()) yield* batch;
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    throw new Refusal(`${file} is not on this machine: check out the same revision here`);
  }
}

function otherFile(file: string): Refusal {
  return new Refusal(`${file} differs from where the run was started: check out the same revision`);
}

async function closeQuietly(suite: Promise<CheckedSuite>): Promise<void> {
  try {
    await (await suite).close();
  } catch {
    // It was refused, and that was said.
  }
}
