import { expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';

/** The hints of the errors in a file, each once. */
function hints(path: string, text: string): readonly string[] {
  const found = parseSuite({ path, text }).findings.filter(
    ({ severity, code }) => severity === 'error' && code !== 'id',
  );
  return [...new Set(found.map(({ hint = '' }) => hint))];
}

const INDENT = 'is a claim: indent it, so that it is inside `assert`';

test.each([
  ['a step', 'steps:\n  - input: hi\n    assert:\n    output.includes: a\n', '`output.includes`'],
  ['a single turn', 'input: hi\nassert:\ntools_used: [a]\n', '`tools_used`'],
  ['memory', 'steps:\n  - input: hi\n    assert:\n    memory.a.b: 1\n', '`memory.a.b`'],
  [
    'a case',
    'evalcases:\n  - id: a\n    steps:\n      - input: hi\n        assert:\n        output.equals: a\n',
    '`output.equals`',
  ],
])('claims next to `assert` instead of inside it are reported with a fix: %s', (_name, text, key) => {
  expect(hints('a.yaml', text)).toContain(`${key} ${INDENT}`);
  // The empty `assert` is the same mistake, and is not reported a second time.
  const codes = parseSuite({ path: 'a.yaml', text }).findings.map(({ code }) => code);
  expect(codes).not.toContain('null_value');
});

test('an empty `assert` without claims next to it is reported', () => {
  for (const text of [
    'steps:\n  - input: hi\n    assert:\n    other: 1\n',
    'input: hi\nassert:\n',
    'input: hi\nassert: { output.includes: a }\ndescription:\nmemory.a: 1\n',
  ])
    expect(parseSuite({ path: 'a.yaml', text }).findings).toContainEqual(
      expect.objectContaining({ code: 'null_value' }),
    );
});

test('a second claim of the same kind is reported with a fix', () => {
  for (const key of ['output.includes', 'output.not_matches', 'tools_used', 'tools_used.excludes']) {
    const wanted = expect.arrayContaining([`write \`${key}_2\` for the second claim`]) as unknown;
    expect(hints('a.yaml', `input: hi\nassert:\n  ${key}: a\n  ${key}: b\n`)).toEqual(wanted);
    expect(hints('a.json', `{"input":"hi","assert":{"${key}":"a","${key}":"b"}}`)).toEqual(wanted);
    // What is offered works.
    expect(
      hints(
        'a.yaml',
        `input: hi\nassert:\n  ${key}: [a]\n  ${key}_2: [b]\n`.replaceAll(/(output.*): \[(.)\]/g, '$1: $2'),
      ),
    ).toEqual([]);
  }
  // A path of memory ends as it is written: it has no second spelling.
  expect(hints('a.yaml', 'input: hi\nassert:\n  memory.a: 1\n  memory.a: 2\n')).toContain(
    'remove or rename one of them',
  );
});

test('`name` instead of `id` is reported with a fix', () => {
  expect(hints('a.yaml', 'name: x\ninput: hi\nassert: { output.includes: a }\n')).toEqual([
    'the name of a test is its `id`',
  ]);
  expect(hints('a.yaml', '- name: x\n  steps: [{ input: hi, assert: { output.includes: a } }]\n')).toEqual([
    'the name of a test is its `id`',
  ]);
  const { findings } = parseSuite({
    path: 'a.yaml',
    text: 'evalcases:\n  - { name: x, input: hi, outcome: y }\n',
  });
  expect(findings.map(({ hint }) => hint)).toContain('the name of a case is its `id`');
});

test('a JSON array in a dataset is reported with a fix, in every layout', () => {
  const item = '{"id":"a","input":"x","outcome":"y"}';
  const other = item.replace('"a"', '"b"');
  const wanted = [expect.stringContaining('this looks like a JSON array: a dataset has one case per line')];
  for (const text of [
    `[${item}]`,
    `[${item},\n ${other}]`,
    `[\n${item},\n${other}\n]\n`,
    `[\r\n  ${item},\r\n  ${other}\r\n]`,
  ])
    expect(hints('a.jsonl', text), text).toEqual(wanted);
  // A broken line of its own is not an array.
  expect(hints('a.jsonl', '{"id":"a","input":[{"role":"user"}]')).not.toEqual(wanted);
  expect(hints('a.jsonl', '{\n"id": "a"\n}')[0]).toContain('JSON over several lines');
});
