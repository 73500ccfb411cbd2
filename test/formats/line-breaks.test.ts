import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import type { Suite } from '../../src/base/model/suite.ts';

/** PyYAML ends a line at U+0085, U+2028 and U+2029, YAML 1.2 does not. What PyYAML reads is in pyyaml-conformance. */
function parse(text: string, path = 'a.test.yaml') {
  const { suite, findings } = parseSuite({ path, text });
  return {
    inputs: inputsOf(suite),
    claims: suite?.tests.flatMap(({ steps }) =>
      steps.flatMap(({ assertions }) => assertions.map((claim) => claim.parameters)),
    ),
    findings: findings.map(({ severity, code, line, column, path: at }) =>
      `${severity} ${code} ${line}:${column} ${at}`.trimEnd(),
    ),
    texts: findings.map(({ message, hint }) => `${message} | ${hint ?? ''}`),
  };
}

function inputsOf(suite: Suite | undefined) {
  return suite?.tests.flatMap(({ steps }) => steps.map((step) => step.input_messages[0]?.content));
}

describe('a step test', () => {
  test('reads a quoted line separator as PyYAML does, and warns only if YAML 1.2 differs', () => {
    expect(parse('input: "one\u2028two"\nassert: { output.equals: "a \u2029 b" }\n')).toMatchObject({
      inputs: ['one\u2028two'],
      claims: [{ value: 'a\u2029b' }],
      findings: ['warning yaml_dialect 2:26 assert["output.equals"]'],
    });
  });

  test('reads a quoted next-line character as a space, with a warning at the text', () => {
    const { inputs, findings, texts } = parse('input: "one\u0085two"\nassert: { output.includes: a }\n');
    expect(inputs).toEqual(['one two']);
    expect(findings).toEqual(['warning yaml_dialect 1:8 input']);
    expect(texts[0]).toContain('"one two"');
  });

  test('ends a comment at such a character: the claim after it counts, with a warning', () => {
    const { claims, findings, texts } = parse('input: hi\nassert: # why\u2028  output.includes: a\n');
    expect(claims).toEqual([{ value: 'a' }]);
    expect(findings).toEqual(['warning yaml_dialect 2:14']);
    expect(texts[0]).toContain('U+2028 ends a line');
  });

  test('gives no warning if both read the same', () => {
    const text = '# one\u2028# two\ninput: "a\u2028b"\nassert: { output.includes: "\\u2028" }\n';
    expect(parse(text)).toMatchObject({ inputs: ['a\u2028b'], claims: [{ value: '\u2028' }], findings: [] });
  });

  test('is refused if PyYAML refuses it, even if YAML 1.2 accepts it', () => {
    const { findings, texts } = parse('input: hi\nassert:\n  output.includes: one\u2028two\n');
    expect(findings).toEqual([expect.stringMatching(/^error yaml_syntax 3:/)]);
    expect(texts[0]).toContain('as in PyYAML');
  });

  test('may have only such line ends', () => {
    const text = '# flights\u2028input: hi\u2028assert:\u2028  output.includes: a\u2028';
    const { inputs, claims, findings } = parse(text);
    expect([inputs, claims]).toEqual([['hi'], [{ value: 'a' }]]);
    expect(new Set(findings.map((finding) => finding.split(' ', 2).join(' ')))).toEqual(
      new Set(['warning yaml_dialect']),
    );
  });

  test('with thousands of such characters is read', () => {
    const item = '- input: "one\u2028two"\n  assert: { output.includes: "a\u2028b" }\n';
    expect(parse(item.repeat(2000)).inputs).toHaveLength(2000);
    expect(
      parse(`${item.repeat(50)}- input: x # c\u2028  assert: { output.includes: a }\n`).inputs,
    ).toHaveLength(51);
  });

  test('counts lines as editors do: by line feeds and carriage returns', () => {
    const text = 'input: "a\u2028b" # c\u0085# d\nasserts: { output.includes: a }\n';
    expect(parse(text).findings).toContain('error unknown_field 2:1 asserts');
  });

  test('that ends in a block without a line break gets none in its text', () => {
    const text = 'input: hi\nassert:\n  output.equals: |\n    done';
    expect(parse(text)).toMatchObject({
      claims: [{ value: 'done' }],
      findings: ['warning yaml_dialect 3:18 assert["output.equals"]'],
    });
    expect(parse(`${text}\n`)).toMatchObject({ claims: [{ value: 'done\n' }], findings: [] });
    expect(parse(text.replace('|', '|-'))).toMatchObject({ claims: [{ value: 'done' }], findings: [] });
  });
});

test('in an eval file they are ordinary characters, as in YAML 1.2', () => {
  const text =
    'evalcases:\n  - id: a\n    input: one \u2028two\u0085\n    evaluators: [{ type: contains, value: "x \u2029 y" }] # \u2028 z\n';
  expect(parse(text, 'a.eval.yaml')).toMatchObject({
    inputs: ['one \u2028two\u0085'],
    claims: [{ value: 'x \u2029 y' }],
    findings: [],
  });
});
