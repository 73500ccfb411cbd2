import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createProject, runCli } from '../project.ts';

const projects: { remove(): void }[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

interface ConvertedIn {
  readonly cwd: string;
  /** The text of the suite; empty if none was written. */
  readonly suite: string;
  /** The text of `assay.config.yaml`. */
  readonly config: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** Converts `promptfooconfig.yaml` of a new project to `out.eval.yaml` beside it. */
export async function convertPromptfooIn(
  files: Readonly<Record<string, string>>,
  { file = 'promptfooconfig.yaml', out = 'out.eval.yaml' } = {},
): Promise<ConvertedIn> {
  const project = createProject(files);
  projects.push(project);
  const cwd = project.path;
  const { stderr, exitCode } = await runCli(['convert', file, '--to', 'eval', '-o', out], { cwd });
  const read = (name: string): string =>
    existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : '';
  return { cwd, suite: read(out), config: read('assay.config.yaml'), stderr, exitCode };
}

/** The verdicts of the converted tests, by id; with the target if a test ran with several. */
export async function runConverted(
  cwd: string,
  args: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const options = ['--no-record', '--reporter', 'json', '--pass-with-no-tests', ...args];
  const { stdout, stderr } = await runCli(['run', 'out.eval.yaml', ...options], { cwd });
  if (!stdout.startsWith('{')) throw new Error(stderr);
  const { results } = JSON.parse(stdout) as {
    results: readonly { test: string; target: string; verdict: string }[];
  };
  const isAlone = (test: string): boolean => results.filter((other) => other.test === test).length === 1;
  return Object.fromEntries(
    results.map(({ test, target, verdict }) => [isAlone(test) ? test : `${test} [${target}]`, verdict]),
  );
}
