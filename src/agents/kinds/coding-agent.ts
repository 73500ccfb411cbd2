import { isAbsolute, resolve } from 'node:path';
import type { Json } from '../../base/model/json.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import { findProgram } from '../processes/find-program.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { CLAUDE_CODE } from '../coding/claude-code.ts';
import { CODEX } from '../coding/codex.ts';
import type { CodingProgram } from '../coding/coding-program.ts';
import { GEMINI_CLI } from '../coding/gemini-cli.ts';
import { OPENCODE } from '../coding/opencode.ts';
import {
  argv,
  COMMON,
  CODING_NAMES,
  ignored,
  NO_BATCHES,
  OBSERVED,
  providerOf,
  seconds,
  words,
} from './target-fields.ts';
import { defineTargetKind, type Missing } from './target-kind.ts';

const FIELDS = {
  ...COMMON,
  ...OBSERVED,
  provider: { schema: words, doc: '`claude-code`, `codex`, `gemini-cli` or `opencode`.' },
  model: {
    schema: words,
    doc: "The model, under the name that the program uses. Default: the program's choice.",
  },
  allowed_tools: {
    schema: list(words),
    doc: 'The tools that it may use without asking, under the names that the program uses. Not for `codex`.',
    aliases: { allowedTools: list(words) },
  },
  cwd: {
    schema: words,
    doc: 'The folder that it works in, relative to the folder of the config, which is the default.',
    aliases: { workspace: words },
    twice: 'error',
  },
  args: { schema: list(text()), doc: 'More arguments for the program.' },
  command: {
    schema: byType({ string: words, array: argv }),
    doc: 'Where the program is, or a list: a program and its first arguments. Default: its name, looked for on the PATH.',
    aliases: { executable: words },
  },
  log_dir: { schema: ignored, doc: 'AgentV: has no effect, a run keeps what the program printed.' },
  stream_log: { schema: ignored, doc: 'AgentV: has no effect.' },
  timeout_seconds: {
    schema: seconds,
    doc: 'How long one step may take.',
    aliases: { timeoutSeconds: seconds, timeout: seconds },
  },
  ...NO_BATCHES,
} as const;

/** Instructions, skills and settings that coding agents look for in their folder, and above it. */
export const INSTRUCTIONS = [
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.agents',
  '.claude',
  '.codex',
  '.gemini',
  '.mcp.json',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
];

export const claudeCode = codingAgentKind(CLAUDE_CODE, { model: 'sonnet', allowed_tools: ['Bash', 'Read'] });
export const codex = codingAgentKind(CODEX, { args: ['--sandbox', 'read-only'] });
export const geminiCli = codingAgentKind(GEMINI_CLI, { allowed_tools: ['run_shell_command'] });
export const opencode = codingAgentKind(OPENCODE, { model: 'anthropic/claude-haiku-4-5' });

/** `provider: claude-code` and the like: a coding agent that is installed on this machine. */
function codingAgentKind(program: CodingProgram, example: Readonly<Record<string, Json>>) {
  return defineTargetKind({
    name: program.provider,
    providers: [program.provider, ...otherNames(program.provider)],
    schema: refine(
      object(FIELDS, {
        what: `a target of the provider ${program.provider}`,
        refused: { with: 'use `model` and `args`' },
      }),
      (target: Json, reader: Reader) => checkAllowedTools(program, target, reader),
    ),
    matches: (target) => providerOf(target) === program.provider,
    async create(target, { cwd: folder, env, observe }) {
      const missing = findMissing(program, target, { env, folder });
      if (missing !== undefined) throw new AgentSetupError(missing.message);
      const { createCodingAgent } = await import('../coding/coding-agent.ts');
      return createCodingAgent(program, {
        name: target.name,
        command: commandOf(program, target, folder),
        model: target.model,
        allowedTools: target.allowed_tools,
        args: target.args ?? [],
        cwd: resolve(folder, target.cwd ?? '.'),
        timeoutMs: target.timeout_seconds === undefined ? undefined : target.timeout_seconds * 1000,
        workers: target.workers,
        env,
        observe,
      });
    },
    withArgs: (target, args) => ({
      ...target,
      args: [...((target['args'] as string[] | undefined) ?? []), ...args],
    }),
    startsProgram: () => true,
    findMissing: (target, { env, folder }) => findMissing(program, target, { env, folder }),
    code: ({ command = [] }) => [{ words: [command].flat() }],
    reads: ({ cwd }) => ({ folder: cwd, names: INSTRUCTIONS }),
    examples: [{ name: 'coder', provider: program.provider, command: './agent', ...example }],
  });
}

function otherNames(provider: string): readonly string[] {
  return Object.keys(CODING_NAMES).filter((name) => CODING_NAMES[name] === provider);
}

interface CodingTarget {
  readonly command?: string | readonly string[];
  readonly cwd?: string;
}

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Of the config. */
  readonly folder: string;
}

/** The program is started in another folder than the one its path is relative to. */
function commandOf(program: CodingProgram, { command }: CodingTarget, folder: string): readonly string[] {
  const [first = program.program, ...others] = [command ?? []].flat();
  const isPath = first.includes('/') && !isAbsolute(first);
  return [isPath ? resolve(folder, first) : first, ...others];
}

function findMissing(
  program: CodingProgram,
  target: CodingTarget,
  { env, folder }: Machine,
): Missing | undefined {
  const code = 'target_setup';
  const { command } = target;
  const started = commandOf(program, target, folder);
  if (command === undefined && findProgram(started[0]!, { env, cwd: folder }) === undefined)
    return {
      code,
      message: `${program.program} is not installed: ${program.install}, or set \`command\``,
      isLocal: true,
    };
  const missing = findMissingProgram(started, { env, cwd: resolve(folder, target.cwd ?? '.') });
  if (missing === undefined) return undefined;
  const isLine = typeof command === 'string' && /\s/.test(command);
  const hint = isLine ? ': write `command` as a list, `[program, argument]`' : '';
  return { code, ...missing, message: missing.message + hint };
}

/** A list that nothing keeps would be read as a limit. */
function checkAllowedTools({ noAllowedTools }: CodingProgram, target: Json, reader: Reader): void {
  if (noAllowedTools === undefined) return;
  for (const key of ['allowed_tools', 'allowedTools'])
    if (given(target, key)) reader.error({ code: 'allowed_tools', message: noAllowedTools, at: [key] });
}
