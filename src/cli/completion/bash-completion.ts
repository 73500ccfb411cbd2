import type { Option } from '../option.ts';
import type { CommandDefinition } from '../options.ts';
import { completedValue, flagsOf, takesNextWord } from './completed-options.ts';

/**
 * A script for `source <(assay completion bash)`. Where it offers nothing, bash itself completes file names: it knows
 * how to quote them.
 */
export function bashCompletion(commands: Readonly<Record<string, CommandDefinition>>): string {
  const names = Object.keys(commands).join(' ');
  const cases = Object.entries(commands).flatMap(([name, { options, words = [] }]) => [
    `    ${name})`,
    `      words=${quote(words.join(' '))}`,
    `      flags=${quote(
      Object.entries(options)
        .flatMap(([option, each]) => flagsOf(option, each))
        .join(' '),
    )}`,
    `      case "$option" in`,
    ...Object.entries(options).flatMap(([option, definition]) => valueCase(option, definition)),
    '      esac ;;',
  ]);
  return `# bash completion for assay: source <(assay completion bash)
_assay() {
  COMPREPLY=()
  # Bash splits words at "=" and ":". Here they are whole again.
  local line=$COMP_LINE rest part index
  local -a whole
  for (( index = 0; index <= COMP_CWORD; index++ )); do
    part=\${COMP_WORDS[index]} rest=\${line#"\${line%%[![:space:]]*}"}
    if (( index > 0 )) && [[ $rest == "$line" && -n $part ]]; then whole[\${#whole[@]}-1]+=$part
    else whole+=("$part"); fi
    line=\${rest#"$part"}
  done
  local current=\${whole[\${#whole[@]}-1]} last=\${COMP_WORDS[COMP_CWORD]} quoted='' option='' value='' words='' flags=''
  case "$last" in =|:) last='' ;; esac
  # Bash replaces only what follows the last of these characters.
  local kept=\${current%"$last"}
  case "$current" in \\'*|\\"*) quoted=1 current=\${current:1} ;; *) current=\${current//\\\\/} kept=\${kept//\\\\/} ;; esac
  local count=\${#whole[@]}
  if (( count == 2 )); then
    _assay_offer "$current" ${quote(`${names} help --help --version`)}
    return
  fi
  for (( index = 2; index < count - 1; index++ )); do
    # What follows "--" are paths.
    if [[ \${whole[index]} == -- ]]; then return; fi
  done
  case "$current" in
    --*=*) option=\${current%%=*}= value=\${current#*=} ;;
    *) option=\${whole[count-2]} value=$current ;;
  esac
  case "\${whole[1]}" in
${cases.join('\n')}
    help) words=${quote(names)} ;;
  esac
  # Options are offered once a dash is typed.
  if [[ $current == -* ]]; then words=$flags; fi
  _assay_offer "$current" "$words"
}
# The words that begin with a text.
_assay_offer() {
  local word
  for word in $2; do
    if [[ $word == "$1"* ]]; then _assay_add "$word"; fi
  done
}
_assay_add() {
  local word=\${1#"$kept"}
  if [[ -z $quoted ]]; then printf -v word %q "$word"; fi
  COMPREPLY+=("$word")
}
# The targets of the project: the last of a list such as "fast,sm".
_assay_targets() {
  local typed=\${value##*,} before='' name
  if [[ $value == *,* ]]; then before=\${value%,*},; fi
  case "$option" in *=) before=$option$before ;; esac
  while IFS= read -r name; do
    if [[ $name == "$typed"* ]]; then _assay_add "$before$name"; fi
  done < <(_assay_print targets)
}
# "npx assay" works where no assay is installed for all projects.
_assay_print() {
  local program=\${COMP_WORDS[0]/#\\~/$HOME}
  if type "$program" >/dev/null 2>&1; then "$program" completion "$1"
  else npx --no-install assay completion "$1"; fi 2>/dev/null
}
complete -o bashdefault -o default -F _assay assay
# "npx assay run": what follows is completed as after "assay". Everything else is left to who completed it before.
_assay_npx() {
  local first=1
  while [[ \${COMP_WORDS[first]} == -* ]]; do (( first++ )); done
  if [[ \${COMP_WORDS[first]} == assay ]] && (( COMP_CWORD > first )); then
    COMP_LINE=assay\${COMP_LINE#*assay}
    COMP_WORDS=("\${COMP_WORDS[@]:first}")
    (( COMP_CWORD -= first ))
    _assay
  elif [[ -n $_assay_npx_before ]]; then "$_assay_npx_before" "$@"; fi
}
_assay_npx_found=$(complete -p npx 2>/dev/null)
case "$_assay_npx_found" in
  *'-F _assay_npx'*) ;;
  *'-F '*) _assay_npx_found=\${_assay_npx_found#*-F } _assay_npx_before=\${_assay_npx_found%% *} ;;
esac
complete -o bashdefault -o default -F _assay_npx npx
`;
}

function valueCase(name: string, option: Option): readonly string[] {
  if (option.takes === 'nothing' || option.takes === 'maybe a number') return [];
  const patterns = [`--${name}=`, ...(takesNextWord(option) ? flagsOf(name, option) : [])].join('|');
  return [`        ${patterns}) ${offer(name, option)} return ;;`];
}

function offer(name: string, option: Option): string {
  const completed = completedValue(name, option);
  switch (completed.kind) {
    case 'targets':
      return '_assay_targets;';
    case 'choices':
    case 'reporters':
      return `_assay_offer "$value" ${quote(completed.choices.join(' '))};`;
    default:
      return '';
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
