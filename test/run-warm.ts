import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CliResult } from './project.ts';

const WARM_CLI = fileURLToPath(new URL('./warm-cli.cjs', import.meta.url));

interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Processes that wait for a command line, by the program they run. */
const idle = new Map<string, WarmProcess[]>();

/** Runs a command line in a process that may have run others before, one at a time. */
export async function runWarm(program: string, call: Call): Promise<CliResult> {
  const waiting = idle.get(program) ?? [];
  idle.set(program, waiting);
  const warm = waiting.pop() ?? new WarmProcess(program);
  const result = await warm.run(call);
  if (warm.isAlive) waiting.push(warm);
  return result;
}

class WarmProcess {
  private readonly child: ChildProcessByStdio<null, Readable, Readable>;
  private readonly control: Duplex;
  private readonly texts = ['', ''];
  private onText: () => void = () => undefined;
  isAlive = true;

  constructor(program: string) {
    this.child = spawn(process.execPath, [WARM_CLI, program], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    }) as typeof this.child;
    this.control = this.child.stdio[3] as unknown as Duplex;
    for (const [index, stream] of [this.child.stdout, this.child.stderr].entries())
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.texts[index] += text;
        this.onText();
      });
    // It may end while it is sent something.
    this.control.on('error', () => undefined);
    this.child.once('exit', () => (this.isAlive = false));
  }

  run(call: Call): Promise<CliResult> {
    const marker = `\n${randomUUID()}\n`;
    const { child, control } = this;
    this.hold('ref');
    return new Promise<CliResult>((resolve, reject) => {
      const settle = (exitCode: number | null): void => {
        control.removeAllListeners('data');
        child.removeAllListeners('close').off('error', reject);
        this.onText = () => undefined;
        const [stdout, stderr] = this.texts.map((text) => text.split(marker, 1)[0]!) as [string, string];
        this.texts.fill('');
        this.hold('unref');
        resolve({ stdout, stderr, exitCode });
      };
      let exitCode: number | undefined;
      this.onText = () => {
        if (exitCode !== undefined && this.texts.every((text) => text.endsWith(marker))) settle(exitCode);
      };
      control.on('data', (code: Buffer) => {
        exitCode = Number(code);
        this.onText();
      });
      child.once('error', reject);
      child.once('close', settle);
      control.write(`${JSON.stringify({ ...call, marker })}\n`);
    });
  }

  /** While nothing runs, it does not keep the tests from ending; and it ends with them. */
  private hold(how: 'ref' | 'unref'): void {
    this.child[how]();
    for (const stream of this.child.stdio)
      (stream as unknown as { ref?(): void; unref?(): void } | null)?.[how]?.();
  }
}
