import { ownValue } from '../../base/model/json.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import { object } from '../../base/schema/object.ts';
import { argv, COMMON, hasKey, OBSERVED, SETTINGS } from './target-fields.ts';
import { defineTargetKind } from './target-kind.ts';
import { COMMAND_WORDS, isTemplated } from './template-fields.ts';

/** `command: [./my-agent, --flag]`: a program that runs once per step. */
export const command = defineTargetKind({
  name: 'command',
  keys: ['command'],
  schema: object(
    {
      ...COMMON,
      ...OBSERVED,
      ...SETTINGS,
      command: {
        schema: argv,
        doc: 'A program and its arguments; the request is JSON on its stdin.',
        missing: 'missing_command',
      },
    },
    { what: 'a target with `command`' },
  ),
  when: COMMAND_WORDS,
  matches: (target) =>
    isTemplated(target) ? Array.isArray(ownValue(target, 'command')) : hasKey(target, 'command'),
  async create(target, place) {
    const { createCommandAgent } = await import('../command-agent.ts');
    return createCommandAgent(target.command, { ...place, name: target.name });
  },
  withArgs: (target, args) => ({
    ...target,
    command: [...(target['command'] as readonly string[]), ...args],
  }),
  startsProgram: () => true,
  findMissing(target, { env, folder }) {
    const missing = findMissingProgram(target.command, { cwd: folder, env });
    return missing === undefined ? undefined : { code: 'target_setup', ...missing };
  },
  code: (target) => [{ words: target.command }],
  examples: [{ name: 'program', command: ['./agent', '--flag', 'two words'] }],
});
