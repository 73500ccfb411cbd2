import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import type { Test } from '../../src/base/model/test.ts';

function parse(text: string, path = 'a.eval.yaml') {
  const { suite, findings } = parseSuite({ path, text });
  return {
    tests: suite?.tests ?? [],
    problems: findings.map(({ code, line, column, message }) => `${line}:${column} ${code} ${message}`),
    findings,
  };
}

function only(text: string, path?: string): Test {
  const { tests, problems } = parse(text, path);
  expect(problems).toEqual([]);
  expect(tests).toHaveLength(1);
  return tests[0]!;
}

const valuesOf = ({ steps }: Test): unknown =>
  steps[0]!.assertions.map(({ parameters }) => parameters['value']);

describe('where braces mean something', () => {
  test('without `vars` and `each` they are text, and so are backslashes', () => {
    const { tests, problems } = parse(String.raw`
tests:
  - {id: "{{a}}", input: '{{b}} \{{c}} {{', assert: [{type: contains, value: "{{d}}"}]}
`);
    const found = tests[0]!;
    expect(problems).toEqual([expect.stringContaining('3:54 unfilled_braces')]);
    expect(found.id).toBe('{{a}}');
    expect(found.steps[0]!.input_messages[0]!['content']).toBe(String.raw`{{b}} \{{c}} {{`);
    expect(valuesOf(found)).toEqual(['{{d}}']);
    expect(found.vars).toBeUndefined();
  });

  test.each([
    ['a test', 'tests: [{id: a, vars: , input: "{{x}}", assert: [{type: contains, value: x}]}]', 'vars'],
    ['rows', 'tests: [{id: a, each: , input: "{{x}}", assert: [{type: contains, value: x}]}]', 'each'],
    [
      'rows beside vars',
      'tests: [{id: a, vars: {x: 1}, each: ~, input: "{{x}}", assert: [{type: contains, value: x}]}]',
      'each',
    ],
    [
      'vars beside rows',
      'tests: [{id: a, vars: ~, each: [{x: 1}], input: "{{x}}", assert: [{type: contains, value: x}]}]',
      'vars',
    ],
    ['a file', 'vars:\ntests: [{id: a, input: "{{x}}", assert: [{type: contains, value: x}]}]', 'vars'],
    ['step tests', 'each:\ninput: "{{x}}"\nassert: {output.includes: x}', 'each'],
  ])('anything after the name is an error: %s', (_where, text, name) => {
    const { findings } = parse(text, text.startsWith('each') ? 'a.test.yaml' : undefined);
    expect(findings.map(({ severity, path }) => [severity, path.split('.').at(-1)])).toEqual([
      ['error', name],
    ]);
  });

  test('`vars: {}` turns templates on', () => {
    expect(
      parse('tests: [{id: a, vars: {}, input: "{{x}}", assert: [{type: contains, value: x}]}]').problems,
    ).toEqual(['1:34 unknown_variable there is no variable `x`']);
  });

  test("a test's variable overrides its file's, and other tests do not see it", () => {
    const { tests, problems } = parse(`
vars: {city: Rome, n: 1}
tests:
  - {id: a, vars: {city: Oslo}, input: "{{city}} {{n}}", assert: [{type: contains, value: x}]}
  - {id: b, input: "{{city}} {{n}}", assert: [{type: contains, value: x}]}
`);
    expect(problems).toEqual([]);
    expect(tests.map(({ input_messages }) => input_messages![0]!['content'])).toEqual(['Oslo 1', 'Rome 1']);
  });

  test("a variable's value with braces stays text everywhere", () => {
    const found = only(`
vars: {a: "{{b}}", b: "{{a}}"}
tests: [{id: "x{{a}}", input: "{{a}} {{b}}", memory: {m: "{{a}}"}, assert: [{type: contains, value: "{{b}}"}]}]
`);
    expect(found).toMatchObject({ id: 'x{{b}}', memory: { m: '{{b}}' } });
    expect(found.input_messages![0]!['content']).toBe('{{b}} {{a}}');
    expect(valuesOf(found)).toEqual(['{{a}}']);
  });
});

describe('what is a template', () => {
  test("texts anywhere in a test are; a template that is the whole text keeps the value's type", () => {
    const found = only(String.raw`
vars:
  n: 3
  limit: 0.5
  tags: [a, b]
  who: {name: Ann, age: 40}
  calls: [{tool: find, args: {q: 1}}]
tests:
  - id: t
    tags: "{{tags}}"
    threshold: "{{limit}}"
    description: "{{who.name}} is {{who.age}}"
    memory: {'\{{n}}': "{{who}}"}
    metadata: {n: "{{n}}"}
    input:
      - {role: system, content: [{type: text, value: "hi {{who.name}}"}]}
      - {role: user, content: {n: "{{n}}"}}
    expected_output: {n: "{{n}}", text: "n={{n}}"}
    assert:
      - {type: latency, threshold: "{{n}}"}
      - {type: tool_trajectory, mode: exact, expected: "{{calls}}"}
      - {type: composite, evaluators: [{type: contains, value: "{{who.name}}"}]}
      - {type: code_judge, script: [node, judge.mjs], wanted: "{{who}}"}
      - {type: is_json, schema: {type: object, required: ["{{who.name}}"]}}
      - {type: regex, value: "^{{who.name}}$"}
    rubrics: ["names {{who.name}}"]
`);
    expect(found).toMatchObject({
      tags: ['a', 'b'],
      threshold: 0.5,
      description: 'Ann is 40',
      memory: { '{{n}}': { name: 'Ann', age: 40 } },
      metadata: { n: 3 },
    });
    const [step] = found.steps;
    expect(step!.input_messages).toEqual([
      { role: 'system', content: [{ type: 'text', value: 'hi Ann' }] },
      { role: 'user', content: { n: 3 } },
    ]);
    expect(step!.expected_messages[0]!['content']).toEqual({ n: 3, text: 'n=3' });
    const [latency, trajectory, composite, judge, json, regex, rubric] = step!.assertions;
    expect(latency!.parameters).toEqual({ threshold: 3 });
    expect(trajectory!.parameters['expected']).toEqual([{ tool: 'find', args: { q: 1 } }]);
    expect(composite!.parameters['evaluators']).toMatchObject([{ parameters: { value: 'Ann' } }]);
    expect(judge!.parameters).toEqual({
      script: ['node', 'judge.mjs'],
      config: { wanted: { name: 'Ann', age: 40 } },
    });
    expect(json!.parameters['schema']).toEqual({ type: 'object', required: ['Ann'] });
    expect(regex!.parameters['value']).toBe('^Ann$');
    expect(rubric!.parameters['rubrics']).toMatchObject(['names Ann']);
  });

  test('types, programs and file paths are not, which is reported if a variable seems meant', () => {
    const { problems, tests } = parse(`
vars: {kind: contains, file: a.md}
tests:
  - id: t
    input: [{role: user, content: [{type: file, value: "{{file}}"}]}]
    assert:
      - {type: code_judge, script: [node, "{{file}}"]}
      - {type: is_json, schema: "{{file}}"}
  - {id: u, input: x, assert: [{type: "{{kind}}", value: x}]}
`);
    expect(problems).toEqual([
      expect.stringContaining('5:56 not_a_template `{{file}}` stays as it is'),
      expect.stringContaining('7:36 not_a_template'),
      expect.stringContaining('8:33 not_a_template'),
      expect.stringContaining('9:39 not_a_template'),
      '9:39 unknown_evaluator unknown evaluator `{{kind}}`',
    ]);
    expect(tests[0]!.steps[0]!.assertions[0]!.parameters['script']).toEqual(['node', '{{file}}']);
  });

  test('a variable in a key is an error: nothing would be checked under its name', () => {
    const { findings } = parse(`
vars: {f: total, p: user}
evaluators: [{type: tool_trajectory, mode: any_order, minimums: {"{{f}}": 1}}]
tests:
  - id: a
    input: x
    assert:
      - {type: is_json, schema: {type: object, properties: {"{{f}}": {type: number}}}}
      - {type: tool_trajectory, mode: exact, expected: [{tool: t, args: {"{{typo}}": {$absent: true}}}]}
  - {id: b, input: x}
  - {id: c, steps: [{input: x, assert: {"memory.{{p}}": 1}}]}
`);
    expect(
      findings.filter(({ severity }) => severity === 'error').map(({ code, line }) => [code, line]),
    ).toEqual([
      ['not_a_template', 3],
      ['not_a_template', 8],
      ['not_a_template', 9],
      ['not_a_template', 11],
    ]);
  });

  test('a variable that is an object can replace the path of a schema', () => {
    const { problems, tests } = parse(`
vars: {sch: {type: object, required: [total]}, n: 5}
tests:
  - {id: "{{n}}", input: x, assert: [{type: is_json, schema: "{{sch}}"}]}
`);
    expect(problems).toEqual([]);
    expect(tests[0]!.id).toBe('5');
    expect(tests[0]!.steps[0]!.assertions[0]!.parameters['schema']).toEqual({
      type: 'object',
      required: ['total'],
    });
  });

  test('a number in place of a text is an error, and the hint names its variable', () => {
    const { findings } = parse(`
vars: {user: {age: 5}}
tests:
  - {id: a, input: "{{user.age}}", assert: [{type: contains, value: "{{user.age}}"}]}
  - {id: b, input: [{role: user, content: "{{user.age}}"}], assert: [{type: contains, value: 5}]}
`);
    const hint = 'it is the value of the variable `user.age`: put that in quotes where it is given';
    expect(findings.map(({ line, hint: given }) => [line, given])).toEqual([
      [4, hint],
      [4, hint],
      [5, hint],
      [5, 'put it in quotes'],
    ]);
  });

  test("a variable's value is checked by the schema of its place", () => {
    const { problems } = parse(`
vars: {t: high, p: "("}
tests:
  - {id: a, input: x, threshold: "{{t}}", assert: [{type: contains, value: x}]}
  - {id: b, input: x, assert: [{type: regex, value: "{{p}}"}]}
`);
    expect(problems).toEqual([
      expect.stringContaining('4:34 type `threshold` must be a number, but is the text "high"'),
      expect.stringContaining('5:53'),
    ]);
  });

  test('evaluators and fields of the whole file are too', () => {
    const { tests, problems } = parse(`
description: for {{env}}
vars: {env: dev}
tags: ["{{env}}"]
evaluators: [{type: contains, value: "{{city}} {{env}}"}]
tests:
  - {id: a, vars: {city: Oslo}, input: x}
  - {id: b, vars: {city: Rome, env: prod}, input: x}
  - {id: c, input: x, assert: [{type: contains, value: own}]}
`);
    expect(problems).toEqual([]);
    expect(tests.map(valuesOf)).toEqual([['Oslo dev'], ['Rome prod'], ['own']]);
    expect(tests.map(({ tags }) => tags)).toEqual([['dev'], ['dev'], ['dev']]);
  });

  test("the file's evaluators stay text for a test without variables", () => {
    const { tests, problems } = parse(`
evaluators: [{type: contains, value: "{{city}}"}]
tests:
  - {id: a, vars: {city: Oslo}, input: x}
  - {id: b, input: x}
`);
    expect(problems).toEqual([expect.stringContaining('2:14 unfilled_braces')]);
    expect(tests.map(valuesOf)).toEqual([['Oslo'], ['{{city}}']]);
  });

  test('an unknown variable in the evaluators of the file is reported once', () => {
    expect(
      parse(`
vars: {city: x}
evaluators: [{type: contains, value: "{{citty}}"}]
tests: [{id: a, input: x}, {id: b, input: x}]
`).findings,
    ).toMatchObject([{ code: 'unknown_variable', line: 3, column: 38, hint: 'did you mean `city`?' }]);
  });
});

describe('prompts of judges', () => {
  const prompt = (text: string) =>
    parse(`
vars: {tone: kind, question: mine, trick: "{{candidate_answer}}"}
tests:
  - id: a
    input: x
    assert: [{type: llm_judge, prompt: ${JSON.stringify(text)}}]
`);

  test('keep their template and the variables they name', () => {
    const { tests, problems } = prompt('Be {{tone}} {{trick}} to {{candidate_answer}}');
    expect(problems).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions[0]!.parameters['prompt']).toEqual({
      template: 'Be {{tone}} {{trick}} to {{candidate_answer}}',
      vars: { tone: 'kind', trick: '{{candidate_answer}}' },
    });
  });

  test('prefer the variables of the judge, with a warning', () => {
    expect(prompt('{{question}} {{candidate_answer}}').findings).toMatchObject([
      { severity: 'warning', code: 'shadowed_variable', line: 6, column: 40 },
    ]);
  });

  test('must not use unknown variables', () => {
    expect(prompt('{{ton}} {{candidate_answer}}').findings).toMatchObject([
      { severity: 'error', code: 'unknown_variable', line: 6, hint: 'did you mean `tone`?' },
    ]);
  });
});

describe('`each` with a list', () => {
  test('makes a test for each row, in eval files, datasets and step tests alike', () => {
    const yaml = parse(`
tests:
  - id: w
    vars: {unit: C}
    each: [{city: Rome, t: 20}, {city: Oslo, t: 3, unit: F}]
    input: "{{city}} in {{unit}}"
    assert: [{type: equals, value: "{{t}} {{unit}}"}]
`);
    const jsonl = parse(
      JSON.stringify({
        id: 'w',
        vars: { unit: 'C' },
        each: [
          { city: 'Rome', t: 20 },
          { city: 'Oslo', t: 3, unit: 'F' },
        ],
        input: '{{city}} in {{unit}}',
        assert: [{ type: 'equals', value: '{{t}} {{unit}}' }],
      }),
      'a.jsonl',
    );
    const steps = parse(
      `
- id: w
  vars: {unit: C}
  each: [{city: Rome, t: 20}, {city: Oslo, t: 3, unit: F}]
  input: "{{city}} in {{unit}}"
  assert: [{type: equals, value: "{{t}} {{unit}}"}]
`,
      'a.test.yaml',
    );
    for (const { tests, problems } of [yaml, jsonl, steps]) {
      expect(problems).toEqual([]);
      expect(tests.map(({ id }) => id)).toEqual(['w[Rome,20]', 'w[Oslo,3,F]']);
      expect(tests.map(({ steps: [step] }) => step!.input_messages[0]!['content'])).toEqual([
        'Rome in C',
        'Oslo in F',
      ]);
      expect(tests.map(valuesOf)).toEqual([['20 C'], ['3 F']]);
    }
  });

  test('ids do not depend on the order of rows and keys, and come from the row or from the template', () => {
    const ids = (id: string, rows: string): readonly string[] =>
      parse(
        `tests: [{id: "${id}", each: ${rows}, input: x, assert: [{type: contains, value: x}]}]`,
      ).tests.map((each) => each.id);
    const a = '{q: "a, b", n: 1}';
    const b = '{n: "a", q: "b, 1"}';
    const c = `{q: "${'long '.repeat(30)}", n: null}`;
    const [idA, idB, idC] = ids('t', `[${a}, ${b}, ${c}]`);
    expect(new Set([idA, idB, idC]).size).toBe(3);
    expect(ids('t', `[${c}, {n: 7, q: x}, {n: 1, q: "a, b"}, ${b}]`)).toEqual([idC, 't[7,x]', idA, idB]);
    expect(ids('t', '[{id: one, q: 1}, {id: 2, q: 1}]')).toEqual(['t[one]', 't[2]']);
    expect(ids('t-{{q}}', '[{id: one, q: 1}, {q: 2}]')).toEqual(['t-1', 't-2']);
    expect(ids('{{id}}', '[{id: one, q: 1}, {id: 7}]')).toEqual(['one', '7']);
  });

  test('if the test has no id, the row gives the whole id', () => {
    const { tests, problems } = parse(
      'tests: [{each: [{id: one, a: x}, {a: y}], input: "{{a}}", assert: [{type: contains, value: x}]}]',
    );
    expect(problems).toEqual([]);
    expect(tests.map(({ id }) => id)).toEqual(['one', 'y']);
  });

  test('a step test without an id has the name of its file', () => {
    const { tests, problems } = parse(
      'each: [{a: x}, {a: y}]\ninput: "{{a}}"\nassert: {output.equals: "{{a}}"}',
      'b.test.yaml',
    );
    expect(problems).toEqual([]);
    expect(tests.map(({ id }) => id)).toEqual(['b[x]', 'b[y]']);
  });

  test('a row may have its variables under `vars`', () => {
    const { tests } = parse(
      'tests: [{id: t, each: [{id: r, vars: {a: x}}], input: "{{a}}", assert: [{type: contains, value: x}]}]',
    );
    expect(tests[0]).toMatchObject({ id: 't[r]', input_messages: [{ content: 'x' }] });
  });

  test('two rows with the same id are an error that names both', () => {
    const { problems, tests } = parse(`
tests:
  - id: t
    each:
      - {a: x}
      - {a: y}
      - {a: x}
    input: "{{a}}"
    assert: [{type: contains, value: x}]
  - {id: "t[y]", input: x, assert: [{type: contains, value: x}]}
`);
    expect(problems).toEqual([
      '3:9 duplicate_id the id "t[x]" is already used by the row on line 5 (row a.eval.yaml:7)',
      '10:10 duplicate_id the id "t[y]" is already used by the row on line 6',
    ]);
    expect(tests.map(({ id }) => id)).toEqual(['t[x]', 't[y]']);
  });

  test('findings name the row, and a mistake in the test is reported once', () => {
    const rows = Array.from({ length: 30 }, (_, index) => `\n      - {n: ${index}}`).join('');
    const { problems } = parse(`
tests:
  - id: t
    each:${rows}
    input: "{{m}}"
    assert: [{type: contains, value: x}]
  - id: u
    each:
      - {n: 1, t: 0.5}
      - {n: 2, t: high}
    input: x
    threshold: "{{t}}"
    assert: [{type: contains, value: x}]
`);
    expect(problems).toHaveLength(7);
    expect(problems[0]).toBe('35:12 unknown_variable there is no variable `m` (row a.eval.yaml:5)');
    expect(problems[5]).toBe('35:12 unknown_variable there is no variable `m` (25 more rows)');
    expect(problems[6]).toContain(
      '42:16 type `threshold` must be a number, but is the text "high" (row a.eval.yaml:40)',
    );
  });

  test.each([
    ['[]', 'no_rows'],
    ['3', 'type'],
    ['{a: 1}', 'type'],
    ['""', 'type'],
    ['[1]', 'type'],
    ['rows.csv', 'row_file'],
  ])('`each: %s` is an error', (each, code) => {
    const { findings, tests } = parse(
      `tests: [{id: t, each: ${each}, input: x, assert: [{type: contains, value: x}]}]`,
    );
    expect(findings).toMatchObject([{ severity: 'error', code }]);
    expect(tests).toEqual([]);
  });

  test('`vars` must be an object', () => {
    expect(
      parse('vars: [a]\ntests: [{id: t, input: x, assert: [{type: contains, value: x}]}]').findings,
    ).toMatchObject([{ severity: 'error', code: 'type' }]);
    expect(
      parse('tests: [{id: t, vars: x, input: x, assert: [{type: contains, value: x}]}]').findings,
    ).toMatchObject([{ severity: 'error', code: 'type', path: 'tests[0].vars' }]);
  });

  test.each([
    ['var: {a: x}\ntests: [{id: t, input: "{{a}}", assert: [{type: contains, value: x}]}]', 'var'],
    ['each: [{a: x}]\ntests: [{id: t, input: "{{a}}", assert: [{type: contains, value: x}]}]', 'each'],
    [
      'tests: [{id: t, variables: {a: x}, input: "{{a}}", assert: [{type: contains, value: x}]}]',
      'tests[0].variables',
    ],
    [
      'tests: [{id: t, rows: [{a: x}], input: "{{a}}", assert: [{type: contains, value: x}]}]',
      'tests[0].rows',
    ],
  ])('a wrong field name never sends braces to the agent: %s', (text, path) => {
    expect(parse(text).findings).toMatchObject([{ severity: 'error', code: 'unknown_field', path }]);
  });
});
