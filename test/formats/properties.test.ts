import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { effort } from '../effort.ts';
import * as fc from '../seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { isCleanJson } from '../../src/suites/formats/clean-json.ts';
import { readStrictJson } from '../../src/suites/formats/strict-json.ts';
import { loadYaml } from '../../src/suites/formats/yaml/load-yaml.ts';
import { loadSuites, parseSuite } from '../../src/index.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { createTempFolder } from './temp-folder.ts';

const PATHS = ['a.yaml', 'a.test.yaml', 'a.json', 'a.jsonl'] as const;

/** Pieces that YAML and JSON give a meaning to, in any order. */
const PIECES = [
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  ': ',
  ':',
  ' ',
  '\t',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ',',
  '#',
  '&a ',
  '*a',
  '<<',
  '!!str ',
  '!x ',
  '|',
  '>',
  '---\n',
  '...',
  '%YAML 1.2',
  '?',
  '\\',
  '\\u12',
  '\uFEFF',
  '\r',
  '\0',
  '\u2028',
  '😀',
  '\ud800',
  'null',
  'true',
  'yes',
  '1e400',
  '0x',
  '.inf',
  '12:30',
  '2020-01-01',
  'id',
  'input',
  'steps',
  'assert',
  'evalcases',
  'output.matches',
  '(?',
  'type',
  'contains',
  '__proto__',
];
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(''));

const VALID: readonly string[] = [
  'evalcases:\n  - id: a\n    input: "x"\n    expected_outcome: G\n    evaluators: [{ type: contains, value: y }]\n',
  'steps:\n  - input: x\n    assert:\n      output.matches: "a+"\n      memory.a: { b: [1, ~] }\n  - &s { input: y, expected: { output: z } }\n  - *s\n',
  '{"cases":[{"id":"a","input":[{"role":"user","content":"x"}],"rubrics":["k"],"outcome":"G"}]}',
  '{"id":"a","input":"x","outcome":"G"}\n{"id":"b","steps":[{"input":"x","assert":{"tools_used":[]}}]}\n',
];

/** A valid text with some of it cut out, doubled or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...VALID),
    fc.array(
      fc.tuple(fc.nat(400), fc.nat(6), fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 }))),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((current, [at, cut, insert]) => {
      const start = at % (current.length + 1);
      return current.slice(0, start) + insert + current.slice(start + cut);
    }, text),
  );

function checkFindings(findings: readonly Finding[], text: string): void {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const { line, column, message, code, severity } of findings) {
    expect(message).not.toBe('');
    expect(code).toMatch(/^[a-z_]+$/);
    expect(['error', 'warning']).toContain(severity);
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    if (!text.includes('\r')) expect(column).toBeLessThanOrEqual([...lines[line - 1]!].length + 1);
  }
}

describe('no text makes the loaders throw', () => {
  test.each([
    ['random text', fc.string({ unit: 'binary', maxLength: 60 })],
    ['pieces of syntax', pieces],
    ['valid files with mistakes', mutated],
  ])('%s', (_name, texts) => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...PATHS), (text, path) => {
        const { suite, findings } = parseSuite({ path, text });
        checkFindings(findings, text);
        if (suite === undefined) expect(findings).not.toEqual([]);
        for (const scalars of ['core', 'pyyaml'] as const)
          checkFindings(loadYaml(text, { scalars }).findings, text);
        readStrictJson(text);
      }),
      { numRuns: 400 },
    );
  });

  test('random bytes in files do not make them throw', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .tuple(mutated, fc.uint8Array({ maxLength: 3 }))
        .map(([text, more]) => Buffer.concat([Buffer.from(text), more])),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...PATHS), async (content, path) => {
        // A folder of its own: beside the a.jsonl of an earlier round, an a.yaml without tests is its sidecar.
        const file = join(createTempFolder(), path);
        writeFileSync(file, content);
        const { suites, findings } = await loadSuites([file]);
        expect(suites.length + findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

const LIMITS = new Set(['duplicate_key', 'not_finite', 'number_too_long', 'too_deep', 'too_large']);
const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const mutatedJson = fc
  .tuple(
    jsonText,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom(
      '',
      '"',
      '\\',
      ',',
      '0',
      '-',
      '.',
      'e',
      '1e5',
      ' ',
      '\n',
      '\u0001',
      '{}',
      '[',
      ']',
      '\ud800',
      '😀',
      '\u2028',
      '\u00a0',
    ),
  )
  .map(([text, at, cut, insert]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + insert + text.slice(start + cut);
  });

describe('readStrictJson', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const read = readStrictJson(text);
        if ('problem' in read) throw new Error(read.problem.message);
        expect(withoutBigints(read.value)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('refuses exactly what JSON.parse refuses, except for its documented limits', () => {
    fc.assert(
      fc.property(mutatedJson, (text) => {
        const read = readStrictJson(text);
        const parsed = parseOrUndefined(text);
        if ('value' in read) expect(withoutBigints(read.value)).toStrictEqual(parsed?.value);
        else if (!LIMITS.has(read.problem.code)) expect(parsed).toBeUndefined();
        if ('problem' in read) expect(read.problem.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1500 },
    );
  });

  test('isCleanJson accepts only texts on which both readers agree', () => {
    let yes = 0;
    fc.assert(
      fc.property(fc.oneof(jsonText, mutatedJson, duplicated()), (text) => {
        const parsed = parseOrUndefined(text);
        if (parsed === undefined || !isCleanJson(text, parsed.value)) return;
        yes++;
        const read = readStrictJson(text);
        if ('problem' in read) throw new Error(`${read.problem.code}: ${text}`);
        expect(read.value).toStrictEqual(parsed.value);
      }),
      { numRuns: 1500 },
    );
    expect(yes).toBeGreaterThan(effort({ short: 25, long: 100 }));
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b":1}}',
    '{"a":9007199254740993}',
    '{"a":1e400}',
    '{"a":1E5}',
    String.raw`{"a":1,"\u0061":2}`,
    '{"__proto__":1,"__proto__":2}',
    `{"a":${'['.repeat(201)}${']'.repeat(201)}}`,
  ])('isCleanJson rejects %s', (text) => {
    expect(isCleanJson(text, JSON.parse(text))).toBe(false);
  });

  test.each([
    '{"a:b":1}',
    String.raw`{"a\"":"c:d\\"}`,
    '{"__proto__":{"a":1}}',
    '[]',
    '123456789012345',
    '{"a":[{"b":-1.5}]}',
  ])('isCleanJson accepts %s', (text) => {
    expect(isCleanJson(text, JSON.parse(text))).toBe(true);
  });
});

test('YAML reads JSON as JSON.parse does', () => {
  const printable = fc.string({ unit: fc.constantFrom(...'aZ09 \n\t"\\/:#-{}[],&*é\u2028😀') });
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      printable,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(printable, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (any, indent) => {
      const text = JSON.stringify(any, null, indent);
      const { value: read, findings } = loadYaml(text, { scalars: 'core' });
      expect(findings).toEqual([]);
      // Not toStrictEqual: JSON.parse reads -0 where YAML reads 0.
      expect(JSON.stringify(withoutBigints(read))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

function parseOrUndefined(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBigints(item)]));
}

function duplicated(): fc.Arbitrary<string> {
  const key = fc.constantFrom('a', 'b', 'c:', 'd"');
  return fc
    .array(fc.tuple(key, jsonText), { maxLength: 4 })
    .map((entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}
