import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

export interface TestResult {
  readonly file: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** The first test that failed, and the beginning of its message. */
  readonly failed: string | undefined;
  readonly message: string | undefined;
}

export interface VitestRun {
  readonly end: 'passed' | 'failed' | 'timeout';
  readonly files: readonly TestResult[];
}

/** A copy of the project whose source may be changed and built. */
export class Copy {
  readonly root = mkdtempSync(join(tmpdir(), 'assay-mutation-'));

  constructor(project: string) {
    const left = new Set(['node_modules', '.git', '.assay']);
    cpSync(project, this.root, { recursive: true, filter: (path) => !left.has(basename(path)) });
    symlinkSync(resolve(project, 'node_modules'), join(this.root, 'node_modules'));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Without the page and the types: no test of these rooms needs them. */
  async builds(): Promise<boolean> {
    return (await this.start(['rolldown', '--config', 'rolldown.config.ts'], 60_000)) === 0;
  }

  async typechecks(): Promise<boolean> {
    const only = ['--noEmit', '--project', 'tsconfig.build.json', '--noUnusedLocals', 'false'];
    const kept = ['--incremental', '--tsBuildInfoFile', join(this.root, '.tsc.json')];
    return (await this.start(['tsc', ...only, ...kept], 120_000)) === 0;
  }

  async test(args: readonly string[], limitMs: number): Promise<VitestRun> {
    const out = join(this.root, '.vitest.json');
    rmSync(out, { force: true });
    const code = await this.start(
      ['vitest', '--run', '--maxWorkers=2', '--reporter=json', `--outputFile=${out}`, ...args],
      limitMs,
    );
    if (code === undefined) return { end: 'timeout', files: [] };
    return { end: code === 0 ? 'passed' : 'failed', files: existsSync(out) ? this.results(out) : [] };
  }

  private results(path: string): readonly TestResult[] {
    const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
    return testResults.map(({ name, status, startTime, endTime, message, assertionResults }) => {
      const failed = assertionResults.find((each) => each.status === 'failed');
      return {
        file: name.slice(this.root.length + 1),
        passed: status === 'passed',
        seconds: (endTime - startTime) / 1000,
        failed: failed?.fullName,
        message: (failed?.failureMessages[0] ?? message).slice(0, 300),
      };
    });
  }

  /** The exit code, or undefined for what did not end in time. */
  private start(args: readonly string[], limitMs: number): Promise<number | null | undefined> {
    return new Promise((done) => {
      const [program, ...rest] = args;
      const child = spawn(join(this.root, 'node_modules', '.bin', program!), rest, {
        cwd: this.root,
        stdio: 'ignore',
        detached: true,
      });
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        killGroup(child.pid!);
      }, limitMs);
      child.on('close', (code) => {
        clearTimeout(timer);
        killGroup(child.pid!);
        done(late ? undefined : code);
      });
    });
  }
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
