import type { Option } from '../option.ts';
import type { CommandDefinition } from '../options.ts';
import { choicesOf, flagsOf } from './completed-options.ts';

/** A script for `source <(assay completion zsh)`, or a file `_assay` on the function path. */
export function zshCompletion(commands: Readonly<Record<string, CommandDefinition>>): string {
  const described = Object.entries(commands).map(
    ([name, { summary }]) => `    ${quote(`${name}:${summary.replaceAll(':', String.raw`\:`)}`)}`,
  );
  const cases = Object.entries(commands).map(([name, { options, words }]) => {
    const specs = Object.entries(options).map(([option, definition]) => `      ${spec(option, definition)}`);
    const rest =
      words === undefined
        ? `'*:path:_files'`
        : quote(`*:argument:_alternative "words:word:(${words.join(' ')})" "files:file:_files"`);
    return `    ${name}) _arguments -s \\\n${[...specs, `      ${rest}`].join(' \\\n')} ;;`;
  });
  return `#compdef assay
# zsh completion for assay: source <(assay completion zsh)
_assay() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_assay" ]; then _assay "$@"; else compdef _assay assay; fi
`;
}

function spec(name: string, option: Option): string {
  const doc = option.doc.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const flags = flagsOf(name, option);
  const times = option.takes === 'values' ? '*' : flags.length > 1 ? `(${flags.join(' ')})` : '';
  const names = flags.map((flag) =>
    quote(`${times}${flag}${suffix(option, flag)}[${doc}]${valueSpec(name, option)}`),
  );
  return names.join(' ');
}

function suffix({ takes }: Option, flag: string): string {
  if (takes === 'value' || takes === 'values') return flag.startsWith('--') ? '=' : '+';
  return takes === 'nothing' || !flag.startsWith('--') ? '' : '=-';
}

function valueSpec(name: string, option: Option): string {
  if (option.takes === 'nothing') return '';
  const choices = choicesOf(name, option);
  const colons = option.takes === 'value' || option.takes === 'values' ? ':' : '::';
  const values =
    choices === undefined ? (FILES.test(option.placeholder) ? '_files' : ' ') : `(${choices.join(' ')})`;
  return `${colons}${option.placeholder.replaceAll(':', '')}:${values}`;
}

const FILES = /FILE|DIR|AGENT/;

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
