import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { hideCredentials } from '../match/url-credentials.ts';
import { closest } from '../schema/did-you-mean.ts';
import { AgentSetupError } from './agent-setup-error.ts';
import type { Agent } from './contract.ts';
import { findProgram } from '../processes/find-program.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { splitWords } from '../processes/split-words.ts';

/** Makes the agent that `--agent` names. Throws an AgentSetupError that says what to write instead. */
export async function createAgent(spec: string, options: ProcessOptions): Promise<Agent> {
  const name = spec.trim();
  if (/^https?:\/\//i.test(name)) {
    const { createHttpAgent } = await import('./http-agent.ts');
    return createHttpAgent({ ...options, name: hideCredentials(name), url: name });
  }
  const command = /^cmd:(.*)$/s.exec(name)?.[1];
  if (command !== undefined) {
    const { createCommandAgent } = await import('./command-agent.ts');
    return createCommandAgent(readCommand(command, options), { ...options, name });
  }
  const [, file, , inner] = splitAgentFile(name) ?? [];
  if (file === undefined) throw notUnderstood(name, options);
  const path = findFile(file, options.cwd);
  if (file.endsWith('.py')) {
    const { createPythonAgent } = await import('./python-agent.ts');
    return createPythonAgent(path, { ...options, name, functionName: inner });
  }
  const { loadFunctionAgent } = await import('./load-function-agent.ts');
  return loadFunctionAgent(path, { name, exportName: inner });
}

/** Of `agent.py:name`: the file, `:name` and `name`. Undefined for a program or an address. */
export function splitAgentFile(spec: string): readonly (string | undefined)[] | undefined {
  const name = spec.trim();
  return /^(?:https?:\/\/|cmd:)/i.test(name) ? undefined : (FILE.exec(name) ?? undefined);
}

const FILE = /^(.*\.(?:py|ts|mts|js|mjs|cjs))(:([\p{L}_$][\p{L}\p{N}_$]*))?$/su;

function readCommand(line: string, options: ProcessOptions): readonly string[] {
  const words = splitWords(line);
  if (words === undefined)
    throw new AgentSetupError(`a quote is not closed in ${JSON.stringify(line.trim())}`, {
      hint: 'close it, or put a backslash before it',
    });
  const [program] = words;
  if (program === undefined || program === '')
    throw new AgentSetupError('there is no program after "cmd:"', { hint: 'write "cmd: ./my-agent --flag"' });
  if (findProgram(program, options) === undefined) {
    const where = program.includes('/') ? `in ${options.cwd}` : 'on the PATH';
    throw new AgentSetupError(
      `there is no program ${JSON.stringify(program)} ${where} that may be executed`,
      { hint: hintForProgram(program, options) },
    );
  }
  return words;
}

function hintForProgram(program: string, { cwd }: ProcessOptions): string {
  const path = resolve(cwd, program);
  if (!isFile(path))
    return program.includes('/') ? (nearName(path) ?? 'is the path right?') : 'is it installed?';
  return program.includes('/')
    ? `give it the right to run: chmod +x ${program}`
    : `write "cmd: ./${program}"`;
}

function findFile(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (isFile(path)) return path;
  throw new AgentSetupError(`the agent ${file} does not exist (looked for in ${cwd})`, {
    hint: nearName(path) ?? 'is the path right?',
  });
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** A name may also be too long to be looked up, or lead through something that is no folder. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function nearName(path: string): string | undefined {
  const folder = dirname(path);
  if (!isFolder(folder)) return `there is no folder ${folder}`;
  const near = closest(basename(path), readdirSync(folder));
  return near === undefined ? undefined : `did you mean ${near}?`;
}

function notUnderstood(name: string, options: ProcessOptions): AgentSetupError {
  return new AgentSetupError(`${JSON.stringify(name)} is no agent`, { hint: hintFor(name, options) });
}

function hintFor(name: string, options: ProcessOptions): string {
  const usual =
    'an agent is a file (./agent.ts, ./agent.py), a URL (https://...) or a program ("cmd: ./my-agent")';
  if (name === '') return usual;
  if (/^[\w.-]+:\d+(\/|$)/.test(name)) return `did you mean http://${name}?`;
  const [program = ''] = splitWords(name) ?? [];
  if (findProgram(program, options) !== undefined) return `did you mean "cmd: ${name}"?`;
  if (isFile(resolve(options.cwd, name)))
    return `${usual}; this file is none of them, if it is a program write "cmd: ./${name}"`;
  if (isFolder(resolve(options.cwd, name))) return `it is a folder; ${usual}`;
  return usual;
}
