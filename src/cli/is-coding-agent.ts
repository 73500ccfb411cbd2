import { detectAgent } from 'std-env';
import type { CommandContext } from './command.ts';

/**
 * A coding agent runs this command and reads what it prints, as the environment says (`CLAUDECODE`, `CURSOR_AGENT`,
 * `GEMINI_CLI`, ...). `ASSAY_AGENT` decides if it is set: `0` or `false` says that a person reads.
 */
export function isCodingAgent(env: CommandContext['env']): boolean {
  const decided = env['ASSAY_AGENT']?.trim() ?? '';
  if (decided !== '') return !/^(?:0|false|no|off)$/i.test(decided);
  return detectAgent().name !== undefined;
}
