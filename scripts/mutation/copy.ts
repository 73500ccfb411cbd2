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
    return (await this.start(['rolldown', '--config', 'rolldown.config.ts', '--no-minify'])).code === 0;
  }

  async filesWithTypeErrors(): Promise<ReadonlySet<string>> {
    const only = [
      '--noEmit',
      '--project',
      'tsconfig.build.json',
      '--noUnusedLocals',
      'false',
      '--pretty',
      'false',
    ];
    const kept = ['--incremental', '--tsBuildInfoFile', join(this.root, '.tsc.json')];
    const { printed } = await this.start(['tsc', ...only, ...kept]);
    return new Set([...printed.matchAll(/^(src\/[^(]+)\(/gm)].map(([, file]) => file!));
  }

  /** Every file of tests, once. */
  async time(config: string, files: readonly string[]): Promise<readonly TimedFile[]> {
    const out = join(this.root, '.vitest.json');
    const reported = ['--reporter=json', `--outputFile=${out}`];
    await this.start(['vitest', '--run', `--config=${config}`, ...reported, ...files]);
    const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as VitestReport;
    return testResults.map(({ name, status, startTime, endTime, message, assertionResults }) => ({
      file: name.slice(this.root.length + 1),
      passed: status === 'passed',
      seconds: (endTime - startTime) / 1000,
      message: assertionResults.find((each) => each.status === 'failed')?.fullName ?? message,
    }));
  }

  private start([program, ...args]: readonly string[]): Promise<{ code: number | null; printed: string }> {
    return new Promise((done) => {
      const child = spawn(join(this.root, 'node_modules', '.bin', program!), args, {
        cwd: this.root,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      child.on('close', (code) => {
        killGroup(child.pid!);
        done({ code, printed });
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
