import type { Option } from '../option.ts';
import type { CommandDefinition } from '../options.ts';
import { completedValue, flagsOf, takesNextWord } from './completed-options.ts';

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
        : quote(`*:argument: _alternative "words:word:(${words.join(' ')})" "files:file:_files"`);
    return `    ${name}) _arguments -s \\\n${[...specs, `      ${rest}`].join(' \\\n')} ;;`;
  });
  return `#compdef assay npx
# zsh completion for assay: source <(assay completion zsh)
_assay() {
  local curcontext="$curcontext" program="\${(Q)words[1]/#\\~/$HOME}"
  local -a commands
  commands=(
${described.join('\n')}
    'help:show the options of a command'
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then compadd -- --help --version
    else _describe command commands; fi
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
    help) _describe command commands ;;
  esac
}
# The targets of the project, with commas between them.
_assay_targets() {
  local -a names
  names=("\${(@f)$(_assay_print targets)}")
  compset -P '*,'
  compadd -qS , -- $names
}
# The name of a reporter, a name with a file, or a reporter of the project.
_assay_reporters() {
  if compset -P '*='; then _files
  else _alternative "reporters:reporter:($1)" 'files:file:_files'; fi
}
# "npx assay" works where no assay is installed for all projects.
_assay_print() {
  if whence -- "$program" >/dev/null; then "$program" completion "$1"
  else npx --no-install assay completion "$1"; fi 2>/dev/null
}
# "npx assay run": what follows is completed as after "assay". Everything else is left to who completed it before.
_assay_npx() {
  local first=2
  while [[ $words[first] == -* ]]; do (( first++ )); done
  if [[ $words[first] == assay ]] && (( CURRENT > first )); then
    shift $(( first - 1 )) words
    (( CURRENT -= first - 1 ))
    _assay
  elif [[ -n $_assay_npx_before ]]; then $_assay_npx_before "$@"
  else _default; fi
}
if [ "$funcstack[1]" = "_assay" ]; then
  if [[ $service == npx ]]; then _assay_npx "$@"; else _assay "$@"; fi
else
  if [[ $_comps[npx] != _assay* ]]; then _assay_npx_before=$_comps[npx]; fi
  compdef _assay assay
  compdef _assay_npx npx
fi
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

function suffix(option: Option, flag: string): string {
  if (takesNextWord(option)) return flag.startsWith('--') ? '=' : '+';
  return option.takes === 'nothing' || !flag.startsWith('--') ? '' : '=-';
}

function valueSpec(name: string, option: Option): string {
  if (option.takes === 'nothing') return '';
  const colons = takesNextWord(option) ? ':' : '::';
  return `${colons}${option.placeholder.replaceAll(':', '')}:${values(name, option)}`;
}

function values(name: string, option: Option): string {
  const completed = completedValue(name, option);
  switch (completed.kind) {
    case 'choices':
      return `(${completed.choices.join(' ')})`;
    case 'reporters':
      // With a space before it, zsh adds no arguments of its own.
      return ` _assay_reporters "${completed.choices.join(' ')}"`;
    case 'targets':
      return ' _assay_targets';
    case 'files':
      return '_files';
    default:
      return ' ';
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
