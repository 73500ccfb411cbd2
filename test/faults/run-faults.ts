import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/base/model/finding.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { startCli } from '../project.ts';

export interface RanSuite {
  readonly exitCode: number | null;
  readonly results: readonly AttemptRecord[];
  readonly findings: readonly Finding[];
  /** The result of one test, of its first repeat. */
  of(test: string): AttemptRecord;
}

interface RunSuiteOptions {
  readonly cwd: string;
  /** The model server. */
  readonly url: string;
  readonly args?: readonly string[];
}

/** Runs what is in a folder with the built command line. */
export async function runSuite({ cwd, url, args = [] }: RunSuiteOptions): Promise<RanSuite> {
  const env = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none' };
  const { stdout, stderr, exitCode } = await startCli(['run', '--reporter', 'json', ...args], { cwd, env });
  if (!stdout.startsWith('{')) throw new Error(`exit code ${exitCode}: ${stderr}`);
  const report = JSON.parse(stdout) as Pick<RanSuite, 'results' | 'findings'>;
  const of = (id: string): AttemptRecord =>
    report.results.find(({ test, repeat }) => test === id && repeat === 1)!;
  return { ...report, exitCode, of };
}

/** What a replay must give again. */
export function verdictsOf({ results }: RanSuite): readonly unknown[] {
  return results
    .map(({ id, verdict, score, error, steps }) => ({
      id,
      verdict,
      score,
      kind: error?.kind,
      steps: steps.map(({ output, tool_calls }) => ({
        output,
        // Frameworks make up ids where the model gives none.
        tools: tool_calls?.map((call) => ({ ...call, id: undefined, duration_ms: undefined })),
      })),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The cassettes of a test, as text. */
export function cassetteOf(cwd: string, test: string): string {
  const folder = join(cwd, 'cassettes');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = names.filter((name) => name.split('/').at(-1)!.startsWith(test));
  return found.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
