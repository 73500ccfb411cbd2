import { describe, expect, test } from 'vitest';
import { loadYaml } from '../../src/suites/formats/yaml/load-yaml.ts';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { printJson } from '../../src/base/model/print-json.ts';
import { effort } from '../effort.ts';

const codes = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ code }) => code))];
const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels);

const yaml = (levels: number, inner = '') =>
  parseSuite({
    path: 'a.yaml',
    text: `cases: [{ id: a, input: q, outcome: G, metadata: { x: ${nested(levels - 4, inner)} } }]`,
  });

const json = (levels: number, inner = '') =>
  parseSuite({
    path: 'a.json',
    text: `{"cases":[{"id":"a","input":"q","outcome":"G","metadata":{"x":${nested(levels - 4, inner)}}}]}`,
  });

const jsonl = (levels: number, inner = '') =>
  parseSuite({
    path: 'a.jsonl',
    text: `{"id":"a","input":"q","outcome":"G","metadata":{"x":${nested(levels - 2, inner)}}}`,
  });

describe('depth', () => {
  // The object, `metadata` in a case in a list, and the brackets.

  test.each(['', '1'])('200 levels are read and 201 are refused in every format (around %j)', (inner) => {
    for (const parse of [yaml, json, jsonl]) {
      expect(codes(parse(200, inner).findings)).toEqual([]);
      expect(parse(201, inner).findings).toMatchObject([
        { code: 'too_deep', message: 'nested more than 200 levels deep' },
      ]);
      expect(codes(parse(100_000, inner).findings)).toEqual(['too_deep']);
    }
  });

  test('deep block style, unclosed flow style and deep aliases are refused', () => {
    const block = Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
    expect(codes(loadYaml(block, { scalars: 'core' }).findings)).toEqual(['too_deep']);
    expect(codes(loadYaml('['.repeat(100_000), { scalars: 'core' }).findings)).toEqual(['too_deep']);
    expect(codes(loadYaml('- '.repeat(5000), { scalars: 'pyyaml' }).findings)).toEqual(['too_deep']);
    const chain = Array.from(
      { length: 300 },
      (_, level) => `a${level}: &a${level} [${level === 0 ? '' : `*a${level - 1}`}]`,
    ).join('\n');
    expect(codes(loadYaml(chain, { scalars: 'core' }).findings)).toEqual(['too_deep']);
  });
});

describe('bombs', () => {
  test('aliases that expand to many values are refused', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    expect(codes(parseSuite({ path: 'a.yaml', text: lines.join('\n') }).findings)).toEqual([
      'yaml_alias_bomb',
    ]);
  });

  test('aliases that expand to much text are refused', () => {
    const text = `cases:\n  - id: &long ${'x'.repeat(1_000_000)}\n    input: q\n    metadata: { all: [${Array(1000).fill('*long').join(', ')}] }\n`;
    expect(codes(parseSuite({ path: 'a.yaml', text }).findings)).toEqual(['yaml_alias_bomb']);
  });

  test('aliases below the limits are read', () => {
    const text = `cases:\n  - id: a\n    input: q\n    outcome: G\n    metadata: { x: &x [1, 2], all: [${Array(10_000).fill('*x').join(', ')}] }\n`;
    const { suite, findings } = parseSuite({ path: 'a.yaml', text });
    expect(findings).toEqual([]);
    expect(suite!.tests[0]!.metadata!['all']).toHaveLength(10_000);
  });

  test('merges that multiply are refused', () => {
    const merged = Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join(', ');
    const lines = [`- &m0 { ${merged}, input: x }`];
    for (let level = 1; level < 150; level++) lines.push(`- &m${level} { <<: *m${level - 1} }`);
    expect(codes(parseSuite({ path: 'a.test.yaml', text: lines.join('\n') }).findings)).toContain(
      'yaml_merge',
    );
  });

  test('an alias inside the value it names is refused', () => {
    for (const text of ['a: &a [*a]', 'a: &a { b: *a }', 'a: &a { <<: *a }', '&a [*a]']) {
      expect(codes(loadYaml(text, { scalars: 'pyyaml' }).findings)).toEqual(['yaml_alias']);
    }
  });
});

const keys = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"key${index}": ${index}`).join(',\n');

describe('many keys', () => {
  test.each(effort({ short: [10_000], long: [40_000, 200_000] }))(
    '%i keys in one object are read in YAML and in JSON',
    (count) => {
      for (const path of ['a.yaml', 'a.json']) {
        const { suite, findings } = parseSuite({
          path,
          text: `{"cases":[{"id":"a","input":"q","outcome":"G","metadata":{${keys(count)}}}]}`,
        });
        expect(findings).toEqual([]);
        expect(Object.keys(suite!.tests[0]!.metadata!)).toHaveLength(count);
      }
    },
  );

  test('a duplicate among very many keys is found', () => {
    const count = effort({ short: 10_000, long: 200_000 });
    for (const path of ['a.yaml', 'a.json']) {
      const { findings } = parseSuite({ path, text: `{"cases":[],"x":{${keys(count)},\n"key7": 1}}` });
      expect(findings).toContainEqual(expect.objectContaining({ code: 'duplicate_key', line: count + 1 }));
    }
  });

  test('each of many unknown fields is a finding', () => {
    const count = effort({ short: 2000, long: 40_000 });
    const { findings } = parseSuite({
      path: 'a.jsonl',
      text: `{"id":"a","input":"q","outcome":"G",${keys(count).replaceAll('\n', '')}}`,
    });
    expect(findings).toHaveLength(count);
    expect(findings.at(-1)).toMatchObject({ code: 'unknown_field', path: `key${count - 1}` });
  });

  test('a very long key does not flood the message', () => {
    for (const path of ['a.yaml', 'a.jsonl']) {
      const { findings } = parseSuite({
        path,
        text: `{"id":"a","input":"q","outcome":"G","steps":[],"${'k'.repeat(100_000)}":1}`,
      });
      for (const { message, hint } of findings)
        expect(message.length + (hint?.length ?? 0)).toBeLessThan(1000);
    }
    const twice = `"${'k'.repeat(100_000)}":1`;
    expect(
      parseSuite({ path: 'a.json', text: `{${twice},${twice}}` }).findings[0]!.message.length,
    ).toBeLessThan(200);
  });
});

describe('names of Object.prototype are ordinary keys', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
  const object = `{${NAMES.map((name) => `"${name}":{"polluted":true}`).join(',')}}`;

  test.each(['yaml', 'json', 'jsonl'])('from the file to the printed model, in %s', (format) => {
    const one = `{"id":"a","outcome":"G","memory":${object},"input":[{"role":"user","content":${object},"__proto__":{"x":1}}],"expected_output":${object},"metadata":${object}}`;
    const { suite, findings } = parseSuite({
      path: `a.${format}`,
      text: format === 'jsonl' ? one : `{"cases":[${one}]}`,
    });
    expect(findings).toEqual([]);
    const [read] = suite!.tests;
    expect(printJson(read!.memory)).toBe(object);
    expect(printJson(read!.expected_messages)).toBe(`[{"role":"assistant","content":${object}}]`);
    expect(Object.keys(read!.input_messages![0]!)).toEqual(['role', 'content', '__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(read!.memory)).toBe(Object.prototype);
  });

  test.each(NAMES)('%s as a field, an assertion, a role, an evaluator, a tag', (name) => {
    for (const text of [
      `{"steps":[{"input":"x","assert":{"${name}":1}}],"${name}":1}`,
      `{"cases":[{"id":"${name}","input":[{"role":"${name}","content":"x"}],"evaluators":[{"type":"${name}"},{"${name}":1}]}]}`,
    ]) {
      const { findings } = parseSuite({ path: 'a.json', text });
      expect(findings.length).toBeGreaterThan(1);
      for (const finding of findings)
        expect(`${finding.message}${finding.hint}`).not.toContain('native code');
    }
    expect(codes(loadYaml(`a: !${name} x`, { scalars: 'core' }).findings)).toEqual(['yaml_tag']);
    expect(codes(loadYaml(`a: *${name}`, { scalars: 'core' }).findings)).toEqual(['yaml_alias']);
  });

  test('ids', () => {
    const text = NAMES.map((name) => `{"id":"${name}","input":"q","outcome":"G"}`).join('\n');
    expect(parseSuite({ path: 'a.jsonl', text }).findings).toEqual([]);
    expect(parseSuite({ path: 'a.yaml', text: `cases: [${text.replaceAll('\n', ',')}]` }).findings).toEqual(
      [],
    );
  });
});

const readNumber = (number: string, format: string) => {
  const one = `{"id":"a","outcome":"G","input":"q","memory":{"n":${number}}}`;
  const { suite, findings } = parseSuite({
    path: `a.${format}`,
    text: format === 'jsonl' ? one : `{"cases":[${one}]}`,
  });
  return { value: suite?.tests[0]?.memory?.['n'], codes: codes(findings) };
};

describe('numbers', () => {
  describe.each(['yaml', 'json', 'jsonl'])('in %s', (format) => {
    test.each([
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', 9007199254740993n],
      ['-9007199254740993', -9007199254740993n],
      ['123456789012345678901234567890', 123456789012345678901234567890n],
      ['1.0', 1],
      ['1e3', 1000],
      ['1E-2', 0.01],
      ['0.1', 0.1],
      ['1e-400', 0],
      ['1.7976931348623157e308', Number.MAX_VALUE],
    ])('%s is kept', (number, value) => {
      expect(readNumber(number, format)).toEqual({ value, codes: [] });
    });

    test('an integer of 4,300 digits is kept exactly, and one of 5,000 digits is refused', () => {
      expect(printJson(readNumber('7'.repeat(4300), format).value)).toBe('7'.repeat(4300));
      expect(readNumber('7'.repeat(5000), format).codes).toHaveLength(1);
    });

    test('a number that is too large is an error', () => {
      for (const number of ['1e400', '-1e400', '1e99999'])
        expect(readNumber(number, format).codes).toEqual(['not_finite']);
    });
  });

  test('a number of a million digits is refused quickly', () => {
    for (const format of ['yaml', 'json', 'jsonl'])
      expect(readNumber('7'.repeat(1_000_000), format).codes).toHaveLength(1);
  });

  test('.nan and .inf are errors in both kinds of YAML file', () => {
    for (const word of ['.nan', '.inf', '-.inf']) {
      expect(
        codes(
          parseSuite({
            path: 'a.yaml',
            text: `cases: [{ id: a, outcome: G, input: q, memory: { n: ${word} } }]`,
          }).findings,
        ),
      ).toEqual(['not_finite']);
      expect(
        codes(parseSuite({ path: 'a.test.yaml', text: `input: x\nassert: { memory.n: ${word} }` }).findings),
      ).toEqual(['not_finite']);
    }
  });
});

describe('characters', () => {
  test('escaped lone surrogates are kept in every format', () => {
    for (const format of ['yaml', 'json', 'jsonl']) {
      const one = String.raw`{"id":"a\ud83d","outcome":"G","input":"\udc00x"}`;
      const { suite } = parseSuite({
        path: `a.${format}`,
        text: format === 'jsonl' ? one : `{"cases":[${one}]}`,
      });
      expect(suite!.tests[0]).toMatchObject({ id: 'a\ud83d', input_messages: [{ content: '\udc00x' }] });
    }
  });

  test('control characters are errors at their place in YAML and JSON', () => {
    for (const character of ['\0', '\u0007', '\u001b']) {
      expect(parseSuite({ path: 'a.yaml', text: `cases:\n  - id: "a${character}b"` }).findings).toMatchObject(
        [{ code: 'yaml_syntax', line: 2, column: 11 }],
      );
      expect(parseSuite({ path: 'a.jsonl', text: `{"id":"a${character}b"}` }).findings).toMatchObject([
        { code: 'json', column: 9 },
      ]);
    }
  });
});
