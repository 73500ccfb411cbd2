import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';

/** The records of every run of a project, in the order they were written. */
export function recordsIn(project: string): readonly AttemptRecord[] {
  return journalsIn(project).flatMap((path) => [...readJournal(path)].map(({ record }) => record));
}

/** Whole lines of journals that cannot be read. Half a line at the end is what a kill may leave. */
export function damagedLines(project: string): readonly string[] {
  return journalsIn(project).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .filter((line) => !isJson(line)),
  );
}

/** The inputs the agent was asked with in one run, in order. */
export function callsIn(project: string, run: number): readonly string[] {
  const path = join(project, 'calls.log');
  if (!existsSync(path)) return [];
  const prefix = `${run} `;
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
}

/** Files that were meant for a moment and are still there. */
export function temporaryFiles(project: string, temporaryFolder: string): readonly string[] {
  const assay = join(project, '.assay');
  const drafts = existsSync(assay)
    ? (readdirSync(assay, { recursive: true }) as string[]).filter((name) => name.endsWith('.tmp'))
    : [];
  return [...drafts, ...readdirSync(temporaryFolder)];
}

function journalsIn(project: string): readonly string[] {
  const runs = join(project, '.assay', 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .toSorted()
    .map((run) => join(runs, run, 'results.jsonl'))
    .filter((path) => existsSync(path));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
