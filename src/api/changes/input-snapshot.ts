import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Agent } from '../../agents/contract.ts';
import { lookAt, stateOf } from '../../base/files/file-look.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { LookKind } from '../../base/model/seen-inputs.ts';

/** By `kind path`, from the project's root. */
export type States = Readonly<Record<string, string>>;

/** The files behind some results, as they were. */
export interface InputSnapshot {
  readonly states: States;
  /** What changed while the code ran, and was not seen to be written by it. */
  readonly changing: readonly string[];
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
  /** The paths that any agent of the run was seen to write. */
  readonly written: ReadonlySet<string>;
}

/** What an agent used, now that it has ended. */
export function settleSeen(agents: Iterable<Agent>, { earlier, now, written }: Now): InputSnapshot {
  const isOutput = writesOf([...written]);
  const states: Record<string, string> = {};
  const changing = new Set<string>();
  for (const agent of agents) {
    const seen = agent.inputs?.();
    const reason = seen === undefined ? 'Assay cannot see what it reads' : seen.unseen[0];
    if (reason !== undefined) return { states: {}, changing: [], unknown: reason };
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
  // Of a file that is read, the time says nothing more: a copy of a project has other times.
  for (const key of Object.keys(states))
    if (states[key.replace(/^stat /, 'content ')] !== undefined && key.startsWith('stat '))
      delete states[key];
  return { states, changing: [...changing] };
}

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

export function isSameState({ states }: InputSnapshot, now: ProjectStates): boolean {
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

/** The files outside of the project. A folder may have all of the disk in it. */
export function outsideOf({ states }: InputSnapshot, places: ProjectStates): readonly string[] {
  return Object.keys(states).flatMap((key) => {
    const [, path] = places.placeOf(key);
    return relative(places.root, path).startsWith('..') && lookAt('entry', path) === 'file' ? [path] : [];
  });
}
