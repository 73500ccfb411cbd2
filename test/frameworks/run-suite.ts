import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject, startCli } from '../project.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { offlineEnv } from './offline-env.ts';

export const SUITES = fileURLToPath(new URL('suites', import.meta.url));

export interface SuiteRun {
  /** Of the project: suites, a config, files that the agent works with. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Of the model server. */
  readonly url: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly node?: string | undefined;
  /** The packages that the project has. */
  readonly modules?: string | undefined;
}

export interface SuiteResults {
  /** `passed`, or why not, by the name of the test. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly records: readonly AttemptRecord[];
  /** All that was printed, for a failing expectation. */
  readonly printed: string;
}

/** Runs suites with the built CLI in a project of their own, with no way off the machine. */
export async function runSuite({ files, args, url, env, node, modules }: SuiteRun): Promise<SuiteResults> {
  const project = createProject({ 'package.json': '{ "type": "module" }', ...files });
  if (modules !== undefined) symlinkSync(modules, join(project.path, 'node_modules'));
  const home = join(project.path, 'home');
  mkdirSync(home);
  try {
    const { stdout, stderr } = await startCli(['run', ...args, '--reporter', 'json'], {
      cwd: project.path,
      env: { ...offlineEnv(url, home), ...env },
      node,
    });
    const records = readResults(stdout, stderr);
    const verdicts = Object.fromEntries(records.map((record) => [record.test, outcome(record)]));
    return { verdicts, records, printed: `${stdout}\n${stderr}` };
  } finally {
    project.remove();
  }
}

function readResults(stdout: string, stderr: string): readonly AttemptRecord[] {
  try {
    return (JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] }).results;
  } catch {
    throw new Error(`the run ended without results:\n${stdout}${stderr}`);
  }
}

function outcome(record: AttemptRecord): string {
  if (record.verdict !== 'error') return record.verdict;
  return `error: ${record.error?.message ?? JSON.stringify(record.assertions)}`;
}
