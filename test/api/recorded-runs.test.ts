import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { compareDirectories, compareNamed } from '../../src/api/compare/compare.ts';
import { updateBaseline } from '../../src/api/compare/update-baseline.ts';
import { gradeRun } from '../../src/api/grade/grade.ts';
import { reportRun } from '../../src/api/report/report.ts';
import { run } from '../../src/api/run/run.ts';
import type { RunOptions } from '../../src/api/basics/run-options.ts';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Reporter, RunEnd } from '../../src/show/reporters/reporter.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = createTempFolder({
    'package.json': '{}',
    'agent.mjs': 'export const agent = (input) => ({ output: input });\n',
  });
  process.chdir(folder);
});
afterAll(() => process.chdir(home));

/** Each test wants a text in `hi`. */
function suite(tests: Readonly<Record<string, string>>, more = ''): string {
  return Object.entries(tests)
    .map(([name, wanted]) => `- id: ${name}\n  input: hi\n  assert: { output.includes: ${wanted} }\n${more}`)
    .join('');
}

async function recorded(text: string, options: RunOptions = {}): Promise<RunDirectory> {
  writeFileSync('a.test.yaml', text);
  const { run_id } = await run({ paths: ['a.test.yaml'], agent: './agent.mjs', workers: 1, ...options });
  return new RunDirectory(join(folder, '.assay', 'runs', run_id));
}

function listener() {
  const heard = {
    records: [] as AttemptRecord[],
    findings: [] as Finding[],
    end: undefined as RunEnd | undefined,
  };
  const reporter: Reporter = {
    onResult: (record) => void heard.records.push(record),
    onFinding: (finding) => void heard.findings.push(finding),
    onRunEnd: (end) => void (heard.end = end),
  };
  return { heard, reporter };
}

const verdicts = (records: readonly AttemptRecord[]) =>
  records.map((record) => `${record.test} ${record.verdict}`);

describe('grading a run again', () => {
  const graded = async (directory: RunDirectory, text: string, options: { threshold?: number } = {}) => {
    writeFileSync('a.test.yaml', text);
    const { heard, reporter } = listener();
    const result = await gradeRun({ run: directory, projectRoot: folder, reporters: [reporter], ...options });
    return {
      ...result,
      verdicts: verdicts(heard.records),
      findings: result.findings.map(({ code }) => code),
    };
  };

  test('judges the recorded replies by the current tests', async () => {
    const directory = await recorded(suite({ a: 'hi', b: 'never' }));
    rmSync('agent.mjs');
    const again = await graded(directory, suite({ a: 'never', b: 'hi' }));
    expect(again).toMatchObject({ verdicts: ['a failed', 'b passed'], exit_code: 1, findings: [] });
    expect(again.comparison).toMatchObject({
      tests: { compared: 2, new_failures: 1, fixes: 1 },
      same_replies: true,
    });
  });

  test('gives an error for a test with a changed question, and leaves out new tests', async () => {
    const directory = await recorded(suite({ a: 'hi', b: 'hi' }));
    const text = suite({ a: 'hi', b: 'hi', c: 'hi' }).replace('input: hi', 'input: hello');
    const again = await graded(directory, text);
    expect(again.verdicts).toEqual(expect.arrayContaining(['a error', 'b passed']));
    expect(again.summary.errors).toEqual(expect.objectContaining({ outdated: expect.any(Number) as number }));
    expect(again.exit_code).toBe(3);
  });

  test('names the targets that have changed', async () => {
    const config = (workers: number) =>
      `targets:\n  - { name: bot, provider: cli, command: 'echo hi', workers: ${workers} }\n`;
    writeFileSync('assay.config.yaml', config(1));
    const directory = await recorded(suite({ a: 'hi' }), { agent: undefined, target: 'bot' });
    expect((await graded(directory, suite({ a: 'hi' }))).findings).toEqual([]);
    writeFileSync('assay.config.yaml', config(1).replace('echo hi', 'echo ho'));
    expect((await graded(directory, suite({ a: 'hi' }))).findings).toContain('target_changed');
  });

  test('needs the description of the run', async () => {
    const directory = await recorded(suite({ a: 'hi' }));
    rmSync(join(directory.path, 'run.json'));
    await expect(graded(directory, suite({ a: 'hi' }))).rejects.toThrow(directory.runId);
  });
});

describe('reporting a run again', () => {
  const reported = async (directory: RunDirectory) => {
    const { heard, reporter } = listener();
    const { damage } = await reportRun({ run: directory, projectRoot: folder, reporters: [reporter] });
    return { ...heard, damage };
  };

  test('gives the same report', async () => {
    const directory = await recorded(suite({ a: 'hi', b: 'never' }), { repeats: 2 });
    const { records, end, damage, findings } = await reported(directory);
    expect(verdicts(records)).toEqual(['a passed', 'a passed', 'b failed', 'b failed']);
    expect(end).toMatchObject({
      exit_code: 1,
      summary: { tests: 2, attempts: 4, failed: 1 },
      tests: [{ test: 'a', attempts: 2 }, { test: 'b' }],
    });
    expect([damage, findings]).toEqual([[], []]);
  });

  test('shows a run that did not end as interrupted, and names what is missing', async () => {
    const directory = await recorded(suite({ a: 'hi', b: 'hi' }));
    rmSync(join(directory.path, 'summary.json'));
    const { records, end } = await reported(directory);
    expect(records).toHaveLength(2);
    expect(end).toMatchObject({ exit_code: 130, summary: { interrupted: true, passed: 2 } });
  });

  test('names the damage of a run', async () => {
    const directory = await recorded(suite({ a: 'hi', b: 'hi' }));
    const journal = readFileSync(directory.journalPath, 'utf8');
    writeFileSync(directory.journalPath, journal.replace('"test":"a"', '"test":"x"'));
    const { records, damage, findings, end } = await reported(directory);
    expect(verdicts(records)).toEqual(['b passed']);
    expect(damage).toHaveLength(1);
    expect(findings).toMatchObject([{ code: 'damaged_run', severity: 'error', line: 2 }]);
    expect(end?.exit_code).toBe(2);
  });

  test('uses the last record of an attempt that ran twice', async () => {
    await recorded(suite({ a: 'never', b: 'hi' }), { bail: 1 });
    const directory = await recorded(suite({ a: 'hi', b: 'hi' }), { resume: true });
    const { records, end } = await reported(directory);
    expect(verdicts(records).toSorted()).toEqual(['a passed', 'b passed']);
    expect(end).toMatchObject({ exit_code: 0, summary: { attempts: 2, passed: 2 } });
  });
});

describe('comparing runs', () => {
  const named = (before: string, after: string) =>
    compareNamed({ before, after, projectRoot: folder }, { rule: 'regression', alpha: 0.05 });

  test('works by name and with baselines', async () => {
    const before = await recorded(suite({ a: 'hi', b: 'hi', c: 'never' }));
    const after = await recorded(suite({ a: 'hi', b: 'never', d: 'hi' }));
    const both = named(before.runId, 'latest');
    expect(both).toMatchObject({
      comparison: { tests: { compared: 2, new_failures: 1, fixes: 0 }, regression: { found: true } },
      extent: { interrupted: false, not_started: 0 },
      unfinished: [],
    });
    expect(both.comparison.only_before).toEqual(['a.test.yaml::c::./agent.mjs::1']);
    expect(both.comparison.only_after).toEqual(['a.test.yaml::d::./agent.mjs::1']);
    expect(compareDirectories(before, after).tests).toEqual(both.comparison.tests);
    updateBaseline(before, 'base.json');
    expect(named('base.json', after.runId).comparison).toMatchObject({
      unit: 'test',
      tests: { new_failures: 1 },
    });
    expect(named(before.runId, 'base.json')).toMatchObject({
      extent: { not_started: 0 },
      comparison: { tests: { new_failures: 0 } },
    });
  });

  test('says why a run is incomplete', async () => {
    const stopped = await recorded(suite({ a: 'never', b: 'hi', c: 'hi' }), { bail: 1 });
    const broken = await recorded(suite({ a: 'hi', b: 'hi', c: 'hi' }));
    rmSync(join(broken.path, 'summary.json'));
    const { unfinished, extent } = named(stopped.runId, broken.runId);
    expect(extent).toBeUndefined();
    expect(unfinished).toEqual([
      expect.stringMatching(new RegExp(`${stopped.runId} was stopped before 2 `)),
      expect.stringMatching(new RegExp(`${broken.runId} did not end`)),
    ]);
  });

  test('fails for a run that does not exist', () => {
    expect(() => named('gone', 'latest')).toThrow('gone');
  });
});

describe('a baseline', () => {
  test('is rewritten, and the changes are counted', async () => {
    const first = await recorded(suite({ a: 'hi', b: 'hi', c: 'never' }));
    expect(updateBaseline(first, 'base.json')).toEqual({
      run_id: first.runId,
      tests: 3,
      added: 3,
      changed: 0,
      removed: 0,
      failed: 1,
      unmeasured: 0,
    });
    const second = await recorded(suite({ a: 'hi', b: 'never', d: 'hi' }));
    expect(updateBaseline(second, 'base.json')).toMatchObject({ tests: 3, added: 1, changed: 1, removed: 1 });
    expect(JSON.parse(readFileSync('base.json', 'utf8'))).toMatchObject({
      run_id: second.runId,
      tests: [
        { test: 'a', verdict: 'passed', passed: 1, measured: 1 },
        { test: 'b', verdict: 'failed' },
        { test: 'd', verdict: 'passed' },
      ],
    });
  });

  test('is not made from an unfinished or damaged run, and overwrites no other file', async () => {
    const directory = await recorded(suite({ a: 'hi' }));
    writeFileSync('notes.json', '{}');
    expect(() => updateBaseline(directory, 'notes.json')).toThrow(/notes\.json .*baseline/);
    expect(readFileSync('notes.json', 'utf8')).toBe('{}');
    const summary = readFileSync(join(directory.path, 'summary.json'), 'utf8');
    writeFileSync(join(directory.path, 'summary.json'), summary.replace('"passed": 1', '"passed": 2'));
    expect(() => updateBaseline(directory, 'base.json')).toThrow();
    rmSync(join(directory.path, 'summary.json'));
    expect(() => updateBaseline(directory, 'base.json')).toThrow('did not end');
  });
});
