import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Finding } from '../../base/model/finding.ts';
import { fileFinding } from './read-suite-file.ts';

const PARTS = ['task.toml', 'instruction.md'];

/** A task of Harbor is a folder. */
export function isHarborTask(names: readonly string[]): boolean {
  return PARTS.every((part) => names.includes(part));
}

/** The task that a file belongs to. */
export function harborTaskOf(file: string): string | undefined {
  const folder = basename(file) === 'test.sh' ? dirname(dirname(file)) : dirname(file);
  return PARTS.every((part) => existsSync(join(folder, part))) ? folder : undefined;
}

export function harborFinding(folder: string, count = 1): Finding {
  const message =
    count === 1
      ? 'this folder is a Harbor task, which Assay cannot run yet'
      : `this folder and ${count - 1} more are Harbor tasks, which Assay cannot run yet`;
  const hint =
    'write a suite for the same agent: the text of instruction.md as `input`, and what tests/test.sh checks as evaluators';
  return fileFinding(folder, 'foreign_format', message, hint);
}
