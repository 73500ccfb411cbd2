import { hideCredentials } from '../base/match/url-credentials.ts';
import { shellWord } from '../base/model/shell-word.ts';
import type { CommandContext } from './command.ts';

/** The same command once more, continuing this run. With `--changed`, it runs what this run did not get to anyway. */
export function resumeCommand(
  { argv, program }: Pick<CommandContext, 'argv' | 'program'>,
  runId: string,
): string {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const paths = end === -1 ? [] : argv.slice(end);
  const words = [
    ...options.filter((word) => word !== '--resume' && !word.startsWith('--resume=')),
    ...(options.includes('--changed') ? [] : [`--resume=${runId}`]),
    ...paths,
  ];
  return [program, 'run', ...words.map((word) => shellWord(hideCredentials(word)))].join(' ');
}
