import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Location, Range } from 'vscode-languageserver/node';
import { isInside } from '../base/files/is-inside.ts';
import type { Place } from '../base/model/place.ts';
import { nodeAt } from './node-at.ts';
import { uriOfPath } from './uri-path.ts';

export interface DefinitionPlace {
  readonly text: string;
  readonly offset: number;
  readonly path: string;
  /** No file outside of it is named. */
  readonly root: string;
  /** The targets of the config, with absolute paths. */
  readonly targets: ReadonlyMap<string, Place>;
}

/** Where the name or the path under the cursor leads: to a target of the config, or to a file of the project. */
export function define({ text, offset, path, root, targets }: DefinitionPlace): Location | undefined {
  const found = nodeAt(text, offset, { isLines: /\.jsonl$/i.test(path) });
  if (found === undefined || found.role === 'key') return undefined;
  const key = found.path.findLast((segment) => typeof segment === 'string');
  const target = isTargetField(key) ? targets.get(found.text) : undefined;
  if (target !== undefined)
    return { uri: uriOfPath(target.file), range: at(target.line - 1, target.column - 1) };
  const file = findProjectFile(found.text, path, root);
  return file === undefined ? undefined : { uri: uriOfPath(file), range: at(0, 0) };
}

function isTargetField(key: string | undefined): boolean {
  return key !== undefined && ['target', 'targets', 'judge', 'judge_target'].includes(key);
}

function at(line: number, character: number): Range {
  return { start: { line, character }, end: { line, character } };
}

/**
 * A path as files write it: `file://...`, `./agent.py:name`, `./checks.ts#name`, or a line that begins with a program. It is
 * looked for beside the document, and then in the folders above it, up to the root.
 */
function findProjectFile(written: string, document: string, root: string): string | undefined {
  const line = written.replace(/^file:\/\//, '').replace(/^cmd:\s*/, '');
  if (line === '' || line.length > MOST_LONG || /[\n\0]/.test(line)) return undefined;
  const names = [line, line.replace(/#[^#/]*$/, ''), line.replace(/:[\w.-]*$/, ''), ...line.split(/\s+/)];
  for (const name of new Set(names.filter((each) => each !== '')))
    for (const folder of foldersUp(dirname(document), root)) {
      const file = join(folder, name);
      if (isInside(file, root) && isRegularFile(file, root)) return file;
    }
  return undefined;
}

const MOST_LONG = 1024;

function* foldersUp(from: string, root: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === root || folder === dirname(folder) || !isInside(folder, root)) return;
  }
}

/** Links are followed only inside of the project. */
function isRegularFile(file: string, root: string): boolean {
  try {
    return existsSync(file) && statSync(file).isFile() && isInside(realpathSync(file), realpathSync(root));
  } catch {
    return false;
  }
}
