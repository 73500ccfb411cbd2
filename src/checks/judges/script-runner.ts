import { resolve } from 'node:path';
import { lastPrinted } from '../../base/model/last-printed.ts';
import type { ScriptRequest, ScriptResult } from '../contract/script.ts';
import { describeInvalidUtf8 } from '../../base/match/decode-utf8.ts';
import { OUTPUT_LIMIT_BYTES } from '../../agents/processes/limits.ts';
import { runProcess } from '../../agents/processes/run-process.ts';
import { scriptEnvironment } from './script-environment.ts';
import { describeScript, explainRefusal } from './script-refusal.ts';

export interface ScriptRunnerOptions {
  /** Allowed by the command line or the config. */
  readonly isAllowed: boolean;
  /** The suite's folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More environment variables for scripts: `scripts.env` in the config. */
  readonly envNames?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** A script that calls a model waits for its replies, one after the other. */
const ASKING_TIMEOUT_MS = 600_000;

/** Runs programs that suites name, if that is allowed. They get only a small part of the environment, and no keys. */
export function createScriptRunner(
  options: ScriptRunnerOptions,
): (request: ScriptRequest) => Promise<ScriptResult> {
  const env = scriptEnvironment(options.env, options.envNames);
  return async (request) => {
    if (!options.isAllowed) throw new Error(explainRefusal(request.script));
    const cwd = resolve(options.cwd, request.cwd ?? '.');
    if (request.judge === undefined) return runScript(request, { cwd, env, signal: options.signal });
    const { openJudgeProxy } = await import('./judge-proxy.ts');
    const proxy = await openJudgeProxy(request.judge);
    try {
      return await runScript(request, { cwd, env: { ...env, ...proxy.env }, signal: options.signal });
    } finally {
      await proxy.close();
    }
  };
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

async function runScript(
  {
    script,
    stdin,
    judge,
    timeoutMs = judge === undefined ? DEFAULT_TIMEOUT_MS : ASKING_TIMEOUT_MS,
  }: ScriptRequest,
  { cwd, env, signal }: RunOptions,
): Promise<ScriptResult> {
  signal.throwIfAborted();
  const argv = typeof script === 'string' ? ['sh', '-c', script] : script;
  const name = describeScript(script);
  const result = await runProcess(argv, {
    cwd,
    env,
    isExactEnv: true,
    input: stdin,
    signal,
    timeoutMs,
  }).catch((error: Error) => {
    throw new Error(`the script ${name} cannot be started in ${cwd}: ${error.message}`, { cause: error });
  });
  switch (result.ended) {
    case 'exited':
      if (result.invalidStdout !== undefined)
        throw new Error(
          `the script ${name} printed text that is not valid UTF-8: ${describeInvalidUtf8(result.invalidStdout)}`,
        );
      return {
        exitCode: result.code ?? undefined,
        signal: result.signal ?? undefined,
        stdout: result.stdout,
        stderr: result.stderr,
      };
    case 'aborted':
      throw new Error(`the script ${name} was stopped`);
    case 'late':
      throw new Error(
        `the script ${name} took longer than ${timeoutMs} ms and was stopped${lastPrinted(result)}`,
      );
    case 'flooded':
      throw new Error(
        `the script ${name} printed more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB and was stopped`,
      );
  }
}
