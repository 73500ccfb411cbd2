import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isFileIntact } from './checksum.ts';
import { isRun } from './remove-crashed-runs.ts';
import { readText } from './sealed-file.ts';

/** `run.json` starts with the id of its run and its number. */
const HEAD = /^\{\n {2}"run_id": "[^"\n]*",\n {2}"sequence": (\d{1,15}),?\n/;
const NUMBER = /^\d{1,15}$/;
/** A process that read the numbers a moment ago may still try to take one of these. */
const KEPT = 100;

/**
 * The next number of a run. No other process gets the same one: each creates a file of that name. Runs that came later, from
 * elsewhere, are checked as well, and all of them if those files are gone. `runs` are folders; one without a run has no number.
 */
export function takeSequence(folder: string, runs: readonly string[]): number {
  const taken = readdirSync(folder)
    .filter((name) => NUMBER.test(name))
    .map(Number);
  const most = taken.reduce((a, b) => Math.max(a, b), 0);
  const given = changedSince(runs, join(folder, String(most)))
    .map((path) => readSequence(path))
    .filter((number) => typeof number === 'number');
  let next = given.reduce((a, b) => Math.max(a, b), most) + 1;
  while (!tryTake(join(folder, String(next)))) next++;
  for (const old of taken) if (old <= next - KEPT) rmSync(join(folder, String(old)), { force: true });
  return next;
}

/** Those that were there when a number was taken have lower ones. The newest is looked at in any case: the counter may be damaged. */
function changedSince(runs: readonly string[], numberFile: string): readonly string[] {
  const taken = statSync(numberFile, { throwIfNoEntry: false });
  if (taken === undefined) return runs;
  const newest = runs.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1)).findLast(isRun);
  return runs.filter((path) => path === newest || changeOf(path) >= taken.ctimeMs);
}

function changeOf(path: string): number {
  try {
    return statSync(path).ctimeMs;
  } catch {
    // Something else, or removed meanwhile.
    return 0;
  }
}

function tryTake(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The folders of runs in the order in which the runs started, by number: a clock may be set back. Runs of versions
 * without numbers come first, by the time in their ids. A run with an implausible number is placed by its id.
 */
export function inSequence(runs: readonly string[]): readonly string[] {
  const known = runs.map((path) => ({ path, id: basename(path), sequence: readSequence(path) }));
  const byId = known.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ordered = byId
    .filter(({ sequence }) => sequence !== 'damaged')
    .sort((a, b) => Number(a.sequence ?? 0) - Number(b.sequence ?? 0));
  for (const [index, run] of byId.entries()) {
    if (run.sequence !== 'damaged') continue;
    const before = byId[index - 1];
    ordered.splice(before === undefined ? 0 : ordered.indexOf(before) + 1, 0, run);
  }
  return ordered.map(({ path }) => path);
}

/** The number of a run that lost its own: that of the run before it, so that it keeps its position. */
export function sequenceAgain(runs: readonly string[], path: string): number {
  const ordered = inSequence(runs);
  const own = ordered.findIndex((run) => basename(run) === basename(path));
  const before = ordered.slice(0, own).findLast((run) => readSequence(run) !== 'damaged');
  return before === undefined ? 0 : Number(readSequence(before) ?? 0);
}

function readSequence(path: string): number | 'damaged' | undefined {
  try {
    const text = readText(join(path, 'run.json')) ?? '';
    const isIntact = isFileIntact(text);
    const found = HEAD.exec(text.slice(0, 1000));
    if (isIntact === true && found !== null) return Number(found[1]);
    // Throws for half a file, since it is unknown whether it had a number.
    const isNumbered = Object.hasOwn(JSON.parse(text) as object, 'sequence');
    return isIntact === false || isNumbered ? 'damaged' : undefined;
  } catch {
    return 'damaged';
  }
}
