import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, createProject, runCli } from '../project.ts';

/** Answers as its input says; `flaky` alternates, `boom` throws. */
const AGENT = `
let calls = 0;
export const agent = async (input, memory) => {
  if (input.includes('boom')) throw new Error('the agent broke');
  if (input.includes('slow')) await new Promise((resolve) => setTimeout(resolve, Number(input.split(' ')[1])));
  const output = input.includes('flaky') && calls++ % 2 === 1 ? 'no' : 'You said ' + input;
  return { output, tools_used: [], memory: { ...memory, last: input }, cost_usd: 0.001, token_usage: { input: 5, output: 2 } };
};
`;

const SUITE = `# Every verdict there is.
- id: good
  description: A test that passes
  tags: [smoke]
  input: hello
  assert:
    output.includes: hello
- id: bad
  input: hello
  assert:
    output.includes: goodbye
- id: sometimes
  input: flaky hello
  assert:
    output.includes: hello
- id: broken
  input: boom
  assert:
    output.includes: hello
- id: later
  skip: not now
  input: hello
  assert:
    output.includes: hello
`;

export interface ViewProject {
  readonly path: string;
  runIds(): readonly string[];
  run(...args: readonly string[]): Promise<string>;
  remove(): void;
}

/** A project with an agent and a suite of every verdict. `run` makes a run and answers with its id. */
export function createViewProject(files: Readonly<Record<string, string>> = {}): ViewProject {
  const project = createProject({ 'agent.mjs': AGENT, 'all.test.yaml': SUITE, ...files });
  const runIds = (): readonly string[] => readdirSync(join(project.path, '.assay', 'runs')).sort();
  return {
    ...project,
    runIds,
    async run(...args) {
      const result = await runCli(['run', '--agent', './agent.mjs', ...args], { cwd: project.path });
      if (result.exitCode === 2) throw new Error(result.stdout + result.stderr);
      return runIds().at(-1)!;
    },
  };
}

export interface RunningView {
  readonly child: ChildProcess;
  /** Everything it printed so far. */
  readonly printed: { stdout: string; stderr: string };
  readonly address: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
  get(path: string): Promise<Response>;
  json<T>(path: string): Promise<T>;
  /** Ends it as Ctrl-C does, and answers with its exit code. */
  stop(): Promise<number | null>;
}

const started = new Set<ChildProcess>();

/** Whatever a test that failed has left behind. */
export function killStarted(): void {
  for (const child of started) child.kill('SIGKILL');
}

export function killLater<T extends ChildProcess>(child: T): T {
  started.add(child);
  child.on('close', () => started.delete(child));
  return child;
}

/** The built `assay view`, or whatever prints an address first. */
export async function startView(
  cwd: string,
  args: readonly string[] = [],
  { command = ['view', '--port', '0'] }: { readonly command?: readonly string[] } = {},
): Promise<RunningView> {
  const child = spawn(process.execPath, [CLI, ...command, ...args], {
    cwd,
    env: { ...process.env, CI: 'false', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killLater(child);
  const printed = { stdout: '', stderr: '' };
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = /^http:\S+$/m.exec(printed.stdout) ?? /^http:\S+$/m.exec(printed.stderr);
      if (found !== null) resolve(found[0]);
    };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text;
        look();
      });
    child.on('close', () => reject(new Error(`it ended:\n${printed.stdout}${printed.stderr}`)));
  });
  const url = new URL(address);
  const token = url.searchParams.get('token')!;
  const get = (path: string): Promise<Response> =>
    fetch(`${url.origin}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return {
    child,
    printed,
    address,
    origin: url.origin,
    port: Number(url.port),
    token,
    get,
    json: async <T>(path: string) => (await (await get(path)).json()) as T,
    async stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}
