import type { Option } from '../option.ts';
import type { CommandDefinition } from '../options.ts';
import { choicesOf } from './completed-options.ts';

/** A script for `assay completion fish | source`. */
export function fishCompletion(commands: Readonly<Record<string, CommandDefinition>>): string {
  const names = Object.keys(commands).join(' ');
  const lines = Object.entries(commands).flatMap(([name, { summary, options, words = [] }]) => {
    const condition = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c assay -f -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${quote(summary)}`,
      ...(words.length === 0 ? [] : [`complete -c assay ${condition} -a ${quote(words.join(' '))}`]),
      ...Object.entries(options).map(
        ([option, definition]) => `complete -c assay ${condition} ${spec(option, definition)}`,
      ),
    ];
  });
  return `# fish completion for assay: assay completion fish | source\n${lines.join('\n')}\n`;
}

function spec(name: string, option: Option): string {
  const choices = choicesOf(name, option);
  const parts = [
    option.short === undefined ? '' : `-s ${option.short}`,
    `-l ${name}`,
    option.takes === 'value' || option.takes === 'values' ? '-r' : '',
    choices === undefined ? '' : `-f -a ${quote(choices.join(' '))}`,
    `-d ${quote(option.doc)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** In single quotes, fish reads only \`\\\\\` and \`\\'\` as escapes. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
