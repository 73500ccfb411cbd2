import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { killGroup } from './copy.ts';

export interface TestOrder {
  /** The file with the current mutant, and the file with the previous one. */
  readonly changed: readonly string[];
  readonly files: readonly string[];
}

export interface TestResult {
  readonly file: string;
  readonly passed: boolean;
  /** The first test that failed, and the beginning of its message. */
  readonly failed: string | undefined;
  readonly message: string | undefined;
}

/** Runs tests of a copy in a process that stays: most of what a short run takes is its start. */
export class TestRunner {
  private process: ChildProcess | undefined;
  private last: string | undefined;

  constructor(private readonly root: string) {}

  /** The first failure, if there is one; `timeout` when they do not end. */
  run(
    { mutated, files }: { readonly mutated: string; readonly files: readonly string[] },
    limitMs: number,
  ): Promise<TestResult | 'passed' | 'timeout'> {
    const order: TestOrder = { changed: [mutated, this.last ?? mutated], files };
    this.last = mutated;
    const child = (this.process ??= this.start());
    return new Promise((done) => {
      const end = (result: TestResult | 'passed' | 'timeout'): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        done(result);
      };
      const timer = setTimeout(() => {
        this.stop();
        end('timeout');
      }, limitMs);
      child.once('message', (results: readonly TestResult[]) =>
        end(results.find(({ passed }) => !passed) ?? 'passed'),
      );
      child.once('exit', (code) => {
        this.process = undefined;
        end({ file: mutated, passed: false, failed: undefined, message: `exit code ${code}` });
      });
      child.send(order);
    });
  }

  stop(): void {
    if (this.process?.pid !== undefined) killGroup(this.process.pid);
    this.process = undefined;
  }

  private start(): ChildProcess {
    const jiti = join(this.root, 'node_modules/jiti/lib/jiti-cli.mjs');
    return fork(jiti, ['scripts/mutation/warm-vitest.ts'], {
      cwd: this.root,
      detached: true,
      stdio: 'ignore',
    });
  }
}
