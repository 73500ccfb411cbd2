import { resolve } from 'node:path';
import type { ScriptRequest, ScriptResult } from '../schema/assertion-kind.ts';
import { ScriptProcess } from './script-process.ts';

export interface ScriptRunnerOptions {
  /** By the command line or the config. */
  readonly isAllowed: boolean;
  /** The suite's folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More names of the environment that scripts get: `scripts.env` in the config. */
  readonly envNames?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const OUTPUT_LIMIT_BYTES = 10 * 1024 * 1024;
const ENV_NAMES = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'];

/** Runs programs that suites name, if that is allowed. They get little of the environment: keys are none of their business. */
export function createScriptRunner(
  options: ScriptRunnerOptions,
): (request: ScriptRequest) => Promise<ScriptResult> {
  const env = reduceEnvironment(options);
  return async (request) => {
    if (!options.isAllowed) {
      throw new Error(
        `the script ${describe(request.script)} may not run: run with --allow-scripts or set scripts.allow in the config`,
      );
    }
    const cwd = resolve(options.cwd, request.cwd ?? '.');
    return runScript(request, { cwd, env, signal: options.signal });
  };
}

function reduceEnvironment({ env, envNames = [] }: ScriptRunnerOptions): NodeJS.ProcessEnv {
  const reduced: NodeJS.ProcessEnv = {};
  for (const name of [...ENV_NAMES, ...envNames]) if (env[name] !== undefined) reduced[name] = env[name];
  return reduced;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

async function runScript(
  { script, stdin, timeoutMs = DEFAULT_TIMEOUT_MS }: ScriptRequest,
  { cwd, env, signal }: RunOptions,
): Promise<ScriptResult> {
  signal.throwIfAborted();
  const running = await start(script, { cwd, env });
  const { stdout, stderr, stdin: input } = running.child;
  const [printed, complaints] = [collect(stdout!), collect(stderr!)];
  input!.end(stdin);
  const limits = watch({ signal, timeoutMs, stdout: stdout! });
  try {
    const problem = await Promise.race([running.ended.then(() => undefined), limits.passed]);
    if (problem === undefined) return { ...(await running.ended), stdout: printed(), stderr: complaints() };
    await running.stop();
    throw new Error(`the script ${describe(script)} ${problem}`);
  } finally {
    limits.clear();
  }
}

async function start(
  script: ScriptRequest['script'],
  options: Pick<RunOptions, 'cwd' | 'env'>,
): Promise<ScriptProcess> {
  const argv = typeof script === 'string' ? ['sh', '-c', script] : script;
  try {
    return await ScriptProcess.start(argv, options);
  } catch (error) {
    throw new Error(
      `the script ${describe(script)} cannot be started in ${options.cwd}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly stdout: NodeJS.ReadableStream;
}

/** Resolves with what ends the script before it ends itself. */
function watch({ signal, timeoutMs, stdout }: Limits): { readonly passed: Promise<string>; clear(): void } {
  let clear!: () => void;
  const passed = new Promise<string>((settle) => {
    const timer = setTimeout(() => settle(`took longer than ${timeoutMs} ms and was stopped`), timeoutMs);
    const onAbort = (): void => settle('was stopped');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let bytes = 0;
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_LIMIT_BYTES)
        settle(`printed more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB and was stopped`);
    });
    clear = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { passed, clear };
}

/** What a stream brings, up to the limit. Bytes, since a chunk may end within a character. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let room = OUTPUT_LIMIT_BYTES;
  stream.on('data', (chunk: Buffer) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function describe(script: ScriptRequest['script']): string {
  const words = typeof script === 'string' ? script : script.join(' ');
  return words.length <= 100 ? words : `${words.slice(0, 100)}...`;
}
