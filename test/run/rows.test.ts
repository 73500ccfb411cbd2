import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult, startCli } from '../project.ts';

/** Repeats its input, except for Oslo. */
const AGENT = `export function agent(input) {
  return { output: input.includes('Oslo') ? 'no idea' : input, tools_used: [], memory: {} };
}
`;

const SUITE = `description: Weather
vars: {greeting: Hello}
tests:
  - id: weather
    each: data/cities.csv
    input: "{{greeting}}, {{city}}?"
    assert: [{type: contains, value: "{{city}}"}]
  - id: last
    each:
      - {city: Rome}
      - {city: Nice}
    input: "{{city}}"
    assert: [{type: equals, value: "{{city}}"}]
`;

const STEPS = `- id: greet
  vars: {who: Ann}
  input: "I am {{who}}"
  assert: {output.equals: "You are {{who}}"}
- id: braces
  vars: {who: Ann}
  input: "I am \\\\{{x}}"
  assert: {output.equals: "You are nobody"}
- id: plain
  vars: {who: Ann}
  input: "I am {{who}}"
  assert: {output.equals: old}
- id: rows
  each: [{n: 1}, {n: 2}]
  input: "n"
  assert: {output.equals: "m"}
`;

let project: ReturnType<typeof createProject>;
beforeAll(() => {
  project = createProject({
    'agent.mjs': AGENT,
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'w.eval.yaml': SUITE,
    'data/cities.csv': 'city,land\nParis,FR\nOslo,NO\n"New York",US\n',
  });
});
afterAll(() => project.remove());

const cli = (...args: readonly string[]): Promise<CliResult> => runCli(args, { cwd: project.path });

const listed = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { stdout } = await cli('run', '--list', '--reporter', 'json', ...args);
  return (JSON.parse(stdout) as { tests: { test: string }[] }).tests.map((each) => each.test);
};

describe('tests from data rows', () => {
  test('the list names the rows', async () => {
    const { stdout } = await cli('run', '--list');
    expect(stdout).toBe(
      [
        'w.eval.yaml:4 weather[Paris,FR] (row data/cities.csv:2)',
        'w.eval.yaml:4 weather[Oslo,NO] (row data/cities.csv:3)',
        'w.eval.yaml:4 weather[New York,US] (row data/cities.csv:4)',
        'w.eval.yaml:8 last[Rome] (row w.eval.yaml:10)',
        'w.eval.yaml:8 last[Nice] (row w.eval.yaml:11)',
        '',
      ].join('\n'),
    );
  });

  test('a line selects all rows of a test, or the row that is on it', async () => {
    expect(await listed('w.eval.yaml:6')).toEqual([
      'weather[Paris,FR]',
      'weather[Oslo,NO]',
      'weather[New York,US]',
    ]);
    expect(await listed('w.eval.yaml:8')).toEqual(['last[Rome]', 'last[Nice]']);
    expect(await listed('w.eval.yaml:11')).toEqual(['last[Nice]']);
    expect(await listed('w.eval.yaml:12')).toEqual(['last[Rome]', 'last[Nice]']);
  });

  test('a failure names its row in every report, and the rerun command runs just that row', async () => {
    const reporters = ['terminal', 'junit=j.xml', 'markdown=m.md', 'tap=t.tap', 'jsonl=r.jsonl'];
    const { stdout, exitCode } = await cli('run', ...reporters.flatMap((each) => ['--reporter', each]));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('FAIL weather[Oslo,NO]\n  row: data/cities.csv:3\n');
    for (const report of ['j.xml', 'm.md', 't.tap'])
      expect(readFileSync(join(project.path, report), 'utf8')).toContain('data/cities.csv:3');
    expect(readFileSync(join(project.path, 'j.xml'), 'utf8')).toContain(
      '<property name="row" value="data/cities.csv:2"/>',
    );
    expect(readFileSync(join(project.path, 'r.jsonl'), 'utf8')).toContain(
      '"row":{"file":"data/cities.csv","line":3,"column":1}',
    );
    const rerun = /rerun: assay run (\S+) -t '([^']*)'/.exec(stdout)!;
    expect(await listed(rerun[1]!, '-t', rerun[2]!)).toEqual(['weather[Oslo,NO]']);
    expect(await listed('--last-failed')).toEqual(['weather[Oslo,NO]']);
  });

  test('ids are stable when rows are added, so --resume runs only the new row, and grade works', async () => {
    const csv = join(project.path, 'data/cities.csv');
    await cli('run');
    writeFileSync(csv, 'city,land\nBern,CH\n"New York",US\nOslo,NO\nParis,FR\n');
    const resumed = await cli('run', '--resume');
    expect(resumed.stdout).toContain('1 failed, 5 passed (6)');
    expect(resumed.stdout).toContain('FAIL weather[Oslo,NO]\n  row: data/cities.csv:4\n');
    expect(resumed.stdout + resumed.stderr).toContain('5 of 6 results come from the earlier run');
    const graded = await cli('grade');
    expect(graded.stdout).toContain('FAIL weather[Oslo,NO]\n  row: data/cities.csv:4\n');
    expect(graded.stdout).toContain('1 failed, 5 passed');
  });

  test('shards split rows and together cover all of them', async () => {
    const parts = await Promise.all(
      ['1/2', '2/2'].map((shard) => cli('run', '--shard', shard, '--reporter', 'jsonl', '--no-record')),
    );
    const ids = parts.map(({ stdout }) =>
      stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => (JSON.parse(line) as { test: string }).test)
        .filter((id) => id !== undefined),
    );
    expect(ids.every((part) => part.length > 0)).toBe(true);
    expect(ids.flat().toSorted()).toEqual((await listed()).toSorted());
  });

  test('`assay check` checks every row, and names it', async () => {
    const { stdout, stderr } = await cli('check', 'w.eval.yaml');
    expect(stdout + stderr).toContain('(row data/cities.csv:2)');
    expect(stdout + stderr).toContain('6 tests');
  });

  test('`assay show` prints each row as a test', async () => {
    const { stdout } = await cli('show', 'w.eval.yaml', '--json');
    const { suites } = JSON.parse(stdout) as {
      suites: { tests: { id: string; row: unknown; vars: unknown }[] }[];
    };
    expect(suites[0]!.tests.at(-1)).toMatchObject({
      id: 'last[Nice]',
      row: { file: 'w.eval.yaml', line: 11, column: 9 },
      vars: { greeting: 'Hello', city: 'Nice' },
    });
  });
});

test('rows of a file are never held in memory at once, in eval files, datasets and step tests', async () => {
  const rows = Array.from({ length: 6000 }, (_, index) => `${index},${'x'.repeat(10_000)}\n`);
  const own = createProject({
    'rows.csv': `id,q\n${rows.join('')}`,
    'a.eval.yaml':
      'tests: [{id: t, each: rows.csv, input: "{{q}}", assert: [{type: contains, value: "{{id}}"}]}]\n',
    'b.eval.jsonl':
      '{"id":"t","each":"rows.csv","input":"{{q}}","assert":[{"type":"contains","value":"{{id}}"}]}\n',
    'c.test.yaml': 'each: rows.csv\ninput: "{{q}}"\nassert: {output.includes: "{{id}}"}\n',
  });
  try {
    // The texts of one file alone are 60 MB.
    const env = { NODE_OPTIONS: '--max-old-space-size=50' };
    const { stdout, stderr, exitCode } = await startCli(['validate'], { cwd: own.path, env });
    expect(stdout + stderr).toContain('3 files, 18,000 tests: no problems');
    expect(exitCode).toBe(0);
  } finally {
    own.remove();
  }
});

describe('`--update`', () => {
  test('refuses templates, values that would become templates, and values that rows share', async () => {
    const own = createProject({ 'agent.mjs': AGENT, 's.test.yaml': STEPS });
    try {
      const { stdout, stderr } = await runCli(['run', '--agent', './agent.mjs', '--update'], {
        cwd: own.path,
      });
      const said = stdout + stderr;
      expect(said).toContain(
        'not updated s.test.yaml:4 output.equals: the value in the file, or the new one, contains `{{`',
      );
      expect(said).toContain(
        'not updated s.test.yaml:8 output.equals: the value in the file, or the new one, contains `{{`',
      );
      expect(said).toContain(
        'not updated s.test.yaml:16 output.equals: it is the same for all rows of `each`',
      );
      expect(readFileSync(join(own.path, 's.test.yaml'), 'utf8')).toBe(
        STEPS.replace('output.equals: old', 'output.equals: I am Ann'),
      );
    } finally {
      own.remove();
    }
  });
});
