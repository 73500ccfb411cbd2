import { chmodSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discover } from '../../src/suites/load/discover.ts';
import { loadSuites } from '../../src/index.ts';
import { brief, CASE_LINE, createTempFolder, STEP_TEST } from './temp-folder.ts';

async function found(folder: string, ...paths: string[]) {
  const { files, unmatched } = await discover(paths.length === 0 ? [folder] : paths);
  return {
    files: files.map((file) => relative(folder, file)),
    unmatched: unmatched.map(({ argument }) => argument),
  };
}

const named = (...names: string[]) =>
  createTempFolder(Object.fromEntries(names.map((name) => [name, STEP_TEST])));

describe('a folder is searched for', () => {
  const suites = [
    'EVAL.yaml',
    'a.test.yaml',
    'a.test.yml',
    'a.test.json',
    'a.test.jsonl',
    'b.eval.yaml',
    'b.eval.yml',
    'b.eval.json',
    'b.eval.jsonl',
    'dataset.yaml',
    'dataset.yml',
    'dataset-2.jsonl',
    'dataset.jsonl.yaml',
    'C.TEST.YAML',
    'D.Eval.Json',
    'Dataset9.JSONL',
    'deep/er/x.test.yaml',
  ];
  const others = [
    'EVAL.yml',
    'eval.yaml',
    'a.yaml',
    'a.json',
    'a.jsonl',
    'test.yaml',
    'a.tests.yaml',
    'a.test.yaml.bak',
    'a.test.txt',
    'mydataset.yaml',
    'dataset.json',
    'a.test.baseline.jsonl',
    'dataset.baseline.jsonl',
    'dataset.BASELINE.jsonl',
    'node_modules/x.test.yaml',
    'deep/node_modules/p/x.test.yaml',
    '.hidden/x.test.yaml',
    'deep/.git/x.test.yaml',
  ];

  test('suites by their names, and nothing else', async () => {
    const { files, unmatched } = await found(named(...suites, ...others));
    expect(new Set(files)).toEqual(new Set(suites));
    expect(unmatched).toEqual([]);
  });

  test.each(others.filter((name) => !name.includes('txt') && !name.includes('.bak')))(
    '%s is read if it is named',
    async (name) => {
      const folder = named(name);
      expect((await found(folder, join(folder, name))).files).toEqual([name]);
    },
  );

  test('hidden files are found, in folders that are named even below hidden ones', async () => {
    const folder = named('.hidden/x.test.yaml', '.y.test.yaml');
    expect((await found(folder)).files).toEqual(['.y.test.yaml']);
    expect((await found(folder, join(folder, '.hidden'))).files).toEqual(['.hidden/x.test.yaml']);
  });

  test('files are sorted by code points of their paths', async () => {
    const folder = named(
      'b.test.yaml',
      'a.test.yaml',
      'B.test.yaml',
      'a/z.test.yaml',
      'é.test.yaml',
      '😀.test.yaml',
      '\uFF5E.test.yaml',
      'a-b.test.yaml',
    );
    expect((await found(folder)).files).toEqual([
      'B.test.yaml',
      'a-b.test.yaml',
      'a.test.yaml',
      'a/z.test.yaml',
      'b.test.yaml',
      'é.test.yaml',
      '\uFF5E.test.yaml',
      '😀.test.yaml',
    ]);
  });

  test('a file named twice is read once', async () => {
    const folder = named('a.test.yaml');
    expect(
      (await found(folder, folder, join(folder, 'a.test.yaml'), `${folder}/./a.test.yaml`)).files,
    ).toEqual(['a.test.yaml']);
  });

  test('a link to a file is followed, a link to a folder is not', async () => {
    const folder = named('real/a.test.yaml');
    symlinkSync(join(folder, 'real'), join(folder, 'linked'));
    symlinkSync(join(folder, 'real/a.test.yaml'), join(folder, 'b.test.yaml'));
    expect((await found(folder)).files).toEqual(['b.test.yaml', 'real/a.test.yaml']);
  });

  test.skipIf(process.getuid?.() === 0)('an unreadable folder is reported', async () => {
    const folder = named('a/a.test.yaml', 'b.test.yaml');
    chmodSync(join(folder, 'a'), 0);
    expect(await found(folder)).toEqual({ files: ['b.test.yaml'], unmatched: [join(folder, 'a')] });
    chmodSync(join(folder, 'a'), 0o755);
  });
});

describe('globs', () => {
  test("match any file with a suite's extension", async () => {
    const folder = named('x/a.yaml', 'x/b.test.yaml', 'x/c.txt', 'x/y/d.json', 'x/node_modules/e.yaml');
    expect((await found(folder, `${folder}/**/*`)).files).toEqual([
      'x/a.yaml',
      'x/b.test.yaml',
      'x/y/d.json',
    ]);
    expect((await found(folder, `${folder}/x/{a,b}*.yaml`)).files).toEqual(['x/a.yaml', 'x/b.test.yaml']);
  });

  test('that match nothing are reported', async () => {
    const folder = named('c.txt');
    expect((await found(folder, `${folder}/*.yaml`, `${folder}/*.txt`)).unmatched).toEqual([
      `${folder}/*.yaml`,
      `${folder}/*.txt`,
    ]);
  });

  test('a file whose name looks like a glob is read', async () => {
    const folder = named('a[1].test.yaml');
    expect((await found(folder, join(folder, 'a[1].test.yaml'))).files).toEqual(['a[1].test.yaml']);
  });

  test('end even if links form a loop', async () => {
    const folder = named('x/a.yaml');
    symlinkSync('..', join(folder, 'x/up'));
    expect((await found(folder, `${folder}/**/*.yaml`)).files).toContain('x/a.yaml');
  });
});

const line = (id: string, more = '') => `{"id":"${id}","input":"q","outcome":"G"${more}}`;

const loadBeside = async (files: Record<string, string>, path = '.') => {
  const folder = createTempFolder(files);
  const { suites, findings } = await loadSuites([join(folder, path)]);
  return {
    suites,
    problems: findings.map((finding) => `${relative(folder, finding.file)} ${brief(finding)}`),
  };
};

describe('sidecars', () => {
  test('provide defaults for all lines', async () => {
    const { suites, problems } = await loadBeside({
      'dataset.jsonl': `${line('a')}\n${line('b', ',"execution":{"target":"own"},"threshold":0.1,"tags":["own"]')}\n${line('c', ',"evaluators":[{"type":"equals","value":"y"}]')}\n`,
      'dataset.yaml':
        'description: d\ndataset: named\nthreshold: 0.5\ntags: [shared]\nexecution: { target: t, evaluators: [{ type: contains, value: x }] }\n',
    });
    expect(problems).toEqual([]);
    expect(suites).toMatchObject([
      {
        format: 'dataset',
        dataset: 'named',
        description: 'd',
        tests: [
          {
            id: 'a',
            target: 't',
            threshold: 0.5,
            tags: ['shared'],
            steps: [{ assertions: [{ kind: 'contains' }] }],
          },
          {
            id: 'b',
            target: 'own',
            threshold: 0.1,
            tags: ['own'],
            steps: [{ assertions: [{ kind: 'contains' }] }],
          },
          { id: 'c', target: 't', threshold: 0.5, steps: [{ assertions: [{ kind: 'equals' }] }] },
        ],
      },
    ]);
  });

  test('`evaluators` make the goal optional, and `evaluator` sets the default one', async () => {
    const { suites, problems } = await loadBeside({
      'a.test.jsonl': '{"id":"a","input":"q"}',
      'a.test.yaml': 'evaluators: [{ type: contains, value: x }]',
    });
    expect(problems).toEqual([]);
    expect(suites).toHaveLength(1);
    const other = await loadBeside({ 'a.test.jsonl': line('a'), 'a.test.yaml': 'evaluator: match' });
    expect(other.suites[0]!.tests[0]!.steps[0]!.assertions).toMatchObject([{ kind: 'match' }]);
  });

  test('a missing sidecar is not a finding, and .yml does not count', async () => {
    expect((await loadBeside({ 'a.test.jsonl': line('a') })).problems).toEqual([]);
    expect(
      (await loadBeside({ 'a.test.jsonl': line('a'), 'a.test.yml': 'threshold: 0.5' })).problems,
    ).toEqual(['a.test.yml 1:1 error unknown_format']);
  });

  test.each([
    [
      'an unknown evaluator',
      'evaluators: [{ type: contians }]',
      '1:22 error unknown_evaluator evaluators[0].type',
    ],
    ['broken YAML', 'threshold: [', '1:12 error yaml_syntax'],
    ['a list', '- threshold', '1:1 error type'],
    ['nothing', '', '1:1 error type'],
    ['a misspelled field that holds checks', 'evaluatrs: []', '1:1 error unknown_field evaluatrs'],
  ])('%s is an error, reported once, that stops the dataset too', async (_name, text, problem) => {
    const { problems, suites } = await loadBeside({
      'a.test.jsonl': '{"id":"a","input":"q"}',
      'a.test.yaml': text,
    });
    expect(problems).toEqual([`a.test.yaml ${problem}`, 'a.test.jsonl 1:1 error invalid_sidecar']);
    expect(suites.map(({ file }) => file.endsWith('.jsonl'))).toEqual([true]);
  });

  test('a folder in place of a sidecar is an error', async () => {
    expect((await loadBeside({ 'a.test.jsonl': line('a'), 'a.test.yaml/x.txt': '' })).problems).toEqual([
      'a.test.yaml 1:1 error not_a_file',
      'a.test.jsonl 1:1 error invalid_sidecar',
    ]);
  });

  test('an unknown field is a warning', async () => {
    expect((await loadBeside({ 'a.test.jsonl': line('a'), 'a.test.yaml': 'notes: x' })).problems).toEqual([
      'a.test.yaml 1:1 warning unknown_field notes',
    ]);
  });

  test('a YAML file with its own tests is a suite, not a sidecar', async () => {
    const { suites, problems } = await loadBeside({
      'a.test.jsonl': line('a'),
      'a.test.yaml': `description: d\n${'cases: [{ id: z, input: q, outcome: G }]'}`,
    });
    expect(problems).toEqual([]);
    expect(suites.map(({ format, description }) => [format, description])).toEqual([
      ['dataset', undefined],
      ['eval', 'd'],
    ]);
    const steps = await loadBeside({ 'a.test.jsonl': line('a'), 'a.test.yaml': STEP_TEST });
    expect(steps.problems).toEqual([]);
    expect(steps.suites.map(({ format }) => format)).toEqual(['dataset', 'steps']);
  });

  test('a sidecar that is named alone is checked and has no tests', async () => {
    const files = { 'a.test.jsonl': CASE_LINE, 'a.test.yaml': 'threshold: 7' };
    expect(await loadBeside(files, 'a.test.yaml')).toMatchObject({
      suites: [],
      problems: ['a.test.yaml 1:12 error range threshold'],
    });
    expect(await loadBeside({ ...files, 'a.test.yaml': 'threshold: 0.7' }, 'a.test.yaml')).toMatchObject({
      suites: [],
      problems: [],
    });
  });
});
