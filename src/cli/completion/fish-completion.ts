import type { Option } from '../option.ts';
import type { CommandDefinition } from '../options.ts';
import { completedValue, takesNextWord } from './completed-options.ts';

/** A script for `assay completion fish | source`. */
export function fishCompletion(commands: Readonly<Record<string, CommandDefinition>>): string {
  const lines = Object.entries(commands).flatMap(([name, { summary, options, words = [] }]) => {
    const condition = `-n '__assay_command ${name}'`;
    return [
      `complete -c assay -f -n __assay_command -a ${name} -d ${quote(summary)}`,
      `complete -c assay -f -n '__assay_command help' -a ${name} -d ${quote(summary)}`,
      ...(words.length === 0 ? [] : [`complete -c assay ${condition} -a ${quote(words.join(' '))}`]),
      ...Object.entries(options).map(
        ([option, definition]) => `complete -c assay ${condition} ${spec(option, definition)}`,
      ),
    ];
  });
  return `# fish completion for assay: assay completion fish | source
# Whether the first word is this command; without a name: whether there is none yet.
function __assay_command
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
function __assay_targets
    set -l words (commandline -opc)
    # "npx assay" works where no assay is installed for all projects.
    if type -q -- $words[1]
        $words[1] completion targets 2>/dev/null
    else
        npx --no-install assay completion targets 2>/dev/null
    end
end
# "npx assay run": what follows is completed as after "assay".
function __assay_npx
    string match -qr -- '^npx( -\\S+)* assay( |$)' (commandline -opc | string join ' ')
end
function __assay_after_npx
    complete -C "assay "(string replace -r -- '^\\s*npx(\\s+-\\S+)*\\s+assay\\s+' '' (commandline -cp))
end
complete -c npx -f -n __assay_npx -a '(__assay_after_npx)'
complete -c assay -f -n __assay_command -l help -d 'show the commands'
complete -c assay -f -n __assay_command -l version -d 'show the version'
complete -c assay -f -n __assay_command -a help -d 'show the options of a command'
${lines.join('\n')}
`;
}

function spec(name: string, option: Option): string {
  const parts = [
    option.short === undefined ? '' : `-s ${option.short}`,
    `-l ${name}`,
    option.alias === undefined ? '' : `-l ${option.alias}`,
    takesNextWord(option) ? '-r' : '',
    values(name, option),
    `-d ${quote(option.doc)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function values(name: string, option: Option): string {
  const completed = completedValue(name, option);
  switch (completed.kind) {
    case 'choices':
      return `-f -a ${quote(completed.choices.join(' '))}`;
    case 'reporters':
      return `-a ${quote(completed.choices.join(' '))}`;
    case 'targets':
      return "-f -a '(__fish_complete_list , __assay_targets)'";
    case 'files':
      return '';
    default:
      return takesNextWord(option) ? '-f' : '';
  }
}

/** In single quotes, fish reads only \`\\\\\` and \`\\'\` as escapes. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
