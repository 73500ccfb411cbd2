import { basename, extname } from 'node:path';
import { namedPaths, staticPart, type NamedPath, type NamedStart } from './named-paths.ts';

const SHELL = /\.(?:sh|bash|zsh)$/i;
/** Files of code, in a language whose texts are searched. */
export const CODE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh)$/i;
/** A list of prompts, or settings with folders: each value may be a path. */
const MANIFEST = /\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|properties|mk)$/i;
/** Prose mentions many files; a template includes some. */
const TEMPLATE =
  /\.(?:md[cx]?|markdown|txt|prompt|j2|jinja2?|hbs|handlebars|mustache|ejs|njk|liquid|html?|tmpl|tpl)$/i;
/** They name what a package consists of, not what an agent reads. */
const OF_TOOLS =
  /^(?:package(?:-lock)?|tsconfig.*|jsconfig|composer|pnpm-lock|\.?eslintrc|biome)\.(?:jsonc?|ya?ml)$/i;
const WORD = /[^\s"'`;|&<>()[\]=,]+/g;
/** `>> log.txt`, `tee -a log.txt`, `-o log.txt`. */
const WRITTEN_BEFORE =
  /(?:>|\btee\b(?:\s+-\w+)*|\s(?:-o|--out(?:put)?))[\s=]*["']?(?:\$\w+|\$\{\w+\})?["']?$/;
/** `$HERE/prompts`, `${HERE}/prompts`, `$(dirname "$0")/prompts`: what follows. */
const VARIABLE_START = /^(?:\$\w+|\$?\{+[^}]*\}+|\$0)[\\/]/;
const SPEAKS_OF_PATHS = /path|dir|folder|root|glob|file|template|prompt/i;
const INCLUDES =
  /(?:include|import|extends|embed|from|render|partial)\W+["']?([\w./-]+)|\{\{[#~]?>\s*["']?([\w./-]+)|(?:^|\s)@([\w./-]+\.\w+)/g;

/** The paths that the text of a file may name, by the kind of the file. */
export function namesInFile(
  file: string,
  text: string,
  isWanted: (start: NamedStart) => boolean,
): readonly NamedPath[] {
  const isProgram =
    extname(file) === '' && (text.startsWith('#!') || /^(?:make|just)file$/i.test(basename(file)));
  if (SHELL.test(file) || isProgram)
    return [...namedPaths(text, isWanted), ...wordsIn(text).filter(isWanted)];
  if (CODE.test(file)) return namedPaths(text, isWanted);
  if (MANIFEST.test(file)) return OF_TOOLS.test(basename(file)) ? [] : wordsIn(text).filter(isWanted);
  return TEMPLATE.test(file) ? includesIn(text).filter(isWanted) : [];
}

/** Each word of a command, of a script or of settings. */
export function wordsIn(text: string): readonly NamedPath[] {
  return text.split('\n').flatMap((line) => {
    const speaks = SPEAKS_OF_PATHS.test(line);
    return [...line.matchAll(WORD)].flatMap(({ 0: word, index }) => {
      const known = staticPart(word.replace(VARIABLE_START, '').replace(/:$/, ''));
      if (known === undefined || known.kind === 'suffix') return [];
      const isWritten = (): boolean => WRITTEN_BEFORE.test(line.slice(0, index));
      // `"$HERE"/prompts` leaves `/prompts`.
      if (known.path.startsWith('/') && known.path.length > 1)
        return [known.path, `.${known.path}`].map((path) => ({ ...known, path, isWritten }));
      const isPath = known.isStart || speaks || /[./\\]/.test(known.path);
      return [{ ...known, kind: isPath ? 'path' : 'word', isWritten }] as const;
    });
  });
}

function includesIn(text: string): readonly NamedPath[] {
  return [...text.matchAll(INCLUDES)].map(([, included, partial, mentioned]) => {
    const path = (included ?? partial ?? mentioned)!;
    // A partial is named without its extension.
    return {
      kind: 'path',
      path,
      isStart: extname(path) === '',
      isWritten: isNotWritten,
    };
  });
}

const isNotWritten = (): boolean => false;
