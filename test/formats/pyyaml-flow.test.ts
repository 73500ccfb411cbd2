import { describe, expect, test } from 'vitest';
import { loadYaml } from '../../src/suites/formats/yaml/load-yaml.ts';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';

/** As PyYAML 6.0 reads them; undefined: it refuses. */
const RECORDED: [text: string, value?: unknown][] = [
  [': x'],
  [': '],
  ['- : a'],
  ['- a: b\n  : c'],
  ['x: : a'],
  ['[::x]'],
  ['[:x]'],
  ['[: x]'],
  ['[:]'],
  ['{::x}'],
  ['{: x}'],
  ['{a: :x}'],
  ['["a"::b]'],
  ['[-, {: x}]'],
  ['{a: -, b: c}', { a: '-', b: 'c' }],
  ['{a: -,b: c}', { a: '-', b: 'c' }],
  ['[-]', ['-']],
  ['[-, a, -]', ['-', 'a', '-']],
  ['{"a": -}', { a: '-' }],
  ['x: {a: [-], b: "-,"} # [-]', { x: { a: ['-'], b: '-,' } }],
  ['[- a]'],
  ['{a: - b}'],
  ['[-a]', ['-a']],
  ['[a::b]', ['a::b']],
  ['[a:b]', ['a:b']],
  ['{a: b:c}', { a: 'b:c' }],
  ['x: ::'],
  ['x: :a', { x: ':a' }],
  ['x: ?a', { x: '?a' }],
];

/** The same, with lines in brackets and quotes that are not deeper than their key. */
const UNINDENTED: [text: string, value?: unknown][] = [
  ['x: [\n  a,\n  b\n]', { x: ['a', 'b'] }],
  ['x: {\n  "a": 1\n}', { x: { a: 1 } }],
  ['- x: [\n    a\n  ]\n  y: 1', [{ x: ['a'], y: 1 }]],
  ['x: [a,\nb]\ny: {c: d\n}', { x: ['a', 'b'], y: { c: 'd' } }],
  ['x: [\r\n  a\r\n]\r\ny: 1', { x: ['a'], y: 1 }],
  ['x: [\n  a, # one\n  # two\n  b  # three\n]\ny: 1', { x: ['a', 'b'], y: 1 }],
  ["x: [\"a # b\",\n'c'' # d'\n]", { x: ['a # b', "c' # d"] }],
  ['x: [a\n\nb\nc]', { x: ['a\nb c'] }],
  ['x: "a\nb"\ny: 1', { x: 'a b', y: 1 }],
  ["x: 'a\n\n  b'\ny: [\n]", { x: 'a\nb', y: [] }],
  ['x: [a # b\nc]'],
  ['x: [a\n---\nb]'],
  ['x: [a\ny: b'],
  ['x: ["a\n# b"\n]', { x: ['a # b'] }],
];

describe.each(['pyyaml', 'core'] as const)(
  'lines in brackets and quotes that are not indented (%s)',
  (scalars) => {
    for (const [text, value] of UNINDENTED)
      test(JSON.stringify(text), () => {
        const { value: read, findings } = loadYaml(text, { scalars });
        const errors = findings.map(({ code }) => code);
        if (value === undefined) expect(errors).toEqual(['yaml_syntax']);
        else expect([read, errors]).toEqual([value, []]);
      });

    test('findings are at their own lines', () => {
      const text = 'x: [\n  a, # one\n]\ny: {\n  b: 1,\n  b: 2\n}';
      expect(loadYaml(text, { scalars }).findings).toMatchObject([{ line: 6, column: 3 }]);
    });
  },
);

describe('colons, dashes and question marks as PyYAML reads them', () => {
  for (const [text, value] of RECORDED)
    test(JSON.stringify(text), () => {
      const { value: read, findings } = loadYaml(text, { scalars: 'pyyaml' });
      const errors = findings.filter(({ severity }) => severity === 'error');
      if (value === undefined) expect(errors.map(({ code }) => code)).toEqual(['yaml_syntax']);
      else if (value !== undefined) expect([read, errors]).toEqual([value, []]);
    });

  test('what PyYAML reads as a key that `?` announces is never another value', () => {
    for (const text of ['x: [?a]', 'x: {?a: b}']) {
      const { findings } = loadYaml(text, { scalars: 'pyyaml' });
      expect(findings).toMatchObject([{ severity: 'error', code: 'yaml_syntax', line: 1, column: 5 }]);
    }
  });

  test('eval files are YAML 1.2, which reads them', () => {
    expect(loadYaml('[::x]', { scalars: 'core' })).toEqual({ value: ['::x'], findings: [] });
  });
});

describe('claims that TestHaven does not have', () => {
  const parse = (text: string) => parseSuite({ path: 'a.test.yaml', text }).findings;
  const step =
    'input: x\nassert:\n  output.includes: a\n  tools_used.includes: [b]\n  output.not_equals: c\n';

  test('get a warning in a file with `schema_version`', () => {
    expect(parse(`schema_version: 1\n${step}`)).toMatchObject([
      { severity: 'warning', code: 'not_in_testhaven', line: 5, path: 'tools_used.includes' },
      { severity: 'warning', code: 'not_in_testhaven', line: 6, path: 'output.not_equals' },
    ]);
  });

  test('get none in other step tests', () => {
    expect(parse(step)).toEqual([]);
    expect(parse('schema_version: 1\ninput: x\nassert:\n  tools_used: [b]\n  memory.a: 1\n')).toEqual([]);
  });
});
