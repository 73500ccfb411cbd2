import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { CASE_FORMATS, COMPLETE, parseCase, summary } from './parse-case.ts';

describe.each(CASE_FORMATS)('fields of an eval case in %s', (format) => {
  const parse = (fields: Record<string, unknown>, top: Record<string, unknown> = {}) =>
    parseCase({ ...COMPLETE, ...fields }, format, top);

  test.each([
    ['absent', undefined, 'error id id'],
    ['null', null, 'error id id'],
    ['empty', '', 'error id id'],
    ['a number', 7, 'error id id'],
    ['a list', ['a'], 'error id id'],
  ])('an id that is %s is an error', (_name, id, finding) => {
    const parsed = parse({ id });
    expect(parsed.findings.map(summary)).toEqual([finding]);
    expect(parsed.test).toBeUndefined();
  });

  test.each(['expected_outcome', 'outcome', 'criteria'])('the goal may be called %s', (name) => {
    const parsed = parse({ expected_outcome: undefined, [name]: 'Goal' });
    expect(parsed.findings).toEqual([]);
    expect(parsed.test?.expected_outcome).toBe('Goal');
  });

  test.each([
    ['absent', {}, 'error missing_expected_outcome expected_outcome'],
    ['null', { expected_outcome: null }, 'error missing_expected_outcome expected_outcome'],
    ['empty', { expected_outcome: ' ' }, 'error type expected_outcome'],
    ['a number', { outcome: 5 }, 'error type outcome'],
  ])('a goal that is %s is an error if nothing else is checked', (_name, fields, finding) => {
    expect(parse({ expected_outcome: undefined, ...fields }).errors.map(summary)).toEqual([finding]);
  });

  test('the goal is optional beside evaluators, rubrics, or checks of a step', () => {
    const none = { expected_outcome: undefined };
    expect(parse({ ...none, evaluators: [{ type: 'contains', value: 'x' }] }).findings).toEqual([]);
    expect(parse({ ...none, rubrics: ['is kind'] }).findings).toEqual([]);
    expect(
      parse({ ...none, input: undefined, steps: [{ input: 'x', assert: { 'output.includes': 'a' } }] })
        .findings,
    ).toEqual([]);
  });

  test('invalid evaluators are reported once, without asking for a goal as well', () => {
    expect(
      parse({ expected_outcome: undefined, evaluators: [{ type: 'contians', value: 'x' }] }).findings.map(
        summary,
      ),
    ).toEqual(['error unknown_evaluator evaluators[0].type']);
  });

  test('the other fields are part of the test', () => {
    const { test: read, findings } = parse({
      description: 'd',
      conversation_id: 'c',
      memory: { a: 1 },
      tags: ['x', 'y'],
      skip: 'not yet',
      only: true,
      threshold: 0.5,
      metadata: { owner: 'me' },
      execution: { target: 't' },
    });
    expect(findings).toEqual([]);
    expect(read).toMatchObject({
      description: 'd',
      conversation_id: 'c',
      memory: { a: 1 },
      tags: ['x', 'y'],
      skip: 'not yet',
      only: true,
      threshold: 0.5,
      metadata: { owner: 'me' },
      target: 't',
    });
  });

  test('skip and only may be false', () => {
    const { test: read } = parse({ skip: false, only: false });
    expect(read?.skip).toBeUndefined();
    expect(read?.only).toBeUndefined();
  });

  test.each([
    [{ threshold: 1.5 }, 'error range threshold'],
    [{ threshold: '0.5' }, 'error type threshold'],
    [{ skip: 1 }, 'error type skip'],
    [{ only: 'yes' }, 'error type only'],
    [{ memory: [] }, 'error type memory'],
    [{ metadata: 'x' }, 'error type metadata'],
    [{ tags: [1] }, 'error type tags[0]'],
    [{ conversation_id: 5 }, 'error type conversation_id'],
    [{ execution: 'gpt' }, 'error type execution'],
    [{ execution: { target: 5 } }, 'error type execution.target'],
    [{ evaluator: 'contains' }, 'error value evaluator'],
    [{ evaluator: 'tool_trajectory' }, 'error value evaluator'],
    [{ tags: 'x' }, 'warning single_value tags'],
    [{ description: 5 }, 'warning type description'],
    [{ reference_answer: 'x' }, 'warning ignored_field reference_answer'],
    [{ memory: null }, 'warning null_value memory'],
    [{ evaluators: null }, 'warning null_value evaluators'],
  ])('%j gives %s', (fields, finding) => {
    expect(parse(fields).findings.map(summary)).toEqual([finding]);
  });

  test.each(['inptu', 'notes', 'x-base', 'base', '__proto__x', 'constructor', 'toString'])(
    'the unknown field %s is a warning',
    (name) => {
      const parsed = parse({ [name]: 'x' });
      expect(parsed.findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
        'warning unknown_field',
      ]);
      expect(parsed.test).toBeDefined();
    },
  );

  test.each([
    'evalautors',
    'evaluater',
    'Evaluators',
    'asserts',
    'asert',
    'assertion',
    'rubric',
    'rubriks',
    'expected_outptu',
    'expected-output',
    'expectedOutput',
    'expected_message',
    'expected',
    'expect',
    'expected_answer',
    'step',
    'stpes',
    'excution',
    'executions',
    'treshold',
    'limit',
    'repeat',
    'pass_at_last',
  ])('the unknown field %s looks like checks, or what decides, and is an error', (name) => {
    const parsed = parse({ [name]: [] });
    expect(parsed.errors.map(({ code }) => code)).toEqual(['unknown_field']);
    expect(parsed.test).toBeUndefined();
  });

  test('a misspelled field gets a hint', () => {
    expect(parse({ evalautors: [] }).errors[0]!.hint).toBe('did you mean `evaluators`?');
    expect(parse({ inptu: 'x' }).findings[0]!.hint).toBe('did you mean `input`?');
  });

  test('a property of a prototype does not count as a field', () => {
    const text = '{"id":"a","expected_outcome":"G","__proto__":{"input":"evil"}}';
    const { findings } = parseSuite({
      path: `a.${format}`,
      text: format === 'jsonl' ? text : `{"evalcases":[${text}]}`,
    });
    expect(findings.map(({ code }) => code)).toContain('missing_input');
  });
});

const parseTop = (text: string) =>
  parseSuite({
    path: 'folder/my.eval.yaml',
    text: `${text}\nevalcases: [{ id: a, input: q, expected_outcome: G }]\n`,
  });

const codes = (text: string) =>
  parseTop(text).findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);

describe('the top of an eval file', () => {
  test('dataset is the file name without its extension, unless it is given', () => {
    expect(parseTop('').suite?.dataset).toBe('my.eval');
    expect(parseTop('dataset: mine').suite?.dataset).toBe('mine');
  });

  test('description, target, threshold and tags apply to every case', () => {
    const { suite, findings } = parseTop(
      '$schema: x.json\ndescription: d\ntarget: t\nthreshold: 0.25\ntags: [a]',
    );
    expect(findings).toEqual([]);
    expect(suite).toMatchObject({
      format: 'eval',
      description: 'd',
      tests: [{ target: 't', threshold: 0.25, tags: ['a'] }],
    });
    expect(parseTop('execution: { target: u }').suite?.tests[0]?.target).toBe('u');
  });

  test.each(['evalcases', 'tests', 'cases'])('the list may be called %s', (name) => {
    const { suite, findings } = parseSuite({
      path: 'a.yaml',
      text: `${name}: [{ id: a, input: q, expected_outcome: G }]`,
    });
    expect(findings).toEqual([]);
    expect(suite?.tests).toHaveLength(1);
  });

  test('two lists of cases are an error', () => {
    expect(codes('tests: []')).toContain('error given_twice tests');
  });

  test.each([
    ['notes: x', 'warning unknown_field notes'],
    ['execution: { target: a }\ntarget: b', 'warning target_ignored target'],
    ['evaluatrs: []', 'error unknown_field evaluatrs'],
    ['threshhold: 1', 'error unknown_field threshhold'],
    ['limit: {tool_calls: 1}', 'error unknown_field limit'],
    ['evaluators: []\nassert: []', 'error given_twice assert'],
    ['rubrics: [x]', 'error unknown_field rubrics'],
    ['steps: []', 'error unknown_field steps'],
    ['expected_output: x', 'error unknown_field expected_output'],
    ['assert: []\nassertions: []', 'error given_twice assertions'],
    ['execution: { evaluator: [] }', 'error unknown_field execution.evaluator'],
    ['execution: { notes: x }', 'warning unknown_field execution.notes'],
    ['execution: { evaluators: [], assertions: [] }', 'error given_twice execution.assertions'],
  ])('%s gives %s', (text, finding) => {
    expect(codes(text)).toEqual([finding]);
  });

  test.each([
    ['evalcases:', 'error missing_evalcases evalcases'],
    ['evalcases: {}', 'error type evalcases'],
    ['evalcases: []', 'warning no_cases evalcases'],
    ['evalcases: [hello]', 'error type evalcases[0]'],
    ['evalcases: [null]', 'error type evalcases[0]'],
    ['casess: []', 'error unknown_format casess'],
    ['', 'error unknown_format'],
    ['hello', 'error unknown_format'],
    ['[]', 'error unknown_format'],
    ['- id: a', 'error unknown_format'],
  ])('a file with %j gives %s', (text, finding) => {
    const { findings } = parseSuite({ path: 'a.yaml', text });
    expect(findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`.trimEnd())).toEqual([
      finding,
    ]);
  });

  test('an id used twice names the line of the first', () => {
    const { suite, findings } = parseSuite({
      path: 'a.yaml',
      text: 'cases:\n  - { id: a, input: q, outcome: G }\n  - { id: a, input: r, outcome: G }\n',
    });
    expect(findings).toMatchObject([
      { code: 'duplicate_id', line: 3, path: 'cases[1].id', message: 'the id "a" is already used on line 2' },
    ]);
    expect(suite?.tests).toHaveLength(1);
  });

  test('a case with an error does not hide the others', () => {
    const { suite, findings } = parseSuite({
      path: 'a.yaml',
      text: 'cases:\n  - { id: a }\n  - { id: b, input: r, outcome: G }\n',
    });
    expect(suite?.tests.map(({ id }) => id)).toEqual(['b']);
    expect(findings.map(({ line }) => line)).toEqual([2, 2]);
  });
});

describe('which format a file has', () => {
  test.each([
    ['a.jsonl', '{"id":"a","input":"q","outcome":"G"}', 'dataset'],
    ['a.JSONL', '{"id":"a","input":"q","outcome":"G"}', 'dataset'],
    ['a.yaml', 'cases: []', 'eval'],
    ['a.YML', 'cases: []', 'eval'],
    ['a.Json', '{"tests": []}', 'eval'],
    ['a.yaml', 'steps: [{ input: x, expected: { output: y } }]', 'steps'],
    ['a.yaml', '{ input: x, assert: { output.equals: y } }', 'steps'],
    ['a.json', '[{"input": "x", "expected": {"output": "y"}}]', 'steps'],
    ['a.yaml', 'cases: []\nsteps: []', 'eval'],
  ])('%s with %s is a suite of the format %s', (path, text, format) => {
    expect(parseSuite({ path, text }).suite?.format).toBe(format);
  });

  test.each(['a.txt', 'a', '.yaml', 'a.yaml.bak'])('%s is not a suite', (path) => {
    const { suite, findings } = parseSuite({ path, text: 'cases: []' });
    expect(suite).toBeUndefined();
    expect(findings).toMatchObject([
      { severity: 'error', code: 'unknown_format', hint: 'use .yaml, .yml, .json or .jsonl' },
    ]);
  });

  test('.json is strict JSON with JSON scalars', () => {
    expect(parseSuite({ path: 'a.json', text: 'cases: []' }).findings).toMatchObject([{ code: 'json' }]);
    expect(parseSuite({ path: 'a.json', text: '{"cases": [],}' }).findings).toMatchObject([
      { code: 'json', line: 1, column: 13 },
    ]);
  });

  test('eval files use the scalars of YAML 1.2', () => {
    const { suite } = parseSuite({
      path: 'a.yaml',
      text: 'cases: [{ id: a, input: 12:30, outcome: yes, expected_output: [010, 0o10, 1e3, no, ~, .5, 0x1f] }]',
    });
    expect(suite?.tests[0]).toMatchObject({
      expected_outcome: 'yes',
      input_messages: [{ content: '12:30' }],
      expected_messages: [{ content: [10, 8, 1000, 'no', null, 0.5, 31] }],
    });
  });
});
