import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { closest } from '../base/schema/did-you-mean.ts';
import { AgentSetupError } from './agent-setup-error.ts';

const FILE = /^(.*\.(?:py|tsx?|[cm]ts|jsx?|[cm]js))(:([\p{L}_$][\p{L}\p{N}_$]*))?$/su;

export interface AgentFile {
  readonly file: string;
  /** `:name`, or nothing. */
  readonly part: string;
  readonly functionName: string | undefined;
}

/** For `agent.py:name`: the file and the function. Undefined for a program, an address or any other text. */
export function splitAgentFile(agent: string): AgentFile | undefined {
  const name = agent.trim();
  const [, file, part = '', functionName] = /^(?:https?:\/\/|cmd:)/i.test(name)
    ? []
    : (FILE.exec(name) ?? []);
  return file === undefined ? undefined : { file, part, functionName };
}

/** The path of an agent's file. Throws an AgentSetupError if there is none. */
export function findAgentFile(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (isFile(path)) return path;
  throw new AgentSetupError(`the agent ${file} does not exist (looked for in ${cwd})`, {
    // `python bot.py`: a command line.
    hint: /^\w+ /.test(file)
      ? `if it is a program, write "cmd: ${file}"`
      : (nearName(path) ?? 'check the path'),
  });
}

/** How to name another function of the file of an agent. Undefined if it has none. */
export function offerFunctions(agent: string, names: readonly string[]): string | undefined {
  const { file = agent } = splitAgentFile(agent) ?? {};
  const ways = names.slice(0, 5).map((name) => (name === 'default' ? file : `${file}:${name}`));
  return ways.length === 0 ? undefined : `use ${ways.join(' or ')}, or name a function \`agent\``;
}

export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** A name may also be too long to look up, or lead through something that is not a folder. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A suggestion for a path that does not exist. */
export function nearName(path: string): string | undefined {
  const folder = dirname(path);
  if (!isFolder(folder)) return `there is no folder ${folder}`;
  const near = closest(basename(path), readdirSync(folder));
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
