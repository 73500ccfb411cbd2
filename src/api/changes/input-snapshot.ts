import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Agent } from '../../agents/contract.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { lookAt, stateOf, UNCLEAR } from '../../base/files/file-look.ts';
import { isCode, isFile } from '../../base/files/listed-files.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { LookKind, SeenInputs } from '../../base/model/seen-inputs.ts';

/** By `kind path`, from the project's root. */
export type States = Readonly<Record<string, string>>;

/** The files behind some results, as they were. */
export interface InputSnapshot {
  readonly states: States;
  /** What changed while the code ran, and was not seen to be written by it. */
  readonly changing: readonly string[];
  /** The variables that were read, and what identifies their values. */
  readonly variables?: { readonly names: readonly string[]; readonly print: string } | undefined;
  /** Why there may be more. */
  readonly unknown?: string | undefined;
}

/** The paths of one state of the project: each is looked at once. */
export class ProjectStates {
  readonly root: string;
  private readonly known = new Map<string, string>();

  constructor(root: string) {
    this.root = root;
  }

  keyOf(kind: LookKind, path: string): string {
    return `${kind} ${relative(this.root, path).split(sep).join('/')}`;
  }

  of(key: string): string {
    let state = this.known.get(key);
    if (state === undefined) this.known.set(key, (state = stateOf(...this.placeOf(key))));
    return state;
  }

  ofFiles(files: readonly string[]): States {
    return Object.fromEntries(
      files.map((file) => {
        const key = this.keyOf('content', file);
        return [key, this.of(key)];
      }),
    );
  }

  placeOf(key: string): [kind: LookKind, path: string] {
    const [, kind = '', path = ''] = /^(\w+) (.*)$/s.exec(key)!;
    return [kind as LookKind, resolve(this.root, path)];
  }
}

/** The state of listed files before and after they were used. What changed meanwhile may be an edit: it counts as not yet seen. */
export function settleListed(before: States, after: States, earlier: ReadonlySet<string>): InputSnapshot {
  const states: Record<string, string> = { ...before };
  const changing = new Set<string>();
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[key] === after[key]) continue;
    // A new file has a name that nobody has seen before: its folder is known.
    const isNew = before[key] === undefined || after[key] === undefined;
    const subjects = isNew ? [key, dirname(key)] : [key];
    for (const subject of subjects) changing.add(subject);
    if (!subjects.some((subject) => earlier.has(subject))) continue;
    // It changed in two runs in a row: the code writes it.
    if (after[key] === undefined) delete states[key];
    else states[key] = after[key];
  }
  return { states, changing: [...changing] };
}

interface Now {
  /** What changed in the run before. */
  readonly earlier: ReadonlySet<string>;
  readonly now: ProjectStates;
  readonly env: Environment;
  /** The paths that any agent of the run was seen to write. */
  readonly written: ReadonlySet<string>;
}

/** What an agent used, now that it has ended. */
export function settleSeen(agents: Iterable<Agent>, { earlier, now, env, written }: Now): InputSnapshot {
  const isOutput = writesOf([...written]);
  const states: Record<string, string> = {};
  const changing = new Set<string>();
  const variables = new Set<string>();
  for (const agent of agents) {
    const seen = agent.inputs?.();
    const reason = seen === undefined ? 'Assay cannot see what it reads' : whyUnknown(seen);
    if (reason !== undefined) return { states: {}, changing: [], unknown: reason };
    for (const name of seen!.variables) variables.add(name);
    const isWritten = writesOf(seen!.written);
    for (const [absolute, look] of Object.entries(seen!.looks)) {
      const [kind, path] = now.placeOf(absolute);
      const key = now.keyOf(kind, path);
      const isSame = isWritten(kind, path) || lookAt(kind, path) === look;
      if (!isSame) changing.add(key);
      // What somebody edited while it ran is looked at again.
      const isKnown = isSame || (earlier.has(key) && isOutput(kind, path));
      const state = isKnown ? now.of(key) : kind === 'content' ? UNSETTLED : look;
      states[key] = (states[key] ?? state) === state ? state : UNSETTLED;
    }
  }
  // Loaders look at what they read: the time of code says nothing more, and a copy of a project has other times.
  for (const key of Object.keys(states))
    if (key.startsWith('stat ') && isCode(key) && states[key.replace('stat ', 'content ')] !== undefined)
      delete states[key];
  const names = [...variables];
  return { states, changing: [...changing], variables: { names, print: printVariables(names, env) } };
}

function whyUnknown({ unseen, looks }: SeenInputs): string | undefined {
  const unclear = Object.values(looks).find((look) => UNCLEAR[look] !== undefined);
  return unseen[0] ?? (unclear && UNCLEAR[unclear]);
}

/** As a hash of all: they may be secrets. */
function printVariables(names: readonly string[], env: Environment): string {
  const all = names.includes('*') ? Object.keys(env).toSorted() : [];
  const read = [...new Set([...READ_BY_ALL, ...names])].filter((name) => !OF_SHELLS.has(name));
  const values = read.toSorted().map((name) => [name, env[name] ?? null]);
  return hashHex(JSON.stringify([all, values])).slice(0, 16);
}

/** Native code looks at them, such as `os.homedir`, and loaders before anybody watches. */
const READ_BY_ALL =
  'HOME USERPROFILE TMPDIR TMP TEMP TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONHOME VIRTUAL_ENV ASSAY_PYTHON'.split(
    ' ',
  );
/** Each command has others, and the working folder is compared on its own. */
const OF_SHELLS = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD']);

/** Nothing is ever in this state. */
const UNSETTLED = 'unsettled';

function writesOf(written: readonly string[]): (kind: LookKind, path: string) => boolean {
  const paths = new Set(written);
  const parents = new Set(written.map((path) => dirname(path)));
  return (kind, path) => {
    if (paths.has(path) || (kind === 'names' && parents.has(path))) return true;
    return kind === 'tree' && written.some((each) => each.startsWith(path + sep));
  };
}

export function isSameState(
  { states, variables }: InputSnapshot,
  now: ProjectStates,
  env: Environment,
): boolean {
  if (variables !== undefined && variables.print !== printVariables(variables.names, env)) return false;
  return Object.entries(states).every(([key, state]) => now.of(key) === state);
}

export function isSameList({ states }: InputSnapshot, listed: States): boolean {
  const keys = Object.keys(states);
  return keys.length === Object.keys(listed).length && keys.every((key) => states[key] === listed[key]);
}

const FILE = 'inputs.json';

/** The snapshots that records of these runs name. */
export function readSnapshots(runs: readonly RunDirectory[]): ReadonlyMap<string, InputSnapshot> {
  return new Map(runs.flatMap(({ path }) => Object.entries(readFile(path))));
}

/** If it cannot be written, the next run calls the agents again. */
export function writeSnapshots(run: string, snapshots: ReadonlyMap<string, InputSnapshot>): void {
  try {
    writeWhole(join(run, FILE), JSON.stringify(Object.fromEntries(snapshots)), {
      mode: 0o600,
    });
  } catch {
    // As above.
  }
}

function readFile(run: string): Readonly<Record<string, InputSnapshot>> {
  try {
    return JSON.parse(readFileSync(join(run, FILE), 'utf8')) as Readonly<Record<string, InputSnapshot>>;
  } catch {
    return {};
  }
}

/** The files outside of the project that somebody may edit. A folder may have all of the disk in it. */
export function outsideOf({ states }: InputSnapshot, places: ProjectStates): readonly string[] {
  return Object.keys(states).flatMap((key) => {
    if (INSTALLED.test(key)) return [];
    const [, path] = places.placeOf(key);
    return relative(places.root, path).startsWith('..') && isFile(path) ? [path] : [];
  });
}

const INSTALLED = /[/\\](?:node_modules|site-packages|dist-packages)[/\\]/;
