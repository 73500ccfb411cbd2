import { readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, join, normalize, relative, sep } from 'node:path';
import { byCodePoint } from '../../base/model/by-code-point.ts';
import type { Finding } from '../../base/model/finding.ts';
import { closest } from '../../base/schema/did-you-mean.ts';
import { harborFinding, isHarborTask } from './harbor-tasks.ts';
import { notReadFindings } from './not-read.ts';
import { findProjectRoot, isLinkOutside, leavesProject, rootForSuite } from './project-root.ts';
import { fileFinding, outsideProject } from './read-suite-file.ts';
import { withoutSidecars } from './sidecars.ts';

/** An argument that names no file, or a folder that cannot be searched. */
interface UnmatchedArgument {
  readonly argument: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface Discovery {
  /** In code point order, each once. */
  readonly files: readonly string[];
  readonly unmatched: readonly UnmatchedArgument[];
  /** Files that an argument names directly, not through a folder. */
  readonly named: ReadonlySet<string>;
  /** Files in the searched folders with the extension of a suite, but not its name. */
  readonly passedOver: readonly string[];
  /** Folders of another tool. */
  readonly harborTasks: readonly string[];
}

/** The suite files that paths, globs or parts of names match. Without arguments, those of the current folder. */
export async function discover(paths: readonly string[]): Promise<Discovery> {
  const files = new Set<string>();
  const named = new Set<string>();
  const unmatched: UnmatchedArgument[] = [];
  const passedOver = new Set<string>();
  const harborTasks: string[] = [];
  for (const argument of paths.length === 0 ? ['.'] : paths) {
    const kind = kindOfPath(argument);
    if (kind !== undefined && leadsOutside(argument)) unmatched.push(linkOutside(argument));
    else if (kind === 'folder')
      for (const file of findSuites(argument, { unreadable: unmatched, passedOver, harborTasks }))
        files.add(file);
    else if (kind === 'file') {
      const file = normalize(argument);
      named.add(file);
      files.add(file);
    } else {
      const matches = await matchArgument(argument);
      if (matches.length === 0) unmatched.push(explainUnmatched(argument));
      for (const file of matches) {
        if (leadsOutside(file)) unmatched.push(linkOutside(file));
        else files.add(file);
      }
    }
  }
  return {
    files: withoutSidecars([...files].sort(byCodePoint)),
    unmatched,
    named,
    passedOver: [...passedOver].filter((file) => !files.has(file)).sort(byCodePoint),
    harborTasks: harborTasks.sort(byCodePoint),
  };
}

/** Whether these arguments find a file, or would if it still existed. Globs find only what exists. */
export function isSuiteOf(paths: readonly string[], file: string): boolean {
  const isBelow = (folder: string): boolean => {
    const way = relative(folder, file).split(sep);
    return way[0] !== '..' && way.every((name) => name !== 'node_modules' && !name.startsWith('.'));
  };
  return (paths.length === 0 ? ['.'] : paths).some((argument) => {
    if (normalize(argument) === file) return true;
    if (!isSuiteName(basename(file))) return false;
    const isFolder = kindOfPath(argument) === 'folder';
    return isBelow(isFolder ? argument : '.') && (isFolder || file.includes(argument.split('/').join(sep)));
  });
}

const SUITE_NAMES = [
  /\.(?:test|eval)\.(?:yaml|yml|json|jsonl)$/i,
  /^EVAL\.yaml$/,
  /^dataset.*\.(?:yaml|yml|jsonl)$/i,
];
export const SUITE_EXTENSIONS = /\.(?:yaml|yml|json|jsonl)$/i;

const BASELINE_NAME = /\.baseline\.jsonl$/i;

export function isSuiteName(name: string): boolean {
  return !BASELINE_NAME.test(name) && SUITE_NAMES.some((pattern) => pattern.test(name));
}

function mayHoldTests(name: string): boolean {
  return !BASELINE_NAME.test(name) && (SUITE_EXTENSIONS.test(name) || /\.ndjson$/i.test(name));
}

interface SearchNotes {
  readonly unreadable: UnmatchedArgument[];
  readonly passedOver: Set<string>;
  readonly harborTasks: string[];
}

/** Every suite below a folder. `node_modules` and folders that start with a dot are left out. */
function findSuites(
  folder: string,
  { unreadable, passedOver, harborTasks }: SearchNotes = {
    unreadable: [],
    passedOver: new Set(),
    harborTasks: [],
  },
): string[] {
  const found: string[] = [];
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    const entries = entriesOf(current, unreadable);
    if (isHarborTask(entries.map(({ name }) => name))) harborTasks.push(current);
    for (const entry of entries) {
      const path = join(current, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) folders.push(path);
      } else if (isSuiteName(entry.name) && !isLinkedFolder(path, entry)) {
        if (entry.isSymbolicLink() && isLinkOutside(path)) unreadable.push(linkOutside(path));
        else found.push(path);
      } else if (entry.isFile() && mayHoldTests(entry.name)) passedOver.add(path);
    }
  }
  return found;
}

/** A link of another user could show lines of any file that we can read. */
function leadsOutside(path: string): boolean {
  return leavesProject(path, rootForSuite(path, findProjectRoot(process.cwd())));
}

function linkOutside(argument: string): UnmatchedArgument {
  const { code, message, hint = '' } = outsideProject(argument);
  return { argument, code, message, hint };
}

function entriesOf(folder: string, unreadable: UnmatchedArgument[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const message = `the folder cannot be read: ${(error as Error).message}`;
    unreadable.push({
      argument: folder,
      code: 'no_such_file',
      message,
      hint: 'make it readable, or name other paths',
    });
    return [];
  }
}

/** A dangling link or a FIFO with the name of a suite counts as one: reading it reports what is wrong. */
function isLinkedFolder(path: string, entry: Dirent): boolean {
  return entry.isSymbolicLink() && kindOfPath(path) === 'folder';
}

/** Everything that exists and is not a folder counts as a file: reading it reports what is wrong. */
function kindOfPath(path: string): 'file' | 'folder' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

function isGlob(argument: string): boolean {
  return /[*?[\]{}!]/.test(argument);
}

async function matchArgument(argument: string): Promise<readonly string[]> {
  if (isGlob(argument)) {
    const { glob } = await import('tinyglobby');
    const namesPackages = argument.includes('node_modules');
    const found = await glob(argument, {
      ignore: namesPackages ? [] : ['**/node_modules/**'],
      dot: false,
      expandDirectories: false,
    });
    // Outside of the current folder the glob's own `ignore` does not match them.
    const isWanted = (path: string): boolean =>
      SUITE_EXTENSIONS.test(path) && (namesPackages || !path.split(sep).includes('node_modules'));
    return found.map((path) => normalize(path)).filter(isWanted);
  }
  if (argument === '') return [];
  const part = argument.split('/').join(sep);
  return findSuites('.').filter((file) => file.includes(part));
}

function explainUnmatched(argument: string): UnmatchedArgument {
  const near = closest(argument, findSuites('.'));
  return {
    argument,
    code: 'no_such_file',
    message: isGlob(argument)
      ? `no suite matches the glob "${argument}"`
      : `"${argument}" is not a file or folder, and no suite path contains it`,
    hint:
      near === undefined
        ? 'suites are found by name: *.test.yaml, *.eval.yaml, EVAL.yaml, dataset*.jsonl, ...'
        : `did you mean "${near}"?`,
  };
}

/** What is wrong with the arguments of a search, and files that look like a suite or a config but were not read. */
export function discoveryFindings({ unmatched, passedOver, files, harborTasks }: Discovery): Finding[] {
  const [task] = harborTasks;
  return [
    ...unmatched.map(({ argument, code, message, hint }) => fileFinding(argument, code, message, hint)),
    ...(task === undefined
      ? []
      : [
          {
            ...harborFinding(task, harborTasks.length),
            severity: files.length === 0 ? ('error' as const) : ('warning' as const),
          },
        ]),
    ...notReadFindings(passedOver, files),
  ];
}
