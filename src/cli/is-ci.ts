import type { CommandContext } from './command.ts';

export function isCi({ CI }: CommandContext['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== '0' && CI !== 'false';
}
