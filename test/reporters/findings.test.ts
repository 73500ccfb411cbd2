import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe('the same mistake in every row', () => {
  const ROWS = Array.from({ length: 500 }, (_, index) =>
    JSON.stringify({ id: `r${index}`, input: 'q', expected_output: 'a' }),
  );
  const FILES = {
    'agent.mjs': "export const agent = () => 'a';\n",
    'dataset.jsonl': `${ROWS.join('\n')}\n`,
    'b.eval.jsonl': '{"id":"a","input":"q"}\n',
  };
  const MORE = 'dataset.jsonl error 497 more like this on lines 4 to 500 (missing_expected_outcome)';
  const HINT =
    'hint: to compare every answer with its `expected_output`, write `evaluators: [{ type: match }]` into the sidecar dataset.yaml next to the dataset';

  test.each([
    ['validate'],
    ['show'],
    ['check'],
    ['run', '--list'],
    ['run', '--agent', './agent.mjs'],
    ['run', '--agent', './agent.mjs', '--strict'],
  ])('%s %s shows three findings and their number', async (...args) => {
    const project = createProject(FILES);
    const { stdout, stderr, exitCode } = await runCli([...args, 'b.eval.jsonl', 'dataset.jsonl'], {
      cwd: project.path,
    });
    const text = `${stdout}${stderr}`;
    expect(exitCode).toBe(2);
    expect(text.match(/^dataset\.jsonl:\d+:\d+ error /gm)).toHaveLength(3);
    expect(text).toContain(MORE);
    expect(text).toContain(HINT);
    expect(text).toContain('b.eval.jsonl:1:1 error');
    expect(text).toContain('or, for every line, in the sidecar b.eval.yaml');
    writeFileSync(join(project.path, 'dataset.yaml'), 'evaluators: [{ type: match }]\n');
    expect(
      await runCli(['run', 'dataset.jsonl', '--agent', './agent.mjs'], { cwd: project.path }),
    ).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('500 passed'),
    });
    project.remove();
  });

  test('JSON has all of them; GitHub gets one annotation for the rest', async () => {
    const project = createProject(FILES);
    const json = await runCli(['validate', '--json'], { cwd: project.path });
    expect(JSON.parse(json.stdout)).toMatchObject({ findings: { length: 501 }, summary: { errors: 501 } });
    const run = ['run', '--agent', './agent.mjs', '--reporter'];
    const ran = await runCli([...run, 'json'], { cwd: project.path });
    expect(JSON.parse(ran.stdout)).toMatchObject({ findings: { length: 501 } });
    const { stdout } = await runCli([...run, 'github'], { cwd: project.path });
    const annotations = stdout.split('\n').filter((line) => line.startsWith('::error file=dataset.jsonl'));
    expect(annotations).toHaveLength(4);
    expect(annotations[3]).toContain('::497 more like this on lines 4 to 500');
    project.remove();
  });
});
