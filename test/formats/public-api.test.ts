import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSuites, loadYaml, parseSuite, readDataset } from '../../src/index.ts';
import { CASE_LINE, createTempFolder, STEP_TEST } from './temp-folder.ts';

test('loadSuites loads folders, files and globs, and never throws for a bad one', async () => {
  const folder = createTempFolder({
    'a.test.yaml': STEP_TEST,
    'b.test.json': '{',
    'c.eval.jsonl': CASE_LINE,
  });
  const { suites, findings } = await loadSuites([folder, join(folder, 'nope.yaml')]);
  expect(suites.map(({ format, file }) => [format, file])).toEqual([
    ['steps', join(folder, 'a.test.yaml')],
    ['dataset', join(folder, 'c.eval.jsonl')],
  ]);
  expect(findings.map(({ code }) => code)).toEqual(['no_such_file', 'json']);
});

test('parseSuite reads a text and opens no file', () => {
  const { suite, findings } = parseSuite({ path: '/does/not/exist/x.test.yaml', text: STEP_TEST });
  expect(findings).toEqual([]);
  expect(suite).toMatchObject({ file: '/does/not/exist/x.test.yaml', tests: [{ id: 'x' }] });
});

test('readDataset streams tests and findings, and may be left early', async () => {
  const folder = createTempFolder({ 'a.jsonl': `${CASE_LINE}\n{\n${CASE_LINE.replace('"a"', '"b"')}\n` });
  const file = join(folder, 'a.jsonl');
  const seen: (string | undefined)[] = [];
  for await (const { line, test: read, findings, text } of readDataset(file)) {
    seen.push(`${line} ${read?.id ?? findings[0]?.code} ${text.length}`);
  }
  expect(seen).toEqual([`1 a ${CASE_LINE.length}`, '2 json 1', `3 b ${CASE_LINE.length}`]);
  for await (const { line } of readDataset(file)) if (line === 1) break;
});

test('readDataset of a missing file gives a finding', async () => {
  for await (const { line, findings } of readDataset('/does/not/exist.jsonl')) {
    expect([line, findings.map(({ code }) => code)]).toEqual([0, ['unreadable']]);
  }
});

test('a place in a dataset is computed when it is asked for', async () => {
  const folder = createTempFolder({ 'a.jsonl': `\n  ${CASE_LINE}` });
  for await (const { test: read } of readDataset(join(folder, 'a.jsonl'))) {
    expect([read!.place.line, read!.place.column]).toEqual([2, 3]);
    expect(read!.steps[0]!.places.input_messages).toMatchObject([
      { line: 2, column: CASE_LINE.indexOf('"q"') + 3 },
    ]);
  }
});

test('loadYaml reads scalars by either dialect', () => {
  const text = '[yes, 010, 12:30, 1e3, 0o10, 2020-01-01, "yes"]';
  expect(loadYaml(text, { scalars: 'core' })).toEqual({
    value: ['yes', 10, '12:30', 1000, 8, '2020-01-01', 'yes'],
    findings: [],
  });
  const { value, findings } = loadYaml(text, { scalars: 'pyyaml', file: 'x.yaml' });
  expect(value).toEqual([true, 8, 750, '1e3', '0o10', '2020-01-01', 'yes']);
  expect(findings.map(({ code, column, file, severity }) => [severity, code, column, file])).toEqual([
    ['warning', 'yaml_dialect', 2, 'x.yaml'],
    ['warning', 'yaml_dialect', 7, 'x.yaml'],
    ['warning', 'yaml_dialect', 12, 'x.yaml'],
    ['warning', 'yaml_dialect', 19, 'x.yaml'],
    ['warning', 'yaml_dialect', 24, 'x.yaml'],
    ['warning', 'yaml_date', 30, 'x.yaml'],
  ]);
});

test('loadYaml gives findings and null for bad input', () => {
  expect(loadYaml('a: [', { scalars: 'core' })).toMatchObject({
    value: null,
    findings: [{ code: 'yaml_syntax', file: '' }],
  });
  expect(loadYaml('', { scalars: 'pyyaml' })).toEqual({ value: null, findings: [] });
});

test.each([
  ['{ a: 1, "a": 2 }', 'duplicate_key'],
  ['{ yes: 1, "yes": 2 }', 'duplicate_key'],
  ['{ yes: 1, true: 2 }', 'duplicate_key'],
  ['{ ~: 1, null: 2 }', 'duplicate_key'],
  ['{ ~: 1, "~": 2 }', 'duplicate_key'],
  ['a: 1\n---\nb: 2', 'yaml_documents'],
  ['a: !foo 1', 'yaml_tag'],
  ['a: !!python/name:os.system x', 'yaml_tag'],
  ['a: !!binary aGk=', 'yaml_tag'],
  ['[a]: 1', 'yaml_key'],
  ['<<: 5', 'yaml_merge'],
])('%j gives an error with the code %s', (text, code) => {
  const errors = loadYaml(text, { scalars: 'pyyaml' }).findings.filter(
    ({ severity }) => severity === 'error',
  );
  expect(errors.map((finding) => finding.code)).toEqual([code]);
});

test('keys that only look alike are different keys', () => {
  const { value, findings } = loadYaml('{ yes: 1, "true": 2, no: 3, "false": 4, ~: 5, "null": 6 }', {
    scalars: 'pyyaml',
  });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(value).toEqual({ yes: 1, true: 2, no: 3, false: 4, '~': 5, null: 6 });
});
