import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, test } from 'vitest';
import { reportJsonSchema } from '../../src/api/report/report-schema.ts';
import { effort } from '../effort.ts';
import { readJournal, type JournalEntry } from '../../src/runs/journal/journal-reader.ts';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import { asVersion1 } from '../old-journal.ts';
import { createProject, runCli, type CliResult, startCli } from '../project.ts';
import { naughtyProject } from './naughty-suite.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

function project(files: Readonly<Record<string, string>>) {
  const created = createProject(files);
  cleanUps.push(() => created.remove());
  const cwd = created.path;
  const runs = () => readdirSync(join(cwd, '.assay/runs')).map((name) => join(cwd, '.assay/runs', name));
  return { cwd, runs, assay: (...args: string[]): Promise<CliResult> => runCli(args, { cwd }) };
}

const FILES = {
  'agent.mjs': 'export const agent = (input) => ({ output: input });',
  'a.test.yaml':
    '- {id: one, input: a, assert: {output.equals: a}}\n- {id: two, input: a, assert: {output.equals: b}}\n',
};
const RUN = ['run', '--agent', './agent.mjs'];

describe('assay report', () => {
  test('shows the latest run without options, writes the requested files with them, and exits with 0', async () => {
    const { assay, cwd } = project(FILES);
    const live = await assay(...RUN);
    expect(await assay('report')).toMatchObject({ exitCode: 0, stdout: live.stdout });
    expect(
      await assay('report', '--junit', 'a/j.xml', '--markdown', 'a/m.md', '--reporter', 'tap=a/t.tap'),
    ).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'Report a/j.xml (junit)\nReport a/m.md (markdown)\nReport a/t.tap (tap)\n',
    });
    expect(readdirSync(join(cwd, 'a')).sort()).toEqual(['j.xml', 'm.md', 't.tap']);
    expect(JSON.parse((await assay('report', 'latest', '--json', '-')).stdout)).toMatchObject({
      exit_code: 1,
    });
  });

  test('shows code frames from any folder of the project', async () => {
    const { assay, cwd } = project({ ...FILES, 'sub/x.txt': '' });
    const live = await assay(...RUN);
    const { stdout } = await runCli(['report'], { cwd: join(cwd, 'sub') });
    expect(stdout).toBe(live.stdout);
  });

  test('reports an unfinished run as interrupted', async () => {
    const { assay, runs } = project(FILES);
    await assay(...RUN);
    rmSync(join(runs()[0]!, 'summary.json'));
    const { stdout, stderr, exitCode } = await assay('report', '--json', '-');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^assay: the run \S+ did not end: the report contains what was recorded\n$/);
    expect(JSON.parse(stdout)).toMatchObject({
      exit_code: 130,
      summary: { tests: 2, passed: 1, failed: 1, interrupted: true },
    });
    expect((await assay('report', '--tap', '-')).stdout).toContain('Bail out! The run was interrupted.');
  });

  test('counts each attempt of a resumed run once, by its last record', async () => {
    const { assay, cwd } = project(FILES);
    await assay(...RUN);
    writeFileSync(join(cwd, 'a.test.yaml'), FILES['a.test.yaml'].replace('equals: b', 'includes: a'));
    await assay(...RUN, '--resume');
    const { results, summary } = JSON.parse((await assay('report', '--json', '-')).stdout) as {
      results: { test: string; verdict: string }[];
      summary: object;
    };
    expect(results.map(({ test: id, verdict }) => [id, verdict])).toEqual([
      ['one', 'passed'],
      ['two', 'passed'],
    ]);
    expect(summary).toMatchObject({ tests: 2, passed: 2 });
  });

  test('exits with 2 for an unknown run, two runs, or a file that cannot be written', async () => {
    const { assay } = project(FILES);
    expect(await assay('report')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('there is no run "latest"'),
    });
    await assay(...RUN);
    expect(await assay('report', 'a', 'b')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('report takes one run'),
    });
    expect(await assay('report', '--json', 'a.test.yaml/x')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is a file, not a folder'),
    });
    expect(await assay('report', '--json', '-', '--tap', '-')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('json and tap would both write to stdout'),
    });
  });

  test('does not treat a run that left out attempts as complete', async () => {
    const { assay } = project(FILES);
    await assay(...RUN, '--bail', '--workers', '1', '--repeats', '3');
    const { stderr, exitCode } = await assay('report', '--json', '-');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/was stopped before \d+ of its attempts: the report contains what was recorded/);
  });

  test('waits for a slow reader, so a journal may be larger than the memory', async () => {
    const { assay, runs, cwd } = project(FILES);
    await assay(...RUN);
    const journal = join(runs()[0]!, 'results.jsonl');
    const count = effort({ short: 100, long: 150 });
    const [{ record }] = [...readJournal(journal)] as [JournalEntry];
    // A run that did not end: its summary would tell that these are not its records.
    for (const name of ['results.jsonl', 'summary.json']) rmSync(join(runs()[0]!, name));
    const onError = (error: Error): never => expect.unreachable(error.message);
    const writer = new JournalWriter(journal, { runId: basename(runs()[0]!), onError });
    const steps = [{ ...record.steps[0]!, output: 'x'.repeat(1_000_000) }];
    for (let index = 0; index < count; index++) writer.append({ ...record, id: `id${index}`, steps });
    writer.close();
    const env = { NODE_OPTIONS: '--max-old-space-size=64' };
    const result = await startCli(['report', '--jsonl', '-'], {
      cwd,
      env,
      onStart(child) {
        child.stdout!.once('data', () => {
          child.stdout!.pause();
          setTimeout(() => child.stdout!.resume(), 1500);
        });
      },
    });
    expect(result.exitCode).toBe(3);
    expect(result.stdout.split('\n')).toHaveLength(count + 2);
  });
});

test('the JSON report matches its published schema, whatever the run contains and however it ended', async () => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(reportJsonSchema());
  const { assay } = project(naughtyProject());
  const reports = [
    await assay('run', 'suites', '--agent', './agent.mjs', '--repeats', '2', '--reporter', 'json'),
    await assay('report', '--json', '-'),
    await assay('run', 'suites', '--agent', './nothing.mjs', '--reporter', 'json'),
    await assay('run', 'suites', '--agent', './agent.mjs', '-t', 'no such test', '--reporter', 'json'),
    await assay('run', 'suites', '--agent', './agent.mjs', '--no-record', '--reporter', 'json'),
  ];
  for (const { stdout } of reports) {
    validate(JSON.parse(stdout));
    expect(validate.errors).toBeNull();
  }
});

test("jsonl has the journal's records, findings in between, and the run in the last line", async () => {
  const { assay, runs } = project(naughtyProject());
  const { stdout } = await assay('run', 'suites', '--agent', './agent.mjs', '--reporter', 'jsonl');
  const lines = stdout.trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(Object.keys(parsed.at(-1)!)).toEqual(['run_id', 'exit_code', 'summary']);
  expect(parsed.filter((line) => 'finding' in line).length).toBeGreaterThan(1);
  const journal = asVersion1(readFileSync(join(runs()[0]!, 'results.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(1);
  // On stdout, characters that could do something to a terminal are escaped.
  expect(parsed.filter((line) => 'id' in line)).toEqual(journal.map((line) => JSON.parse(line) as unknown));
});
