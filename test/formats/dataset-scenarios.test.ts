import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';

function parseLine(line: string) {
  const { suite, findings } = parseSuite({ path: 'cases.jsonl', text: `${line}\n` });
  expect(findings).toEqual([]);
  const [only] = suite!.tests;
  return { input: only?.input_messages, expected: only?.expected_messages, goal: only?.expected_outcome };
}

describe('Requirement: Input alias with shorthand support in JSONL', () => {
  test('Scenario: String shorthand in JSONL', () => {
    const { input, expected, goal } = parseLine(
      '{"id": "test", "expected_outcome": "Goal", "input": "What is 2+2?"}',
    );
    expect(input).toEqual([{ role: 'user', content: 'What is 2+2?' }]);
    expect(expected).toEqual([]);
    expect(goal).toBe('Goal');
  });

  test('Scenario: Array input via alias in JSONL', () => {
    const { input } = parseLine(
      '{"id": "test", "expected_outcome": "Goal", "input": [{"role": "user", "content": "Query"}]}',
    );
    expect(input).toEqual([{ role: 'user', content: 'Query' }]);
  });
});

describe('Requirement: Expected output alias with shorthand support in JSONL', () => {
  test('Scenario: String shorthand in JSONL', () => {
    const { expected } = parseLine(
      '{"id": "test", "expected_outcome": "Goal", "input": "Query", "expected_output": "Answer"}',
    );
    expect(expected).toEqual([{ role: 'assistant', content: 'Answer' }]);
  });

  test('Scenario: Object shorthand in JSONL', () => {
    const { expected } = parseLine(
      '{"id": "test", "expected_outcome": "Goal", "input": "Query", "expected_output": {"riskLevel": "High"}}',
    );
    expect(expected).toEqual([{ role: 'assistant', content: { riskLevel: 'High' } }]);
  });

  test('Scenario: Array with tool calls via alias in JSONL', () => {
    const { expected } = parseLine(
      '{"id": "test", "expected_outcome": "Goal", "input": "Query", "expected_output": [{"role": "assistant", "tool_calls": [{"tool": "Read"}]}]}',
    );
    expect(expected).toEqual([{ role: 'assistant', tool_calls: [{ tool: 'Read' }] }]);
  });
});

const line = (id: string) => `{"id":"${id}","expected_outcome":"G","input":"q"}`;

const parse = (text: string) => {
  const { suite, findings } = parseSuite({ path: 'cases.jsonl', text });
  return {
    ids: suite?.tests.map(({ id }) => id),
    problems: findings.map((f) => `${f.line}:${f.column} ${f.severity} ${f.code} ${f.path}`.trim()),
    findings,
  };
};

describe('lines', () => {
  test('blank lines are skipped but counted', () => {
    const { ids, problems } = parse(`\n${line('a')}\n \t\n\n${line('b')}\n{"id":"c"}\n`);
    expect(ids).toEqual(['a', 'b']);
    expect(problems).toEqual([
      '6:1 error missing_input input',
      '6:1 error missing_expected_outcome expected_outcome',
    ]);
  });

  test('a byte order mark, CRLF, surrounding spaces and a missing final line feed are accepted', () => {
    expect(parse(`\uFEFF${line('a')}\r\n  ${line('b')}\t\r\n${line('c')}`)).toMatchObject({
      ids: ['a', 'b', 'c'],
      problems: [],
    });
  });

  test('columns do not count the byte order mark', () => {
    expect(parse('\uFEFF{"id":1,"expected_outcome":"G","input":"q"}').problems).toEqual(['1:7 error id id']);
  });

  test('a byte order mark on a later line is an error', () => {
    expect(parse(`${line('a')}\n\uFEFF${line('b')}`).problems).toEqual(['2:1 error json']);
  });

  test("broken JSON is reported with its line and the parser's reason", () => {
    const { findings } = parse(`${line('a')}\n\n\n\n{"id": }\n`);
    expect(findings[0]).toMatchObject({ line: 5, column: 8, severity: 'error', code: 'json' });
    expect(findings[0]!.message).toMatch(/^Line 5: Invalid JSON: expected a value, but found "}"/);
  });

  test('every bad line is reported, and the good lines are read', () => {
    const { ids, problems } = parse(
      [line('a'), '{', line('b'), '[1]', 'null', line('c'), '{"id":"a","input":"x","outcome":"G"}'].join(
        '\n',
      ),
    );
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(problems).toEqual([
      '2:2 error json',
      '4:1 error not_object',
      '5:1 error not_object',
      '7:7 error duplicate_id id',
    ]);
  });

  test.each([
    ['a comment', '// x', 1],
    ['a comment behind the value', `${line('z')} # x`, 47],
    ['two values', `${line('a')} ${line('b')}`, 47],
    ['a trailing comma', '{"id":"a",}', 10],
    ['single quotes', "{'id':'a'}", 2],
    ['NaN', '{"id":NaN}', 7],
    ['Infinity', '{"id":-Infinity}', 7],
    ["Python's None", '{"id":None}', 7],
    ['a bare word as key', '{id:1}', 2],
    ['a tab inside a string', '{"id":"a\tb"}', 9],
    ['a bad escape', String.raw`{"id":"\x"}`, 8],
    ['an unfinished string', '{"id":"a', 7],
    ['an unfinished object', '{"id":"a"', 10],
    ['a leading zero', '{"id":01}', 7],
    ['a plus sign', '{"id":+1}', 7],
    ['a no-break space around it', `\u00a0${line('a')}`, 1],
    ['two keys', '{"id":"a","id":"b"}', 11],
    ['NUL', '\0', 1],
  ])('%s is an error at its column', (_name, text, column) => {
    const { problems } = parse(`${line('first')}\n${text}`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^2:${column} error (json|duplicate_key)$`));
  });

  test('JSON over several lines gets a hint', () => {
    expect(parse('{\n  "id": "a"\n}').findings[0]!.hint).toContain('one case per line');
  });

  test('an empty dataset, or one with only blank lines, is a warning', () => {
    expect(parse('').problems).toEqual(['1:1 warning no_cases']);
    expect(parse('\n  \r\n').problems).toEqual(['1:1 warning no_cases']);
  });

  test('the path of a finding starts at the object of its line, and its column counts code points', () => {
    const text =
      '{"😀":1,"id":"a","expected_outcome":"G","input":[{"role":"user","content":"x"},{"role":"robot","content":"y"}]}';
    const before = Array.from(text.slice(0, text.indexOf('"robot"')));
    expect(parse(text).problems).toContain(`1:${before.length + 1} error role input[1].role`);
  });
});
