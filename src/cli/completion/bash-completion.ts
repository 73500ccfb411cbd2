import type { Option } from '../option.ts';
import type { CommandDefinition } from '../options.ts';
import { choicesOf, flagsOf } from './completed-options.ts';

/** A script for `source <(assay completion bash)`. */
export function bashCompletion(commands: Readonly<Record<string, CommandDefinition>>): string {
  const cases = Object.entries(commands).flatMap(([name, { options, words = [] }]) => [
    `    ${name})`,
    `      case "$previous" in`,
    ...Object.entries(options).flatMap(([option, definition]) => valueCase(option, definition)),
    '      esac',
    `      words=${quote(words.join(' '))}`,
    `      flags=${quote(
      Object.entries(options)
        .flatMap(([option, each]) => flagsOf(option, each))
        .join(' '),
    )} ;;`,
  ]);
  return `# bash completion for assay: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words='' flags=''
  # bash splits words at "=".
  if [[ $current == = ]]; then current=''
  elif [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W ${quote(`${Object.keys(commands).join(' ')} --help --version`)} -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    help) words=${quote(Object.keys(commands).join(' '))} ;;
  esac
  # Options are offered once a dash is typed.
  if [[ $current == -* ]]; then words+=" $flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* ]]; then
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _assay assay
`;
}

function valueCase(name: string, option: Option): readonly string[] {
  if (option.takes === 'nothing' || option.takes === 'maybe a number') return [];
  const choices = choicesOf(name, option);
  const own = option.takes === 'maybe a value' ? [`--${name}`] : flagsOf(name, option);
  // Any text, most often a path.
  if (choices === undefined)
    return option.takes === 'maybe a value'
      ? []
      : [`        ${own.join('|')}) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); return ;;`];
  return [
    `        ${own.join('|')}) COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$current")); return ;;`,
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
