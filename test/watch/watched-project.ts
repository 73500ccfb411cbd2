import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { inTerminal } from '../in-terminal.ts';
import { CLI, createProject } from '../project.ts';

/** Notes each call outside of the project, and answers with a word from another file. */
const AGENT = `
import { appendFileSync } from 'node:fs';
import { word } from './word.mjs';
export function agent(input) {
  appendFileSync(process.env.CALLS, input + '\\n');
  return { output: word + ' ' + input, cost_usd: 0.2, tools_used: [] };
}`;

/** A project with \`assay watch\` at work in it: a real process, with a terminal if wanted. */
export class WatchedProject {
  readonly path: string;
  shown = '';
  private readonly child: ChildProcess;
  private readonly remove: () => void;
  private readonly calls: string;
  readonly ended: Promise<number | null>;
  private seen = 0;

  constructor(
    files: Readonly<Record<string, string>>,
    {
      args = [],
      agent = ['--agent', './agent.mjs'],
      hasTerminal = false,
      shell = [],
    }: {
      args?: readonly string[];
      agent?: readonly string[];
      hasTerminal?: boolean;
      /** The words of a shell that starts it in the terminal. */
      shell?: readonly string[];
    } = {},
  ) {
    const project = createProject({
      'agent.mjs': AGENT,
      'word.mjs': "export const word = 'said';",
      ...files,
    });
    this.path = project.path;
    this.calls = `${project.path}-calls`;
    this.remove = () => project.remove();
    const words = [process.execPath, CLI, 'watch', ...agent, ...args];
    const command = hasTerminal ? inTerminal([...shell, ...words]) : words;
    this.child = spawn(command[0]!, command.slice(1), {
      cwd: this.path,
      env: {
        ...process.env,
        ASSAY_ISOLATE: 'true',
        CI: 'false',
        GITHUB_ACTIONS: undefined,
        NO_COLOR: '1',
        CALLS: this.calls,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.shown += text));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  press(keys: string): void {
    this.child.stdin!.write(keys);
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }

  /** What is shown up to and with this text, since the last time. */
  async shows(text: string | RegExp, everyMs = 20): Promise<string> {
    for (const start = Date.now(); Date.now() - start < 50_000;) {
      const rest = this.shown.slice(this.seen);
      const [at, length] = typeof text === 'string' ? [rest.indexOf(text), text.length] : found(rest, text);
      if (at >= 0) {
        this.seen += at + length;
        return rest.slice(0, at + length);
      }
      await sleep(everyMs);
    }
    throw new Error(`waited long for ${String(text)} after:\n${this.shown}`);
  }

  /** Waits for the line about a file that starts nothing. Of several files that changed at once, only the first one is named. */
  async showsIdle(name: string): Promise<void> {
    await this.shows(new RegExp(`^(?:${name}|\\S+ and \\d+ more files?) changed · nothing to run\n`, 'm'), 1);
  }

  /** What a run shows, until the next change is waited for. */
  run(): Promise<string> {
    return this.shows('Waiting for changes');
  }

  /** Waits until nothing is left to run: an edit of a file that nobody uses starts nothing. */
  async settles(): Promise<void> {
    const from = this.shown.length;
    for (let edit = 0; edit < 25; edit++) {
      // Of several files that changed at once, only the first one is named.
      this.write(`0-unused-${from}-${edit}.md`, '');
      for (let waited = 0; waited < 1000; waited += 20) {
        const named = this.shown
          .slice(from)
          .matchAll(/0-unused-(\d+)-\S+(?: and \d+ more files?)? changed · nothing to run/g);
        if ([...named].some(([, start]) => Number(start) === from)) {
          this.seen = this.shown.length;
          return;
        }
        await sleep(20);
      }
    }
    throw new Error(`something still runs:\n${this.shown}`);
  }

  /** The inputs that the agent was called with. */
  called(): readonly string[] {
    return existsSync(this.calls) ? readFileSync(this.calls, 'utf8').trimEnd().split('\n') : [];
  }

  /** The last record of each attempt of the latest run. */
  results(): Readonly<Record<string, AttemptRecord>> {
    const runs = join(this.path, '.assay', 'runs');
    const latest = readdirSync(runs).toSorted().at(-1)!;
    const records = [...readJournal(join(runs, latest, 'results.jsonl'))].map(({ record }) => record);
    return Object.fromEntries(records.map((record) => [record.test, record]));
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
    rmSync(this.calls, { force: true });
    this.remove();
  }
}

function found(text: string, pattern: RegExp): readonly [at: number, length: number] {
  const match = pattern.exec(text);
  return match === null ? [-1, 0] : [match.index, match[0].length];
}
