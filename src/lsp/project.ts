import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../base/files/is-inside.ts';
import { readJournal } from '../runs/journal/journal-reader.ts';
import { findRun } from '../runs/journal/run-directory.ts';
import { findProjectRoot } from '../suites/load/project-root.ts';

/** The folder from which a document is looked at: that of the workspace, or the root of its own project. */
export function baseFolder(path: string, folders: readonly string[]): string {
  const containing = folders
    .filter((folder) => isInside(path, folder))
    .toSorted((a, b) => b.length - a.length);
  return existing(containing[0] ?? findProjectRoot(existing(dirname(path))));
}

/** A folder that vanished leaves the nearest one above it. */
function existing(folder: string): string {
  let current = folder;
  while (statSync(current, { throwIfNoEntry: false })?.isDirectory() !== true && current !== dirname(current))
    current = dirname(current);
  return current;
}

const MOST_RECORDS = 500;
const MOST_TOOLS = 200;

/** The tools that agents used in the last run. */
export function toolsOfLastRun(root: string): readonly string[] {
  const tools = new Set<string>();
  try {
    const run = findRun(root, 'latest');
    let read = 0;
    if (run !== undefined)
      for (const { record } of readJournal(run.journalPath)) {
        for (const { tools_used: used = [] } of record.steps) for (const name of used) tools.add(name);
        if (++read >= MOST_RECORDS || tools.size >= MOST_TOOLS) break;
      }
  } catch {
    // A damaged or vanishing run.
  }
  return [...tools];
}

/** The names of tools, or of tests and conversations, that a text contains. */
export function namesIn(text: string, what: 'tools' | 'ids'): readonly string[] {
  const found = new Set<string>();
  for (const [, value = ''] of text.slice(0, MOST_TEXT).matchAll(what === 'tools' ? TOOLS : IDS))
    for (const item of value.replaceAll(/[[\]"']/g, '').split(/,|\n\s*-/)) {
      const name = item.replace(/\s#.*/, '').trim();
      if (name !== '' && !/[{}]|:\s|^-/.test(name) && found.size < MOST_TOOLS) found.add(name);
    }
  return [...found];
}

const MOST_TEXT = 1024 * 1024;

/** A value on the line of its key, or a list below it. */
const TOOLS =
  /\b(?:tool|tools_used(?:\.\w+)?|forbidden)["']?[^\S\n]*:[^\S\n]*(\[[^\]\n]*\]|[^\s,}\]]+|(?:\n[^\S\n]*-[^\S\n][^\n]*)+)/g;
const IDS = /\b(?:id|conversation_id)["']?[^\S\n]*:[^\S\n]*("[^"\n]*"|'[^'\n]*'|[^\s,}\]]+)/g;
