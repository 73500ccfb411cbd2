import { isAbsolute, resolve } from 'node:path';
import { object } from '../../base/schema/object.ts';
import { byType } from '../../base/schema/by-type.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { findProgram } from '../processes/find-program.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import { INSTRUCTIONS } from './coding-agent.ts';
import { argv, COMMON, ignored, NO_BATCHES, OBSERVED, providerOf, seconds, words } from './target-fields.ts';
import {
  defineTargetKind,
  type AnyTarget,
  type Missing,
  type SetupPlace,
  type TargetKind,
} from './target-kind.ts';

const FIELDS = {
  ...COMMON,
  ...OBSERVED,
  provider: { schema: words, doc: '`acp`.' },
  command: {
    schema: byType({ string: words, array: argv }),
    doc: 'The program that speaks ACP over stdin and stdout, as a list: `[gemini, --acp]`.',
    missing: 'missing_command',
  },
  model: {
    schema: words,
    doc: "The model, under the id that the program uses. Default: the program's choice.",
  },
  mode: { schema: words, doc: 'The mode of the session, under the id that the program uses.' },
  auth: { schema: words, doc: 'The id of the way to log in, for programs that need `authenticate`.' },
  cwd: {
    schema: words,
    doc: 'The folder that it works in, relative to the folder of the config, which is the default.',
    aliases: { workspace: words },
    twice: 'error',
  },
  timeout_seconds: { schema: seconds, doc: 'How long one step may take.', aliases: { timeout: seconds } },
} as const;

const REFUSED = { with: 'use `model`, `mode` and the arguments in `command`', args: 'add them to `command`' };

/** `provider: acp`: any agent that speaks the Agent Client Protocol. */
export const acp = defineTargetKind({
  name: 'acp',
  providers: ['acp'],
  schema: object(FIELDS, { what: 'a target of the provider acp', refused: REFUSED }),
  matches: (target) => providerOf(target) === 'acp',
  ...acpKind(),
  examples: [{ name: 'coder', provider: 'acp', command: ['./agent', '--acp'] }],
});

/** `provider: copilot`: GitHub Copilot CLI, over ACP. */
export const copilot = defineTargetKind({
  name: 'copilot',
  providers: ['copilot'],
  schema: object(
    {
      ...FIELDS,
      provider: { schema: words, doc: '`copilot`.' },
      command: {
        schema: byType({ string: words, array: argv }),
        doc: 'Its program with the arguments, as a list. Default: `[copilot, --acp]`.',
      },
      log_dir: { schema: ignored, doc: 'AgentV: has no effect, a run keeps what the program printed.' },
      stream_log: { schema: ignored, doc: 'AgentV: has no effect.' },
      ...NO_BATCHES,
    },
    {
      what: 'a target of the provider copilot',
      refused: { ...REFUSED, executable: 'use `command`, a list that ends with `--acp`' },
    },
  ),
  matches: (target) => providerOf(target) === 'copilot',
  ...acpKind({
    command: ['copilot', '--acp'],
    install: 'npm i -g @github/copilot',
    instructions: ['.github/copilot-instructions.md', '.github/instructions'],
  }),
  examples: [{ name: 'coder', provider: 'copilot', command: ['./agent', '--acp'] }],
});

/** What a program is started with where its targets do not say. */
interface Preset {
  readonly command: readonly string[];
  /** How to get it. */
  readonly install: string;
  readonly instructions: readonly string[];
}

function acpKind(preset?: Preset) {
  return {
    async create(target, { cwd: folder, env, observe }) {
      const missing = findMissing(target, { env, folder, preset });
      if (missing !== undefined) throw new AgentSetupError(missing.message);
      const { createAcpAgent } = await import('../coding/acp-agent.ts');
      return createAcpAgent({
        name: target.name,
        command: commandOf(target, { folder, preset }),
        model: target.model,
        mode: target.mode,
        auth: target.auth,
        cwd: resolve(folder, target.cwd ?? '.'),
        timeoutMs: target.timeout_seconds === undefined ? undefined : target.timeout_seconds * 1000,
        workers: target.workers,
        env,
        observe,
      });
    },
    withArgs: (target, args) => {
      const { command = preset?.command } = target as { readonly command?: string | readonly string[] };
      return { ...target, command: [...[command ?? []].flat(), ...args] };
    },
    startsProgram: () => true,
    findMissing: (target, { env, folder }) => findMissing(target, { env, folder, preset }),
    code: ({ command = [] }) => [{ words: [command].flat() }],
    reads: ({ cwd }) => ({ folder: cwd, names: [...INSTRUCTIONS, ...(preset?.instructions ?? [])] }),
  } satisfies Partial<TargetKind<AcpTarget>>;
}

interface AcpTarget extends AnyTarget {
  readonly command?: string | readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly mode?: string | undefined;
  readonly auth?: string | undefined;
  readonly cwd?: string | undefined;
  readonly timeout_seconds?: number | undefined;
}

interface Machine extends Pick<SetupPlace, 'env' | 'folder'> {
  readonly preset: Preset | undefined;
}

/** The program is started in another folder than the one its path is relative to. */
function commandOf(
  { command }: AcpTarget,
  { folder, preset }: Pick<Machine, 'folder' | 'preset'>,
): readonly string[] {
  const [first = '', ...others] = [command ?? preset?.command ?? []].flat();
  const isPath = first.includes('/') && !isAbsolute(first);
  return [isPath ? resolve(folder, first) : first, ...others];
}

function findMissing(target: AcpTarget, { env, folder, preset }: Machine): Missing | undefined {
  const code = 'target_setup';
  const cwd = resolve(folder, target.cwd ?? '.');
  const started = commandOf(target, { folder, preset });
  if (target.command === undefined && findProgram(started[0]!, { env, cwd: folder }) === undefined)
    return {
      code,
      message: `${started[0]} is not installed: ${preset!.install}, or set \`command\``,
      isLocal: true,
    };
  const missing = findMissingProgram(started, { env, cwd });
  if (missing === undefined) return undefined;
  const isLine = typeof target.command === 'string' && /\s/.test(target.command);
  const hint = isLine ? ': write `command` as a list, `[program, argument]`' : '';
  return { code, ...missing, message: missing.message + hint };
}
