import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../src/runs/journal/journal-reader.ts';

/** The folders of a project's runs, the latest last. */
export function runFolders(cwd: string): readonly string[] {
  const folder = join(cwd, '.assay', 'runs');
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    : [];
}

/** The tests a run has records of, in their order. */
export function recordedTests(run: string): readonly string[] {
  return [...readJournal(join(run, 'results.jsonl'))].map(({ record }) => record.test);
}

/** Waits for something that another process does. */
export async function until(isSo: () => boolean, what = 'it'): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 3000) throw new Error(`waited too long for ${what}`);
    await sleep(10);
  }
}
