import { describe, expect, test } from 'vitest';
import { compile, search } from '../../src/base/match/python-re/index.ts';
import { convertIn, outline } from './convert-in.ts';

const json = JSON.stringify;
const losses = (errors: readonly string[]): readonly string[] =>
  errors.map((line) => line.replace(/^not_converted \d+:\d+ /, '').replace(/ is not converted: .*/s, ''));

describe('agent skills', () => {
  test('sentences become rubrics, descriptions a goal, and files parts of the input', async () => {
    const evals = [
      {
        id: 7,
        prompt: 'Sum it up',
        expected_output: 'A total',
        files: ['data/in.csv'],
        assertions: ['a'],
        expectations: ['b'],
      },
      { prompt: 'Hello', should_trigger: false, timeout: 5 },
      { id: 'x', prompt: '' },
      { id: 7, prompt: 'Again', expected_output: 'yes', files: ['gone.bin'] },
    ];
    const { tests, errors, warnings, text } = await convertIn(
      { 'skill/evals/evals.json': json({ skill_name: 's', evals }), 'skill/data/in.csv': 'a,b' },
      { out: 'skill/evals/out.eval.yaml' },
    );
    expect(
      tests.map(({ id, expected_outcome, skip, metadata }) => [id, expected_outcome, skip, metadata]),
    ).toEqual([
      ['7', 'A total', undefined, { skill_name: 's' }],
      ['2', undefined, undefined, { skill_name: 's' }],
      ['7#2', 'yes', undefined, { skill_name: 's' }],
    ]);
    expect(tests[0]!.steps[0]!.input_messages[0]!['content']).toEqual([
      { type: 'text', value: 'Sum it up' },
      { type: 'file', value: '../data/in.csv', text: 'a,b' },
    ]);
    expect(tests[0]!.steps[0]!.assertions[0]!.parameters).toEqual({ rubrics: ['a', 'b'] });
    expect(losses(errors)).toEqual(['timeout', 'missing_input 1:223 evals[2] has no `prompt`']);
    expect(warnings.map((line) => line.split(' ')[0])).toEqual(['file_reference', 'id_changed']);
    expect(text).toContain('{ type: skill_used, value: s, max: 0 }');
  });

  test('a list of queries is read too', async () => {
    const queries = [
      { query: 'Hi', should_trigger: true },
      { query: 'Bye', should_trigger: false, expected_skill: 's' },
    ];
    const { tests, errors } = await convertIn({ 'q.json': json(queries) });
    expect(tests.map(({ id, stop_after, metadata }) => [id, stop_after, metadata])).toEqual([
      ['1', 'first_tool_call', { skill_trigger: { skill: '*', should_trigger: true } }],
      ['2', 'first_tool_call', { skill_trigger: { skill: 's', should_trigger: false } }],
    ]);
    expect(outline(tests[0]!)).toEqual({ id: '1', steps: [['user: Hi', 'skill_used']] });
    expect(losses(errors)).toEqual([]);
  });
});

const turn = (text: string, answer: string, calls: unknown) => ({
  user_content: { parts: [{ text }] },
  final_response: { parts: [{ text: answer, thought: true }, { text: 'end' }] },
  intermediate_data: calls,
});

describe('ADK', () => {
  test('an eval set is read with both spellings of calls, and user keys are kept', async () => {
    const set = {
      eval_set_id: 'set',
      eval_cases: [
        {
          evalId: 'c1',
          conversation: [
            turn('Hi', 'Hello', { tool_uses: [{ name: 'greet', args: { inLang: 'en' } }] }),
            turn('Bye', 'So long', {
              invocation_events: [
                { content: { parts: [{ function_call: { name: 'wave', args: {} } }, { text: 'hm' }] } },
              ],
            }),
          ],
          sessionInput: { app_name: 'app', state: { snake_key: 1, camelKey: { inner_key: 2 } } },
          final_session_state: { done: true },
        },
        { eval_id: 'played', conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'p' } },
        { eval_id: 'empty', conversation: [] },
      ],
    };
    const config = json({
      criteria: {
        tool_trajectory_avg_score: { threshold: 0.5, match_type: 'IN_ORDER' },
        hallucinations_v1: 1,
      },
    });
    const { tests, errors, text } = await convertIn({
      'a.evalset.json': json(set),
      'test_config.json': config,
    });
    expect(tests.map(outline)).toEqual([
      {
        id: 'c1',
        memory: { snake_key: 1, camelKey: { inner_key: 2 } },
        steps: [
          ['user: Hi', 'assistant: Hello\nend', 'tool_trajectory'],
          ['user: Bye', 'assistant: So long\nend', 'tool_trajectory', 'memory'],
        ],
      },
      { id: 'played', steps: [['user: Hi', 'llm_judge']] },
    ]);
    expect(tests[0]!.steps[0]!.assertions[0]).toMatchObject({
      required: 1,
      parameters: {
        mode: 'in_order',
        args_match: 'exact',
        expected: [{ tool: 'greet', args: { inLang: 'en' } }],
      },
    });
    expect(tests[1]!.skip).toBe('nothing to check yet');
    expect(losses(errors)).toEqual([
      'the threshold of tool_trajectory_avg_score',
      'criterion hallucinations_v1',
      'intermediate_responses',
      'app_name',
      'conversation_scenario',
      'missing_input 1:727 empty has no turn with text from the user',
    ]);
    expect(text.startsWith('# not converted: the threshold of tool_trajectory_avg_score: 0.5 (')).toBe(true);
  });

  test('a field in both spellings is reported, and only one is read', async () => {
    const uses = (name: string) => ({ tool_uses: [{ name, args: {} }] });
    const both = {
      user_content: { parts: [{ text: 'Hi' }] },
      intermediate_data: uses('one'),
      intermediateData: uses('two'),
    };
    const { errors } = await convertIn({
      'a.evalset.json': json({ eval_set_id: 's', eval_cases: [{ eval_id: 'c', conversation: [both] }] }),
    });
    expect(losses(errors)).toContain('intermediateData');
  });

  test('without test_config.json the default criteria apply: an empty list of tools means that none is called', async () => {
    const above = { 'test_config.json': json({ criteria: { tool_trajectory_avg_score: 0 } }) };
    const list = json([
      { query: 'Hi', expected_tool_use: [], reference: 'Hello' },
      { query: 'Bye', reference: 'Bye' },
    ]);
    const { tests, errors } = await convertIn({ 'evals/hello.test.json': list, ...above });
    expect(tests.map(outline)).toEqual([
      {
        id: 'hello',
        steps: [
          ['user: Hi', 'assistant: Hello', 'tool_trajectory'],
          ['user: Bye', 'assistant: Bye', 'tool_trajectory'],
        ],
      },
    ]);
    expect(tests[0]!.steps[1]!.assertions[0]!.parameters).toMatchObject({ mode: 'exact', expected: [] });
    expect(losses(errors)).toEqual(['criterion response_match_score (of ADK by default)']);
  });

  test('a named list is read with its session, and --evaluator judges the answers', async () => {
    const lists = [
      { name: 'one', data: [{ query: 'Hi', reference: 'Hello' }], initial_session: { state: { a: 1 } } },
    ];
    const files = {
      'a.test.json': json(lists),
      'test_config.json': '{"criteria":{"response_match_score":0.5}}',
    };
    const { tests } = await convertIn(files, { options: { evaluator: 'llm_judge' } });
    expect(tests.map(outline)).toEqual([
      { id: 'one', memory: { a: 1 }, steps: [['user: Hi', 'assistant: Hello', 'llm_judge']] },
    ]);
    const plain = await convertIn(files);
    expect(plain.tests[0]!.skip).toBe('nothing to check yet');
  });

  test('a similar file is not mistaken for an eval set', async () => {
    const { errors } = await convertIn({ 'a.evalset.json': '{"name":"x","test_cases":[{"id":"a"}]}' });
    expect(errors[0]).toMatch(/^unknown_format/);
    const forced = await convertIn({ 'a.evalset.json': '{"name":"x"}' }, { from: 'adk' });
    expect(forced.errors[0]).toMatch(/^not_readable/);
  });
});

describe("OpenAI's evals", () => {
  const sample = (ideal: unknown): string => `${json({ input: 'q', ideal })}\n`;

  test.each([
    ['Match', 'a.b', { type: 'starts_with', value: 'a.b' }],
    ['Match', ['a.b', 'c'], { type: 'regex', value: String.raw`\A(?:a\.b|c)` }],
    ['Includes', ['x', 'y'], { type: 'contains_any', value: ['x', 'y'] }],
    ['JsonMatch', ['[1]', '{"a":null}'], { type: 'is_json', schema: { const: [1] } }],
  ])('%s %j', async (name, ideal, { type, ...parameters }) => {
    const { tests, errors } = await convertIn({ 's.jsonl': sample(ideal) }, { options: { class: name } });
    expect(errors).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([{ kind: type, parameters }]);
  });

  test('the registry decides the class and whether case matters', async () => {
    const registry =
      'e:\n  id: e.v0\ne.v0:\n  class: evals.elsuite.basic.includes:Includes\n  args: {samples_jsonl: s.jsonl, ignore_case: true, num_few_shot: 2}\n';
    const files = { 's.jsonl': sample('STRASSE'), 'r.yaml': registry };
    const { tests, errors } = await convertIn(files, { registry: 'r.yaml' });
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([
      { kind: 'regex', parameters: { value: 'STRASSE', flags: 'i' } },
    ]);
    expect(losses(errors)).toEqual(['args.num_few_shot']);
    const whole = await convertIn({ 'r.yaml': registry, 's.jsonl': sample('a') });
    expect(whole.tests.map(outline)).toEqual([{ id: '#1', steps: [['user: q', 'icontains']] }]);
  });

  test('FuzzyMatch accepts the ideal answer and its words without punctuation', async () => {
    const ideals = ['U.S.A.', '3.14', "don't know", 'The red-hot chili, an A.', '日本', '!?'];
    const { tests } = await convertIn(
      { 's.jsonl': ideals.map(sample).join('') },
      { options: { class: 'FuzzyMatch' } },
    );
    const patterns = tests.map(({ steps }) => String(steps[0]!.assertions[0]!.parameters['value']));
    expect(ideals.filter((ideal, index) => search(compile(patterns[index]!, 'i'), ideal) === null)).toEqual(
      [],
    );
    expect(search(compile(patterns[0]!, 'i'), 'It is the USA')).not.toBeNull();
    expect(search(compile(patterns[0]!, 'i'), 'It is the UA')).toBeNull();
  });

  test('an empty ideal answer beside others is reported', async () => {
    const { tests, errors } = await convertIn(
      { 's.jsonl': sample(['', 'z']) },
      { options: { class: 'Includes' } },
    );
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([{ kind: 'contains', parameters: { value: 'z' } }]);
    expect(losses(errors)).toEqual(['an empty ideal answer']);
  });

  test('nothing is guessed, and broken samples are reported', async () => {
    const open = await convertIn({ 's.jsonl': sample('a') });
    expect(open.errors).toEqual(['choose_mapping 1:1 the samples do not say how answers are compared']);
    const lines = `{"input":[{"role":"user"}],"ideal":"a"}\n{"input":\n${json({ input: 'q', ideal: 'The cat!', x: 1 })}\n`;
    const { tests, errors } = await convertIn({ 's.jsonl': lines }, { options: { class: 'FuzzyMatch' } });
    expect(tests.map(({ id }) => id)).toEqual(['#3']);
    expect(errors.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'json 2:10',
      'missing_input 1:10',
      'not_converted 3:33',
      'not_converted 3:14',
    ]);
  });
});

describe('LangSmith', () => {
  test('mapped values are used, and the rest goes into vars and metadata', async () => {
    const lines = [
      {
        inputs: { question: 'Say {{x}}', context: 'c {{y}}' },
        outputs: { answer: 'a', score: 1 },
        metadata: { k: 1 },
        split: 'dev',
      },
      { inputs: { question: 'q' }, outputs: null },
    ];
    const { tests, errors, warnings } = await convertIn(
      { 'd.jsonl': lines.map((line) => `${json(line)}\n`).join('') },
      { options: { input: 'inputs.question', expected: 'outputs.answer' } },
    );
    expect(errors).toEqual([]);
    expect(tests.map(({ id, vars, metadata, tags, skip }) => ({ id, vars, metadata, tags, skip }))).toEqual([
      {
        id: '#1',
        vars: { context: 'c {{y}}' },
        metadata: { k: 1, outputs: { score: 1 } },
        tags: ['dev'],
        skip: undefined,
      },
      { id: '#2', vars: undefined, metadata: undefined, tags: [], skip: 'nothing to check yet' },
    ]);
    expect(tests.map(outline)).toEqual([
      { id: '#1', steps: [['user: Say {{x}}', 'assistant: a', 'match']] },
      { id: '#2', steps: [['user: q', 'llm_judge']] },
    ]);
    expect(warnings.map((line) => line.split(' ')[0])).toEqual([
      'only_variables',
      'nothing_to_check',
      'check_chosen',
    ]);
  });

  test('LangChain messages are read', async () => {
    const ai = { lc: 1, type: 'constructor', id: ['langchain', 'AIMessage'], kwargs: { content: 'Hey' } };
    const lines = [
      { inputs: { input: [{ type: 'human', data: { content: 'Hi' } }] }, outputs: { output: ai } },
      {
        inputs: { messages: [{ role: 'user', content: 'Yo' }] },
        outputs: { generations: [{ text: 'Hey', message: ai }] },
      },
    ];
    const { tests } = await convertIn({ 'd.jsonl': lines.map((line) => `${json(line)}\n`).join('') });
    expect(tests.map(outline)).toEqual([
      { id: '#1', steps: [['user: Hi', 'assistant: Hey', 'match']] },
      { id: '#2', steps: [['user: Yo', 'assistant: Hey', 'match']] },
    ]);
  });

  test('two values without a mapping are an error that asks for one', async () => {
    const { errors, outputs } = await convertIn({
      'd.jsonl': '{"inputs":{"a":"1","b":"2"},"outputs":{"x":"3"}}\n',
    });
    expect(errors).toEqual([
      'choose_mapping 1:11 `inputs` has 2 values (a, b), and nothing says which one to use',
    ]);
    expect(outputs).toEqual([]);
  });
});

describe('DeepEval', () => {
  test('goldens are read from JSON', async () => {
    const goldens = [
      {
        input: 'q',
        actual_output: 'old',
        expected_output: 'a',
        retrievalContext: ['r'],
        name: 'one',
        expected_tools: [{ name: 'f', inputParameters: { k: 1 }, output: 2 }],
        additional_metadata: { m: 1 },
      },
      { input: 'q', context: ['c'] },
      { input: '', expected_output: 'a' },
    ];
    const { tests, errors } = await convertIn({ 'g.json': json(goldens) });
    expect(tests.map(outline)).toEqual([
      { id: 'one', steps: [['user: q', 'assistant: a', 'match', 'tool_trajectory']] },
      { id: '#2', steps: [['user: q', 'llm_judge']] },
    ]);
    expect(tests[0]!.metadata).toEqual({ retrieval_context: ['r'], additional_metadata: { m: 1 } });
    expect(losses(errors)).toEqual([
      'expected_tools.output',
      'actual_output',
      'missing_input 1:227 this golden has no `input`',
    ]);
  });

  test('conversation fields of a single question are lost and reported', async () => {
    const { errors } = await convertIn({
      'g.json': json([
        { input: 'q', expected_output: 'a', expected_outcome: 'is polite', retrieval_context: ['r'] },
      ]),
    });
    expect(losses(errors)).toEqual(['expected_outcome']);
  });

  test('one bad item does not keep the file from being recognised', async () => {
    const goldens = [
      { input: 'q', expected_output: 'a', retrieval_context: ['r'] },
      'oops',
      { input: 'q', expected_output: 'b' },
    ];
    const { tests, errors } = await convertIn({ 'g.json': json(goldens) });
    expect(tests.map(({ id }) => id)).toEqual(['#1', '#3']);
    expect(errors).toEqual([expect.stringContaining('missing_input')]);
  });

  test('conversations become steps', async () => {
    const turns = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello', tools_called: [{ name: 'f' }] },
      { role: 'assistant', content: 'Still there?' },
      { role: 'user', content: 'Bye' },
    ];
    const goldens = [
      { scenario: 'Greets', expected_outcome: 'Polite', turns: json(turns), user_description: 'shy' },
      { scenario: 'No goal', turns: turns.slice(0, 2) },
      { scenario: 'Played by a model', expected_outcome: 'x' },
    ];
    const { tests, errors } = await convertIn({ 'g.json': json(goldens) });
    expect(tests.map(outline)).toEqual([
      {
        id: '#1',
        expected_outcome: 'Polite',
        steps: [['user: Hi', 'assistant: Hello'], ['user: Bye']],
        checks: ['llm_judge'],
      },
      { id: '#2', steps: [['user: Hi', 'assistant: Hello', 'match']] },
      { id: '#3', expected_outcome: 'x', steps: [['user: Played by a model', 'llm_judge']] },
    ]);
    expect(tests[2]!.skip).toBe('a model has to play the user');
    expect(losses(errors)).toEqual(['turns.tools_called', 'turn', 'turns.tools_called', 'scenario']);
  });

  test('goldens are read from CSV', async () => {
    const csv =
      'input,expected_output,context,tools_called,expected_tools,name\nq,a,x|y,[],"[{""name"": ""f""}]",n\n';
    const { tests, errors } = await convertIn({ 'g.csv': csv });
    expect(errors).toEqual([]);
    expect(tests.map(outline)).toEqual([
      { id: 'n', steps: [['user: q', 'assistant: a', 'match', 'tool_trajectory']] },
    ]);
    expect(tests[0]!.metadata).toEqual({ context: ['x', 'y'] });
  });
});

describe('CSV', () => {
  test('each row becomes a test, values stay text, and bad rows are reported at their place', async () => {
    const csv =
      '\uFEFFinput;expected_output;lang\r\n1e3;true;de\r\n\r\n;x;\r\na;b;c;d\r\n" y ";"";\r\n"torn;z\r\n';
    const { tests, errors, text } = await convertIn({ 'a.csv': csv });
    expect(tests.map(outline)).toEqual([
      { id: '#1', steps: [['user: 1e3', 'assistant: true', 'match']] },
      { id: '#4', steps: [['user:  y ', 'llm_judge']] },
    ]);
    expect(tests[0]!.metadata).toEqual({ lang: 'de' });
    expect(errors.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'csv_cells 5:7',
      'csv_quote 7:1',
      'missing_input 4:1',
    ]);
    expect(text).toContain('  # not converted: line 5: this row has 4 cells');
  });

  test('a goal in words needs a judge, and `match` is only for an expected answer', async () => {
    const csv = 'input,expected_output,expected_outcome\na,b,polite\nc,,short\nd,e,\n';
    const { tests, errors } = await convertIn({ 'a.csv': csv });
    expect(errors).toEqual([]);
    expect(tests.map(outline)).toEqual([
      { id: '#1', expected_outcome: 'polite', steps: [['user: a', 'assistant: b', 'match', 'llm_judge']] },
      { id: '#2', expected_outcome: 'short', steps: [['user: c', 'llm_judge']] },
      { id: '#3', steps: [['user: d', 'assistant: e', 'match']] },
    ]);
  });

  test('columns can be named, and a missing one is a finding', async () => {
    const files = { 'a.csv': 'nr,frage,antwort\n7,q,a\n' };
    const { tests } = await convertIn(files, { options: { input: 'frage', expected: 'antwort', id: 'nr' } });
    expect(tests.map(outline)).toEqual([{ id: '7', steps: [['user: q', 'assistant: a', 'match']] }]);
    const { errors } = await convertIn(files, { options: { input: 'frage', expected: 'anwort' } });
    expect(errors).toEqual([
      'choose_mapping 1:1 there is no column anwort; the columns are nr, frage, antwort',
    ]);
  });
});

test('a case that cannot be expressed is left out with its reason, and the rest is converted', async () => {
  const outputs = [[{ role: 'assistant', content: 'a' }, 5], 'fine'];
  const lines = outputs.map((output) => `${json({ inputs: { q: 'x' }, outputs: { output } })}\n`).join('');
  const { tests, errors, text } = await convertIn({ 'd.jsonl': lines });
  expect(tests.map(({ id }) => id)).toEqual(['#2']);
  expect(errors).toEqual([
    'conversion_invalid 1:1 "#1" is not converted: `expected_output` mixes messages with other values: item 2 is not a message',
  ]);
  expect(text).toContain('  # not converted: #1: `expected_output` mixes');
});

test("converting another tool's file to step tests is refused if they cannot express it", async () => {
  const files = { 's.csv': 'input,expected_output\nq,a\n' };
  const refused = await convertIn(files, { to: 'steps' });
  expect(losses(refused.errors)).toEqual(['expected_output', 'match']);
  expect(refused.outputs).toEqual([]);
  const dataset = await convertIn(files, { to: 'dataset' });
  expect(dataset.outputs.map(({ path }) => path)).toEqual(['out.jsonl', 'out.yaml']);
  expect(dataset.tests.map(outline)).toEqual([{ id: '#1', steps: [['user: q', 'assistant: a', 'match']] }]);
});

describe('Inspect', () => {
  const lines = [
    { input: 'Where is the ball?', target: 'bathtub', metadata: { level: 1 } },
    { id: 2, input: [{ role: 'user', content: '2 + 2?' }], target: ['4', 'four'] },
    { input: 'Which?', target: 'A', choices: ['x', 'y'] },
    { input: '', target: 'A' },
    { input: 'Free', target: '' },
  ];
  const wanted = [
    { id: '#1', steps: [['user: Where is the ball?', 'assistant: bathtub', 'match']] },
    { id: '2', steps: [['user: 2 + 2?', 'contains_any']] },
    { id: '#3', steps: [['user: Which?', 'assistant: A', 'match']] },
  ];

  test.each([
    ['s.jsonl', lines.map((line) => json(line)).join('\n')],
    ['s.json', json(lines)],
  ])('samples of %s become cases; what solvers do is reported', async (name, text) => {
    const { tests, errors, warnings } = await convertIn({ [name]: text });
    expect(tests.slice(0, 3).map(outline)).toEqual(wanted);
    expect(tests.map(({ skip }) => skip)).toEqual([undefined, undefined, undefined, 'nothing to check yet']);
    expect(errors.map((line) => line.split(' ')[0])).toEqual(['not_converted', 'missing_input']);
    expect(warnings.map((line) => line.split(' ')[0])).toEqual(['nothing_to_check', 'check_chosen']);
  });

  test('a table with `input` and `target` is one of Inspect', async () => {
    const { tests, errors } = await convertIn({ 's.csv': 'input,target\nWhere?,here\n' });
    expect(tests.map(outline)).toEqual([{ id: '#1', steps: [['user: Where?', 'assistant: here', 'match']] }]);
    expect(errors).toEqual([]);
  });

  test('a case of ours that names a target is none', async () => {
    const text = json({ id: 'a', input: 'x', target: 'main', expected_outcome: 'y' });
    const { errors } = await convertIn({ 's.jsonl': text });
    expect(errors.join()).toContain('unknown_field');
  });
});
