import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

interface TimedFile {
  readonly file: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly message: string | undefined;
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

  /** Every file of tests, once. */
  async time(config: string, files: readonly string[]): Promise<readonly TimedFile[]> {
    const out = join(this.root, '.vitest.json');
    const reported = ['--reporter=json', `--outputFile=${out}`];
    await this.start(['vitest', '--run', `--config=${config}`, ...reported, ...files], 60 * 60_000);
    const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as VitestReport;
    return testResults.map(({ name, status, startTime, endTime, message, assertionResults }) => ({
      file: name.slice(this.root.length + 1),
      passed: status === 'passed',
      seconds: (endTime - startTime) / 1000,
      message: assertionResults.find((each) => each.status === 'failed')?.fullName ?? message,
    }));
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
    }[];
  }[];
}

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
