import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

interface Found {
  readonly findings: readonly { readonly code: string; readonly line: number }[];
}

test('findings of files are recorded with the run and those of an attempt in its record, and a resumed run reports them again', async () => {
  const project = createProject({
    'agent.mjs': 'export const agent = (input) => ({ output: input, memory: {} });',
    'a.test.yaml':
      '- id: one\n  input: a\n  assert: {memory.b: null, output.equals: z}\n- id: two\n  input: a\n  assert: {output.equals: a}\n',
  });
  const cwd = project.path;
  const run = async (...args: string[]) =>
    JSON.parse(
      (await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json', ...args], { cwd })).stdout,
    ) as Found;
  const codes = ({ findings }: Found) => findings.map(({ code, line }) => [code, line]);
  try {
    writeFileSync(join(cwd, 'b.test.yaml'), 'inptu: a\n');
    const live = await run('--repeats', '2');
    expect(codes(live)).toContainEqual(['absent_path', 3]);
    // Once, although each attempt found it.
    expect(codes(live).filter(([code]) => code === 'absent_path')).toHaveLength(1);
    const folder = join(cwd, '.assay/runs', readdirSync(join(cwd, '.assay/runs'))[0]!);
    const ofRun = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Found;
    expect(codes(ofRun)).toEqual(codes(live).filter(([code]) => code !== 'absent_path'));
    expect(ofRun.findings.length).toBeGreaterThan(0);
    const records = readFileSync(join(folder, 'results.jsonl'), 'utf8').trimEnd().split('\n').slice(1);
    const withFindings = records
      .map((line) => JSON.parse(line) as Partial<Found>)
      .filter(({ findings }) => findings !== undefined);
    expect(withFindings.map(({ findings }) => findings![0]!.code)).toEqual(['absent_path', 'absent_path']);
    expect(codes(await run('--repeats', '2', '--resume'))).toEqual(codes(live));
  } finally {
    project.remove();
  }
});
