import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Finding } from '../../src/base/model/finding.ts';

/** A folder with these files, there until the test ends. */
export function createTempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** `3:5 error type evalcases[0].input`: what a finding says, without its words. */
export function brief({ line, column, severity, code, path }: Finding): string {
  return `${line}:${column} ${severity} ${code} ${path}`.trimEnd();
}

export const CASE_LINE = '{"id":"a","input":"q","outcome":"G"}';
export const STEP_TEST = 'input: x\nassert: { output.includes: a }\n';

/** A named pipe: opening it for reading waits for a writer that never comes. */
export function createFifo(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
}
