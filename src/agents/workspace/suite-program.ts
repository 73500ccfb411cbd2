import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { AgentError } from '../../evidence/reply/agent-error.ts';
import { lastLines } from '../processes/capture.ts';
import { describeExit, runProcess } from '../processes/run-process.ts';
import { removeContainer } from './docker.ts';
import { ensureFolder, type TearDown } from './workspace-store.ts';

export const SETUP_LIMIT_MS = 300_000;

export interface SuiteProgram {
  readonly what: 'setup' | 'teardown';
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs `setup` or `teardown` to its end, and ends what it left behind. Throws an AgentError that says what went wrong. */
export async function runSuiteProgram({
  what,
  argv,
  cwd,
  env,
  timeoutMs,
  signal,
}: SuiteProgram): Promise<string> {
  const problem = (why: string, printed = ''): AgentError => {
    const said = lastLines(printed);
    return new AgentError(
      'workspace',
      `\`${what}\` (${argv.join(' ')}) ${why}${said === '' ? '' : `:\n${said}`}`,
      { printed },
    );
  };
  const result = await runProcess(argv, { cwd, env, input: '', signal, timeoutMs }).catch((error: Error) => {
    throw problem(`cannot be started: ${error.message}`);
  });
  if (result.ended === 'aborted') throw signal.reason;
  if (result.ended === 'late')
    throw problem(`took longer than ${timeoutMs / 1000} s (timeouts.setup)`, result.stderr);
  if (result.ended !== 'exited') throw problem('printed too much');
  const failure = describeExit(result);
  if (failure !== undefined) throw problem(failure, result.stderr || result.stdout);
  return result.stdout;
}

/** The JSON object in the last line of what `setup` printed. Any other line says nothing. */
export function printedVars(stdout: string): JsonObject {
  const last = stdout.trimEnd().split('\n').at(-1)?.trim() ?? '';
  if (!last.startsWith('{')) return {};
  try {
    const value = parseJson(last);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What a killed run could not do any more. A program that fails does not keep the workspace. */
export const tearDownLeft: TearDown = async (
  { teardown = [], env = {}, timeoutMs = SETUP_LIMIT_MS, container },
  folder,
) => {
  if (container !== undefined) await removeContainer(container);
  const cwd = join(folder, 'work');
  if (lstatSync(cwd, { throwIfNoEntry: false }) === undefined) return;
  ensureFolder(cwd);
  const { signal } = new AbortController();
  for (const argv of teardown)
    await runSuiteProgram({ what: 'teardown', argv, cwd, env, timeoutMs, signal }).catch(() => {});
};
