import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { CLI, createProject } from '../project.ts';

/** An agent that notes each call, answers after a while, and does what its input says. */
export const AGENT = `
import { appendFileSync, existsSync } from 'node:fs';
export const workers = 4;
export async function agent(input) {
  appendFileSync(import.meta.dirname + '/calls.log', input + ' ' + process.ppid + '\\n');
  if (input.startsWith('poison')) process.kill(process.ppid, 'SIGKILL');
  if (input.startsWith('held'))
    while (!existsSync(import.meta.dirname + '/' + input + '.free')) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, input.startsWith('slow') ? 1500 : 30));
  if (input.startsWith('wrong')) return { output: 7 };
  if (input.startsWith('secret')) return { output: 'The key is ' + process.env.AGENT_API_KEY };
  return { output: 'You said ' + input, memory: { heard: input } };
}`;

export interface CliProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<number | null>;
  /** Until it has said this on either stream. */
  says(text: string): Promise<void>;
}

/** A project, its coordinators and workers: real processes of the built CLI, all ended by \`stop\`. */
export class Cluster {
  readonly path: string;
  readonly queue: string;
  private readonly remove: () => void;
  private readonly processes: CliProcess[] = [];

  constructor(queue: string, files: Readonly<Record<string, string>>) {
    const project = createProject({ 'agent.mjs': AGENT, ...files });
    this.path = project.path;
    this.remove = () => project.remove();
    this.queue = queue;
  }

  worker(...args: readonly string[]): CliProcess {
    return this.start(['worker', '--queue', this.queue, ...args]);
  }

  run(...args: readonly string[]): CliProcess {
    const usual = {
      '--agent': './agent.mjs',
      '--queue': this.queue,
      '--lost-after': '3s',
      '--worker-wait': '60s',
    };
    const others = Object.entries(usual).flatMap((option) => (args.includes(option[0]) ? [] : option));
    return this.start(['run', ...others, ...args]);
  }

  start(
    args: readonly string[],
    {
      cwd = this.path,
      env = {},
      cli = CLI,
    }: { cwd?: string; env?: Record<string, string>; cli?: string } = {},
  ): CliProcess {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd,
      env: { ...process.env, CI: 'false', GITHUB_ACTIONS: undefined, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const started: CliProcess = {
      child,
      pid: child.pid!,
      ended,
      get stdout() {
        return said.stdout;
      },
      get stderr() {
        return said.stderr;
      },
      says: (text) =>
        until(
          () => (said.stdout + said.stderr).includes(text),
          text,
          () => said.stderr,
        ),
    };
    this.processes.push(started);
    return started;
  }

  /** The inputs that were sent to the agent so far, each with the process that was asked. */
  calls(): readonly { readonly input: string; readonly pid: number }[] {
    const path = join(this.path, 'calls.log');
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => ({ input: line.split(' ')[0]!, pid: Number(line.split(' ')[1]) }));
  }

  async called(input: string): Promise<void> {
    await until(() => this.calls().some((call) => call.input === input), `a call ${input}`);
  }

  /** Lets the agent answer these: inputs that start with \`held\` wait for it. */
  release(...names: readonly string[]): void {
    for (const name of names) writeFileSync(join(this.path, `${name}.free`), '');
  }

  /** Every record of every run of the project. */
  records(): readonly AttemptRecord[] {
    const runs = join(this.path, '.assay', 'runs');
    if (!existsSync(runs)) return [];
    return readdirSync(runs).flatMap((run) =>
      [...readJournal(join(runs, run, 'results.jsonl'))].map(({ record }) => record),
    );
  }

  async stop(): Promise<void> {
    for (const { child } of this.processes) child.kill('SIGKILL');
    await Promise.all(this.processes.map(({ ended }) => ended));
    this.remove();
  }
}

async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  details: () => string = () => '',
): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error(`waited a minute for: ${what}\n${details()}`);
}

/** One test per input; \`assert\` holds for what the agent above answers. */
export function suite(names: readonly string[]): string {
  return names
    .map((input) => `- id: ${input}\n  input: ${input}\n  assert: {output.includes: ${input}}\n`)
    .join('');
}

export function inputs(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

/** Records as a set that can be compared: without what differs between two runs of the same. */
export function recordSet(records: readonly AttemptRecord[]): readonly string[] {
  return records
    .map((record) =>
      JSON.stringify({
        ...record,
        started_at: '',
        duration_ms: 0,
        steps: record.steps.map((step) => ({ ...step, duration_ms: 0 })),
      }),
    )
    .toSorted();
}
