import { isAbsolute, resolve } from 'node:path';
import { object } from '../../base/schema/object.ts';
import { byType } from '../../base/schema/by-type.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import { INSTRUCTIONS } from './coding-agent.ts';
import { argv, COMMON, OBSERVED, providerOf, seconds, words } from './target-fields.ts';
import { defineTargetKind, type Missing, type SetupPlace } from './target-kind.ts';

/** `provider: acp`: any agent that speaks the Agent Client Protocol. */
export const acp = defineTargetKind({
  name: 'acp',
  providers: ['acp'],
  schema: object(
    {
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
    },
    {
      what: 'a target of the provider acp',
      refused: { with: 'use `model`, `mode` and the arguments in `command`', args: 'add them to `command`' },
    },
  ),
  matches: (target) => providerOf(target) === 'acp',
  async create(target, { cwd: folder, env, observe }) {
    const missing = findMissing(target, { env, folder });
    if (missing !== undefined) throw new AgentSetupError(missing.message);
    const { createAcpAgent } = await import('../coding/acp-agent.ts');
    return createAcpAgent({
      name: target.name,
      command: commandOf(target, folder),
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
  withArgs: (target, args) => ({
    ...target,
    command: [...[target['command'] as string | readonly string[]].flat(), ...args],
  }),
  startsProgram: () => true,
  findMissing,
  code: ({ command }) => [{ words: [command].flat() }],
  reads: ({ cwd }) => ({ folder: cwd, names: INSTRUCTIONS }),
  examples: [{ name: 'coder', provider: 'acp', command: ['./agent', '--acp'] }],
});

interface AcpTarget {
  readonly command: string | readonly string[];
  readonly cwd?: string | undefined;
}

/** The program is started in another folder than the one its path is relative to. */
function commandOf({ command }: AcpTarget, folder: string): readonly string[] {
  const [first = '', ...others] = [command].flat();
  const isPath = first.includes('/') && !isAbsolute(first);
  return [isPath ? resolve(folder, first) : first, ...others];
}

function findMissing(
  target: AcpTarget,
  { env, folder }: Pick<SetupPlace, 'env' | 'folder'>,
): Missing | undefined {
  const cwd = resolve(folder, target.cwd ?? '.');
  const missing = findMissingProgram(commandOf(target, folder), { env, cwd });
  if (missing === undefined) return undefined;
  const isLine = typeof target.command === 'string' && /\s/.test(target.command);
  const hint = isLine ? ': write `command` as a list, `[program, argument]`' : '';
  return { code: 'target_setup', ...missing, message: missing.message + hint };
}
