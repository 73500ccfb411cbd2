import { symlinkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/base/model/finding.ts';
import type { AssertionRecord, AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli } from '../project.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const AGENT = 'export const agent = (input) => ({ output: `You said ${input}`, tools_used: [] });\n';

/** A project in which the package can be imported. */
export function createUserProject(files: Readonly<Record<string, string>>): ReturnType<typeof createProject> {
  const project = createProject({ 'agent.mjs': AGENT, ...files });
  mkdirSync(join(project.path, 'node_modules'));
  symlinkSync(ROOT, join(project.path, 'node_modules', 'assay'));
  symlinkSync(join(ROOT, 'node_modules', 'zod'), join(project.path, 'node_modules', 'zod'));
  return project;
}

/** An eval file with one case for each list of evaluators. */
export function evalFile(cases: Readonly<Record<string, readonly object[]>>): string {
  const lines = Object.entries(cases).map(([id, evaluators]) =>
    JSON.stringify({ id, input: 'hi', evaluators }),
  );
  return `cases:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
}

export interface Ran {
  readonly exitCode: number | null;
  readonly findings: readonly Finding[];
  /** The verdict of each test, with the message of its first error. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly records: readonly AttemptRecord[];
}

/** A run, by its JSON report. */
export async function run(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const { stdout, stderr, exitCode } = await runCli(['run', ...args, '--reporter', 'json'], { cwd });
  if (!stdout.startsWith('{')) throw new Error(`no report:\n${stdout}${stderr}`);
  const { results, findings } = JSON.parse(stdout) as {
    readonly results: readonly AttemptRecord[];
    readonly findings: readonly Finding[];
  };
  const verdicts = results.map(({ test, verdict, error }) => [
    test,
    error === undefined ? verdict : `${verdict}: ${error.message}`,
  ]);
  return {
    exitCode,
    findings,
    verdicts: Object.fromEntries(verdicts) as Record<string, string>,
    records: results,
  };
}

export function assertionsOf(records: readonly AttemptRecord[], test: string): readonly AssertionRecord[] {
  const { steps, assertions } = records.find((record) => record.test === test)!;
  return [...steps.flatMap((step) => step.assertions), ...assertions];
}
