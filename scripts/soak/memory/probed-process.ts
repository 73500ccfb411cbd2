import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLI } from '../../../test/project.ts';
import type { Sample } from './growth.ts';

const PROBE = fileURLToPath(new URL('probe.mjs', import.meta.url));

export interface ProbedOptions {
  readonly cwd: string;
  readonly everyMs: number;
  /** Told what it prints to stdout. */
  readonly onOutput?: (text: string) => void;
}

/** The CLI in a process that notes what it holds. */
export class ProbedProcess {
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private readonly file: string;
  private said = '';

  constructor(args: readonly string[], { cwd, everyMs, onOutput }: ProbedOptions) {
    this.file = join(cwd, `probe-${args[0]}.jsonl`);
    const env = {
      ...process.env,
      CI: 'false',
      GITHUB_ACTIONS: undefined,
      NO_COLOR: '1',
      ASSAY_SOAK_PROBE: this.file,
      ASSAY_SOAK_PROBE_MS: String(everyMs),
    };
    this.child = spawn(process.execPath, ['--expose-gc', '--import', PROBE, CLI, ...args], { cwd, env });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.said = (this.said + text).slice(-2000);
    });
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** The end of what it printed to stderr. */
  get stderr(): string {
    return this.said;
  }

  /** Only those of this process: its child processes load the probe too. */
  samples(): readonly Sample[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines
      .map((line) => JSON.parse(line) as Sample & { readonly pid: number })
      .filter(({ pid }) => pid === this.child.pid);
  }

  async end(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }

  /** In any case. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}
