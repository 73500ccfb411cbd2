import { statSync, type Stats } from 'node:fs';
import { basename, resolve } from 'node:path';
import { findProgram, type ProgramPlace } from './find-program.ts';
import { splitWords } from './split-words.ts';

/** Something a command needs that is missing. */
export interface MissingProgram {
  readonly message: string;
  /** It is looked up on the PATH, so another machine may have it. */
  readonly isLocal: boolean;
}

/**
 * Whether a command can be started: its folder, its program, and the script that an interpreter should run. A shell
 * command is checked only while its first command is plain words: only the shell knows what the rest means.
 */
export function findMissingProgram(
  command: string | readonly string[],
  place: ProgramPlace,
): MissingProgram | undefined {
  if (!isFolder(place.cwd)) return { message: `there is no folder ${place.cwd} to run in`, isLocal: false };
  const argv = typeof command === 'string' ? firstCommand(command) : command;
  const [program, ...words] = argv;
  if (program === undefined) return undefined;
  if (findProgram(program, place) === undefined) {
    const isLocal = !program.includes('/');
    const where = isLocal ? 'on the PATH' : `in ${place.cwd}`;
    return {
      message: `there is no executable program ${JSON.stringify(program)} ${where}`,
      isLocal,
    };
  }
  const script = INTERPRETERS.test(basename(program)) ? findScript(words) : undefined;
  if (script === undefined || isThere(resolve(place.cwd, script))) return undefined;
  return { message: `there is no file ${script} in ${place.cwd}`, isLocal: false };
}

/** The plain words at the start of a shell command; empty if it starts with a shell builtin. */
function firstCommand(line: string): readonly string[] {
  // Inside quotes these would be text: then the quote is not closed, and the line is left to the shell.
  const [command = ''] = line.split(/[|&;<>\n]/, 1);
  const words = [...(splitWords(command) ?? [])];
  while (words[0] !== undefined && /^\w+=/.test(words[0])) words.shift();
  if (words[0] === undefined || SHELL_WORDS.has(words[0])) return [];
  const end = words.findIndex((word) => /[$`(){}*?~#![]/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

const SHELL_WORDS = new Set(
  '. : alias bg break case cd command continue do done echo elif else esac eval exec exit export false fg fi for function getopts hash if in jobs kill local printf pwd read readonly return set shift source test then time times trap true type ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
);

const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|tsx|uv|python|python\d[\d.]*|pypy3?|sh|bash|dash|zsh|ruby|perl|php)$/;
const SCRIPT_FILE = /\.(?:[cm]?[jt]s|[jt]sx|py|sh|bash|rb|pl|php)$/i;
/** The next argument is code or a module, so there is no file. */
const CODE_OPTIONS = /^(?:-[a-zA-Z]*[ecmp]|--eval|--print|--test)$/;
/** The next argument belongs to the option. */
const VALUE_OPTIONS =
  /^(?:-[rCIWXo]|--(?:require|import|loader|experimental-loader|conditions|env-file|preload|title))$/;

/** The file that an interpreter should run, if that is clear. */
function findScript(words: readonly string[]): string | undefined {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (CODE_OPTIONS.test(word)) return undefined;
    if (VALUE_OPTIONS.test(word)) index++;
    else if (word !== 'run' && !word.startsWith('-')) return SCRIPT_FILE.test(word) ? word : undefined;
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined;
}

/** A name may also be too long to look up, or access may be denied. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
