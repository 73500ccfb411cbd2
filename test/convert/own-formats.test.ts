import { describe, expect, test } from 'vitest';
import { convertIn, outline } from './convert-in.ts';

const STEPS = `# the shop
id: shop
description: buys twice
memory: {cart: [], big: 12345678901234567890, small: 1.0e-7, on: yes, time: 12:30, day: '2024-01-01'}
steps:
  - input: "add: #tea"
    assert: {memory.cart: [tea], tools_used: [add], output.includes: a, output.includes_2: "b\\n c"}
  - input: ''
    expected: {output: 'no', memory: {a: null}}
`;

describe("between Assay's formats", () => {
  test.each(['eval', 'dataset'] as const)('step tests convert to %s and back', async (to) => {
    const there = await convertIn({ 'shop.test.yaml': STEPS }, { to });
    expect(there.errors).toEqual([]);
    expect(there.warnings).toEqual(['comments_lost 1:1 a comment is not carried over to the other format']);
    expect(there.tests[0]!.memory).toEqual({
      cart: [],
      big: 12345678901234567890n,
      small: 1e-7,
      on: true,
      time: 750,
      day: '2024-01-01',
    });
    const back = await convertIn({ [there.outputs[0]!.path]: there.text }, { to: 'steps' });
    expect(back.tests.map(outline)).toEqual(there.tests.map(outline));
    expect(back.tests[0]!.memory).toEqual(there.tests[0]!.memory);
  });

  test('tests of a list keep the ids that their file gave them', async () => {
    const list = '- {input: a, assert: {output.equals: b}}\n- {id: own, input: c, expected: {output: d}}\n';
    const { tests } = await convertIn({ 'pair.test.yaml': list });
    expect(tests.map(({ id }) => id)).toEqual(['pair#1', 'own']);
  });

  test('settings of a file go into the sidecar and come back', async () => {
    const suite =
      'description: d\nthreshold: 0.6\ntags: [nightly]\nexecution: {target: prod, evaluators: [{type: contains, value: ok}]}\ncases:\n  - {id: a, input: one, x_unknown: kept}\n  - {id: b, input: two, threshold: 0.9}\n';
    const there = await convertIn({ 'a.eval.yaml': suite }, { to: 'dataset' });
    expect(there.errors).toEqual([]);
    expect(there.outputs.map(({ path }) => path)).toEqual(['out.jsonl', 'out.yaml']);
    expect(there.text).toContain('"x_unknown":"kept"');
    const files = Object.fromEntries(there.outputs.map(({ path, text }) => [path, text]));
    const back = await convertIn(files);
    expect(back.tests.map(({ id, threshold, target, tags }) => [id, threshold, target, tags])).toEqual([
      ['a', 0.6, 'prod', ['nightly']],
      ['b', 0.9, 'prod', ['nightly']],
    ]);
  });

  test('an existing file in the place of the sidecar stops the conversion to a dataset', async () => {
    const files = {
      'a.eval.json': '{"cases":[{"id":"a","input":"x","expected_outcome":"y"}]}',
      'out.yaml': 'threshold: 0',
    };
    const { errors, outputs } = await convertIn(files, { to: 'dataset' });
    expect(errors).toEqual([
      'output_name 1:1 this file would become the sidecar of the dataset, and change its tests',
    ]);
    expect(outputs).toEqual([]);
  });

  const SUITE = `description: d
dataset: named
threshold: 0.5
execution: {target: prod}
evaluators: [{type: contains, value: a}]
repeats: 3
evalcases:
  - {id: chat, input: [{role: system, content: s}, {role: user, content: hi}]}
  - {id: goal, input: x, expected_outcome: polite, evaluators: []}
  - {id: answer, input: x, expected_output: y, evaluators: [{type: match}], metadata: {a: 1}}
  - {id: whole, steps: [{input: x, assert: {output.equals: z}, description: why}]}
  - {id: fine, input: x, rubrics: [polite]}
`;

  test('nothing is written if step tests cannot express it, and every loss is reported', async () => {
    const { errors, outputs } = await convertIn({ 'a.eval.yaml': SUITE }, { to: 'steps' });
    expect(outputs).toEqual([]);
    expect(errors.map((line) => line.replace(/ is not converted: .*/, ''))).toEqual([
      'not_converted 1:1 description (of the file)',
      'not_converted 2:1 dataset',
      'not_converted 3:1 threshold',
      'not_converted 8:16 input',
      'not_converted 8:5 test "chat"',
      'not_converted 9:26 expected_outcome',
      'not_converted 10:77 metadata',
      'not_converted 10:28 expected_output',
      'not_converted 10:5 match',
      'not_converted 11:64 description',
      'not_converted 11:5 evaluators',
    ]);
  });

  test('with --allow-loss the rest is written, with comments, and a test without a check is skipped', async () => {
    const { text, tests, errors } = await convertIn(
      { 'a.eval.yaml': SUITE },
      { to: 'steps', allowLoss: true },
    );
    expect(errors).toEqual([]);
    expect(text).toContain('# not converted: threshold: 0.5 (');
    expect(text).toContain('# not converted: test "chat" (a step takes one text of the user)\n');
    expect(tests.map(({ id, skip, repeats }) => [id, skip, repeats])).toEqual([
      ['goal', 'nothing to check yet', 3],
      ['answer', 'nothing to check yet', 3],
      ['whole', undefined, 3],
      ['fine', undefined, 3],
    ]);
    expect(tests.at(-1)!.steps[0]!.assertions.map(({ kind }) => kind)).toEqual(['contains', 'rubric']);
  });

  test('a file whose format stays is copied byte for byte, with CRLF, BOM and comments', async () => {
    const suite = '\uFEFF# c\r\nid: a\r\nsteps:\r\n  - {input: x, assert: {output.equals: y}} # d\r\n';
    const { text, warnings } = await convertIn({ 'a.test.yaml': suite }, { to: 'steps' });
    expect([text, warnings]).toEqual([suite, []]);
  });

  test('default ids that would change are reported', async () => {
    const suite = 'input: x\nassert: {output.equals: y}\n';
    const { errors } = await convertIn({ 'a.test.yaml': suite }, { to: 'steps' });
    expect(errors).toEqual([
      'default_ids 1:1 tests without an id are named after their file, so "a" would become "out"',
    ]);
  });

  test('data rows stay data rows', async () => {
    const suite =
      '- each: [{city: Oslo}, {city: Rome}]\n  input: in {{city}}\n  assert: {output.includes: "{{city}}"}\n';
    const { text, errors } = await convertIn({ 'a.test.yaml': suite });
    expect(errors).toEqual([]);
    expect(text).toContain("input: 'in {{city}}'");
    expect(text).toContain('- city: Rome');
  });

  test('a relative path that would point elsewhere from the new folder stops the conversion', async () => {
    const suite = 'cases: [{id: a, input: x, evaluators: [{type: code_judge, script: [node, judge.mjs]}]}]\n';
    const files = { 'suites/a.eval.yaml': suite, 'suites/judge.mjs': '' };
    const moved = await convertIn(files, { to: 'dataset' });
    expect(moved.errors.map((line) => line.slice(0, 40))).toEqual([
      'moved_path 1:40 node judge.mjs is a path',
    ]);
    const evaluator = await convertIn(
      {
        'suites/a.eval.yaml': suite.replace(/code_judge.*?\]/, './judge.mjs#polite'),
        'suites/judge.mjs': '',
      },
      { to: 'dataset' },
    );
    expect(evaluator.errors.map((line) => line.slice(0, 27))).toEqual(['moved_path 1:40 ./judge.mjs']);
    const beside = await convertIn(files, { to: 'dataset', out: 'suites/b.jsonl' });
    expect(beside.errors).toEqual([]);
  });

  test.each([
    ['a script that is not there', '{type: code_judge, script: [node, gone.mjs]}', 'node gone.mjs'],
    ['an evaluator that is not there', '{type: ./gone.mjs#x}', './gone.mjs'],
  ])('so does %s', async (_what, evaluator, name) => {
    const suite = `cases: [{id: a, input: x, evaluators: [${evaluator}]}]\n`;
    const { errors, outputs } = await convertIn({ 'suites/a.eval.yaml': suite }, { out: 'out.eval.yaml' });
    expect(errors).toEqual([expect.stringContaining(`moved_path 1:40 ${name} is a path`)]);
    expect(outputs).toEqual([]);
  });

  test('a file of data rows that would resolve to another file stops it too', async () => {
    const suite = 'cases: [{id: a, each: r.csv, input: "{{n}}", evaluators: [{type: contains, value: x}]}]\n';
    const { errors } = await convertIn({
      'suites/a.eval.yaml': suite,
      'suites/r.csv': 'n\n1\n',
      'r.csv': 'n\n2\n',
    });
    expect(errors).toEqual([expect.stringContaining('moved_path 1:23 r.csv is a path')]);
    const same = await convertIn({ 'suites/a.eval.yaml': suite, 'r.csv': 'n\n1\n' });
    expect(same.errors).toEqual([]);
  });

  test('faults are kept in all three formats', async () => {
    const faults = '[{on: model, call: 2, do: 500}, {on: tool find, call: 1, do: {reply: none}}]';
    const steps = `id: a\nfaults: ${faults}\ninput: x\nassert: {output.includes: y}\n`;
    const cases = `cases: [{id: a, faults: ${faults}, input: x, evaluators: [{type: contains, value: y}]}]\n`;
    const results = [
      await convertIn({ 'a.test.yaml': steps }),
      await convertIn({ 'a.test.yaml': steps }, { to: 'dataset' }),
      await convertIn({ 'a.eval.yaml': cases }, { to: 'steps' }),
      await convertIn({ 'a.eval.yaml': cases }, { to: 'dataset' }),
    ];
    for (const { errors, tests } of results) {
      expect(errors).toEqual([]);
      expect(tests[0]!.faults).toMatchObject([
        { on: 'model', call: 2, do: 500 },
        { on: 'tool find', call: 1, do: { reply: 'none' } },
      ]);
    }
  });

  test('data rows that name their tests keep their ids, or the author must add one', async () => {
    const suite = (row: string): string =>
      `cases: [{each: [${row}], input: "n={{n}}", evaluators: [{type: contains, value: x}]}]\n`;
    const named = await convertIn({ 'a.eval.yaml': suite('{id: one, n: 1}') }, { to: 'steps' });
    expect(named.errors).toEqual([]);
    expect(named.tests.map(({ id }) => id)).toEqual(['one']);
    const nameless = await convertIn({ 'a.eval.yaml': suite('{n: 1}') }, { to: 'steps' });
    expect(nameless.errors).toEqual([expect.stringContaining('default_ids 1:16 the rows are the ids')]);
  });

  test('YAML rows that the other format would read differently are reported, in both directions', async () => {
    const rows = { 'rows.yaml': '- {id: q, at: 12:30}\n' };
    const steps = 'id: "{{id}}"\neach: rows.yaml\ninput: "at {{at}}"\nassert: {output.includes: x}\n';
    const cases =
      'cases: [{id: "{{id}}", each: rows.yaml, input: "at {{at}}", evaluators: [{type: contains, value: x}]}]\n';
    for (const { errors } of [
      await convertIn({ 'a.test.yaml': steps, ...rows }),
      await convertIn({ 'a.eval.yaml': cases, ...rows }, { to: 'steps' }),
    ])
      expect(errors).toEqual([expect.stringContaining('rows_dialect 1:15 ')]);
  });

  test('reported losses are not written, and each test left out is counted with its reason', async () => {
    const suite = `cases:
  - {id: a, input: x, expected_output: y, evaluators: [{type: match}, {type: contains, value: y}]}
  - {id: b, input: x, expected_output: y, evaluators: [{type: match}]}
  - {id: c, input: [{role: system, content: s}, {role: user, content: u}], evaluators: [{type: contains, value: y}]}
`;
    const { text, tests, warnings } = await convertIn(
      { 'a.eval.yaml': suite },
      { to: 'steps', allowLoss: true },
    );
    expect(text).not.toContain('type: match');
    expect(tests.map(({ id, skip }) => [id, skip])).toEqual([
      ['a', undefined],
      ['b', 'nothing to check yet'],
    ]);
    expect(text).toContain('# not converted: test "c" (a step takes one text of the user)');
    expect(warnings.filter((line) => line.startsWith('not_converted 4:'))).toHaveLength(2);
  });

  test('a suite with cases in other files is refused with that reason', async () => {
    const files = {
      'a.eval.yaml': 'tests: ./cases.jsonl\n',
      'cases.jsonl': '{"id":"q","input":"x","assert":[{"type":"contains","value":"y"}]}\n',
    };
    for (const to of ['dataset', 'steps'] as const) {
      const { errors } = await convertIn(files, { to });
      expect(errors).toEqual([expect.stringContaining('not_converted 1:1 its cases are in other files')]);
    }
  });

  test('a suite with errors is not converted', async () => {
    const { errors, outputs } = await convertIn({ 'a.eval.yaml': 'cases: [{id: a, input: x, asert: []}]\n' });
    expect(errors[0]).toMatch(/^unknown_field 1:27/);
    expect(outputs).toEqual([]);
  });
});
