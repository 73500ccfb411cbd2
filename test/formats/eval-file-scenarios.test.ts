import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';

/** Parses a case of which only the lines that matter are given. */
function parse(lines: string) {
  const body = lines.replaceAll(/^/gm, '    ');
  const { suite, findings } = parseSuite({
    path: 'suite.yaml',
    text: `evalcases:\n  - id: test\n    expected_outcome: Goal\n${body}\n`,
  });
  const codes = findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
  return { input: suite?.tests[0]?.input_messages, expected: suite?.tests[0]?.expected_messages, codes };
}

describe('Requirement: Input alias with shorthand support', () => {
  test('Scenario: String shorthand for single user query', () => {
    const { input, codes } = parse('input: "What is 2+2?"');
    expect(input).toEqual([{ role: 'user', content: 'What is 2+2?' }]);
    expect(codes).toEqual([]);
  });

  test('Scenario: Array input via alias', () => {
    const { input, codes } = parse(`input:
  - role: system
    content: "You are a calculator"
  - role: user
    content: "What is 2+2?"`);
    expect(input).toEqual([
      { role: 'system', content: 'You are a calculator' },
      { role: 'user', content: 'What is 2+2?' },
    ]);
    expect(codes).toEqual([]);
  });

  test('Scenario: Canonical name takes precedence', () => {
    const { input, codes } = parse(`input: "Alias query"
input_messages:
  - role: user
    content: "Canonical query"`);
    expect(input).toEqual([{ role: 'user', content: 'Canonical query' }]);
    expect(codes).toEqual(['warning alias_ignored evalcases[0].input']);
  });
});

describe('Requirement: Expected output alias with shorthand support', () => {
  test('Scenario: String shorthand', () => {
    const { expected, codes } = parse('input: Q\nexpected_output: "The answer is 4"');
    expect(expected).toEqual([{ role: 'assistant', content: 'The answer is 4' }]);
    expect(codes).toEqual([]);
  });

  test('Scenario: Object shorthand for structured output', () => {
    const { expected, codes } = parse(`input: Q
expected_output:
  riskLevel: High
  reasoning: "Explanation"`);
    expect(expected).toEqual([
      { role: 'assistant', content: { riskLevel: 'High', reasoning: 'Explanation' } },
    ]);
    expect(codes).toEqual([]);
  });

  test('Scenario: Array with tool calls via alias', () => {
    const { expected, codes } = parse(`input: Q
expected_output:
  - role: assistant
    tool_calls:
      - tool: Read
        input: { file_path: "config.json" }
  - role: assistant
    content: { status: "done" }`);
    expect(expected).toEqual([
      { role: 'assistant', tool_calls: [{ tool: 'Read', input: { file_path: 'config.json' } }] },
      { role: 'assistant', content: { status: 'done' } },
    ]);
    expect(codes).toEqual([]);
  });

  test('Scenario: Canonical name takes precedence', () => {
    const { expected, codes } = parse(`input: Q
expected_output: { riskLevel: High }
expected_messages:
  - role: assistant
    content: "Canonical answer"`);
    expect(expected).toEqual([{ role: 'assistant', content: 'Canonical answer' }]);
    expect(codes).toEqual(['warning alias_ignored evalcases[0].expected_output']);
  });

  test('the order of the two names does not matter', () => {
    const { expected } = parse(
      'expected_messages: [{ role: assistant, content: canonical }]\ninput: Q\nexpected_output: alias',
    );
    expect(expected).toEqual([{ role: 'assistant', content: 'canonical' }]);
  });
});
