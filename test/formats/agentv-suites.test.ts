import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSuites } from '../../src/suites/load/load-suites.ts';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { brief, createTempFolder } from './temp-folder.ts';

function parse(text: string) {
  const { suite, findings } = parseSuite({ path: 'suite.eval.yaml', text });
  return { suite, tests: suite?.tests ?? [], findings, found: findings.map(brief) };
}

async function load(files: Readonly<Record<string, string>>, name = 'suite.eval.yaml') {
  const folder = createTempFolder({ 'package.json': '{}', ...files });
  const { suites, findings } = await loadSuites([join(folder, name)]);
  const short = (file: string): string => file.replace(`${folder}/`, '');
  return {
    folder,
    tests: suites[0]?.tests ?? [],
    places: (suites[0]?.tests ?? []).map(
      ({ id, place, row = place }) => `${id} ${short(row.file)}:${row.line}`,
    ),
    named: (suites[0]?.tests ?? []).map(({ place }) => `${short(place.file)}:${place.line}`),
    found: findings.map((finding) => `${short(finding.file)} ${brief(finding)}`),
    messages: findings.map(({ message }) => message.replaceAll(`${folder}/`, '')),
  };
}

describe('what a newer AgentV file gives to its cases', () => {
  const SHARED = [
    'name: travel',
    'version: "1.0"',
    'governance: { owner: me, tags: [a] }',
    'metadata: { tier: 1 }',
    'tags: { team: core }',
    'execution: { target: agent, workers: 3, trials: { count: 4, strategy: pass_at_k } }',
    'threshold: 0.6',
    'input: [{ role: system, content: Be brief. }]',
    'input_files: [notes.txt]',
    'assertions: [{ type: contains, value: shared }]',
    'tests:',
    '  - id: own',
    '    criteria: Goal',
    '    input: Ask',
    '    input_files: [own.txt]',
    '    assertions: [{ type: contains, value: mine }]',
    '    metadata: { tier: 2, governance: { tags: [b] } }',
    '  - id: bare',
    '    criteria: Goal',
    '    input: Ask',
    '  - id: alone',
    '    criteria: Goal',
    '    input: Ask',
    '    execution: { skip_defaults: true, threshold: 0.9 }',
  ].join('\n');

  test("a case gets the file's messages, files, evaluators and settings in addition to its own", () => {
    const { suite, tests, found } = parse(SHARED);
    expect(found).toEqual([
      '6:29 warning ignored_field execution.workers',
      '7:1 warning agentv_threshold threshold',
    ]);
    expect(suite).toMatchObject({ dataset: 'travel' });
    const [own, bare, alone] = tests;
    const system = { role: 'system', content: 'Be brief.' };
    const files = (name: string) => ({
      role: 'user',
      content: [
        { type: 'file', value: name },
        { type: 'text', value: 'Ask' },
      ],
    });
    expect(own).toMatchObject({
      input_messages: [system, files('own.txt')],
      target: 'agent',
      threshold: 0.6,
      repeats: 4,
      pass_at_least: '1/4',
      tags: ['team:core'],
      metadata: { tier: 2, governance: { owner: 'me', tags: ['a', 'b'] } },
    });
    expect(own!.steps[0]!.assertions.map(({ name, parameters }) => [name, parameters['value']])).toEqual([
      ['contains', 'mine'],
      ['contains#2', 'shared'],
    ]);
    expect(bare!.input_messages).toEqual([system, files('notes.txt')]);
    expect(alone!.input_messages).toEqual([{ role: 'user', content: 'Ask' }]);
    expect(alone!.steps[0]!.assertions.map(({ kind }) => kind)).toEqual(['llm_judge']);
    expect(alone!.threshold).toBe(0.9);
    expect(own!.steps[0]!.places.input_messages.map(({ line }) => line)).toEqual([8, 14]);
  });

  test('`evaluators` of a file are still replaced by those of a case', () => {
    const { tests, found } = parse(
      'evaluators: [{ type: contains, value: shared }]\ntests:\n- { id: a, input: x, assert: [{ type: equals, value: y }] }\n',
    );
    expect(found).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions.map(({ kind }) => kind)).toEqual(['equals']);
  });

  test.each([
    ['workspace: { template: ./x }', 'workspace'],
    ['environment: { type: docker }', 'environment'],
    ['extensions: ["file://a.ts:beforeAll"]', 'extensions'],
    ['providers: [{ id: cli, command: x }]', 'providers[0]'],
    ['execution: { targets: [a, { name: b, provider: x }] }', 'execution.targets[1]'],
    ['default_test: ref://x', 'default_test'],
  ])('%s is an error that names it, and the tests are still shown', (line, path) => {
    const { findings, tests } = parse(`${line}\ntests:\n- { id: a, input: x, criteria: G }\n`);
    expect(findings).toMatchObject([{ severity: 'error', code: 'unsupported_feature', path }]);
    expect(findings[0]!.hint).toBeDefined();
    expect(tests.map(({ id }) => id)).toEqual(['a']);
  });

  test.each([
    ['environment: { type: host }', 'tests[0].environment'],
    ['depends_on: [b]', 'tests[0].depends_on'],
    ['options: { transform: file://x.ts }', 'tests[0].options.transform'],
    ['targets: [a, file://b.yaml]', 'tests[0].targets[1]'],
  ])('%s in a case is an error that names it, too', (line, path) => {
    const { findings, tests } = parse(
      `tests:\n- id: a\n  criteria: G\n  input_messages: [{ role: user, content: x }]\n  ${line}\n`,
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'unsupported_feature', path },
    ]);
    expect(tests).toHaveLength(1);
  });

  test.each(['${{ TOKEN }}', '{{ env.TOKEN }}'])(
    'the variable %s is an error in files of releases that fill it in, and text in older ones',
    (written) => {
      const file = (list: string): string => `${list}:\n- { id: a, input: "Use ${written}", criteria: G }\n`;
      const newer = parse(file('tests'));
      expect(newer.findings).toMatchObject([{ code: 'unsupported_feature', path: 'tests[0].input' }]);
      expect(newer.tests).toHaveLength(1);
      const older = parse(file('evalcases'));
      expect(older.findings).toEqual([]);
      expect(older.tests[0]!.steps[0]!.input_messages).toMatchObject([{ content: `Use ${written}` }]);
    },
  );

  test('`env` may be a variable of the test', () => {
    const { findings, tests } = parse(
      'tests:\n- { id: a, vars: { env: { TOKEN: t } }, input: "Use {{ env.TOKEN }}", criteria: G }\n',
    );
    expect(findings).toEqual([]);
    expect(tests[0]!.steps[0]!.input_messages).toMatchObject([{ content: 'Use t' }]);
  });

  test('`negate` in a `composite` is a warning under each name of its list, and none in an `assert-set`', () => {
    const list = '[{ name: m, type: contains, value: a, negate: true }]';
    const names = ['assert', 'assertions', 'evaluators'];
    const items = names.map((name, index) => `{ name: c${index}, type: composite, ${name}: ${list} }`);
    const { findings } = parse(
      `tests:\n- { id: a, input: x, assert: [${items.join(', ')}, { type: assert-set, assert: ${list} }] }\n`,
    );
    expect(findings.map(({ code }) => code)).toEqual(Array(3).fill('agentv_negate'));
  });

  test('the default evaluator may have its newer name', () => {
    const { tests, found } = parse('evaluator: llm-grader\ntests:\n- { id: t, input: x, criteria: G }\n');
    expect(found).toEqual([]);
    expect(tests[0]!.steps[0]!.assertions).toMatchObject([{ kind: 'llm_judge' }]);
  });

  test("prompts in a dataset's sidecar are not ignored", async () => {
    const { found } = await load(
      { 'd.jsonl': '{"id":"a","input":"x","criteria":"G"}\n', 'd.yaml': 'prompts: ["Say {{ input }}"]\n' },
      'd.jsonl',
    );
    expect(found).toContain('d.yaml 1:1 error unsupported_feature prompts');
  });

  test('one target works under every name', () => {
    for (const line of ['targets: [a]', 'providers: a', 'execution: { targets: [{ name: a }] }'])
      expect(parse(`${line}\ntests:\n- { id: t, input: x, criteria: G }\n`).tests[0]!.target).toBe('a');
  });

  test('several targets work under every name, and a case replaces those of its file', () => {
    const own =
      '- { id: t, input: x, criteria: G }\n- { id: own, input: x, criteria: G, targets: [c, d, c] }\n';
    for (const line of [
      'targets: [a, b]',
      'providers: [a, { name: b }]',
      'execution: { targets: [a, b, a] }',
    ]) {
      const { tests, found } = parse(`${line}\ntests:\n${own}`);
      expect(found).toEqual([]);
      expect(tests.map(({ target, targets }) => target ?? targets)).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
    }
  });

  test('targets of a file that no test uses are reported', () => {
    const tests = 'tests:\n- { id: t, input: x, criteria: G, targets: [c] }\n';
    expect(parse(`targets: [a, b]\n${tests}`).findings).toMatchObject([
      { severity: 'warning', code: 'unused_targets', path: 'targets' },
    ]);
    expect(parse(`targets: [a, b]\n${tests}- { id: u, input: x, criteria: G }\n`).findings).toEqual([]);
  });

  test.each([
    ['target: a\ntargets: [b, c]\n', 'targets'],
    ['execution: { target: a, targets: [b] }\n', 'execution.targets'],
    ['execution: { targets: [a] }\nproviders: [b]\n', 'providers'],
  ])('targets that are named twice are an error (%j)', (lines, path) => {
    const { findings } = parse(`${lines}tests:\n- { id: t, input: x, criteria: G }\n`);
    expect(findings).toMatchObject([{ severity: 'error', code: 'given_twice', path }]);
  });

  test('a conversation becomes a test of several steps', () => {
    const { tests, found } = parse(
      [
        'tests:',
        '- id: talk',
        '  mode: conversation',
        '  aggregation: min',
        '  input: [{ role: system, content: Be brief. }]',
        '  turns:',
        '  - { input: Hello, assertions: [Greets back] }',
        '  - { input: Bye, assert: [{ type: contains, value: bye }] }',
        '  assert: [{ type: not-contains, value: sorry }]',
      ].join('\n'),
    );
    expect(found).toEqual([]);
    const [talk] = tests;
    expect(talk!.steps.map(({ input_messages }) => input_messages.map(({ content }) => content))).toEqual([
      ['Be brief.', 'Hello'],
      ['Bye'],
    ]);
    expect(talk!.steps.map(({ assertions }) => assertions.map(({ kind }) => kind))).toEqual([
      ['rubric'],
      ['contains'],
    ]);
    expect(talk!.assertions).toMatchObject([{ kind: 'contains', negate: true }]);
  });

  test.each([
    ['turns: [{ input: a, assert: [b c] }]', 'conversation tests[0].turns'],
    ['mode: conversation', 'conversation tests[0].mode'],
    ['mode: conversation, turns: [{ assert: [b c] }]', 'missing_input tests[0].turns[0].input'],
    [
      'mode: conversation, turns: [{ input: a, expected_output: b }]',
      'unsupported_feature tests[0].turns[0].expected_output',
    ],
    [
      'mode: conversation, aggregation: max, turns: [{ input: a, assert: [b c] }]',
      'value tests[0].aggregation',
    ],
  ])('{%s} is an error', (fields, finding) => {
    const { found } = parse(`tests:\n- { id: a, criteria: G, input: x, ${fields} }\n`);
    expect(found.map((each) => each.replace(/^\S+ /, ''))).toContain(`error ${finding}`);
  });
});

describe('prompts and variables of newer AgentV files', () => {
  test('a prompt is the input of every case, with its variables', () => {
    const { tests, found } = parse(
      [
        'prompts:',
        '  - "{{ input }}"',
        'default_test: { vars: { tone: kind }, assert: ["Is {{ tone }}"] }',
        'tests:',
        '- { id: text, vars: { input: Hello }, assert: ["Says {{ vars.input }}"] }',
        '- id: chat',
        '  vars: { input: [{ role: system, content: Be brief. }, { role: user, content: Hi }], tone: rude }',
        '  assert: [{ type: contains, value: "{{tone}}" }]',
      ].join('\n'),
    );
    expect(found).toEqual([]);
    expect(tests.map(({ input_messages }) => input_messages)).toEqual([
      [{ role: 'user', content: 'Hello' }],
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    ]);
    expect(tests.map(({ steps }) => steps[0]!.assertions.map(({ parameters }) => parameters))).toEqual([
      [
        { rubrics: ['Says Hello'], share: true },
        { rubrics: ['Is kind'], share: true },
      ],
      [{ value: 'rude' }, { rubrics: ['Is rude'], share: true }],
    ]);
  });

  test('with several prompts, a case is a test for each of them', () => {
    const { tests, found } = parse(
      'prompts: ["Say {{x}}", { id: loud, prompt: "SAY {{x}}" }]\ntests:\n- { id: a, vars: { x: hi }, assert: [Greets back] }\n',
    );
    expect(found).toEqual([]);
    expect(tests.map(({ id, input_messages }) => [id, input_messages![0]!.content])).toEqual([
      ['a__prompt_1', 'Say hi'],
      ['a__prompt_loud', 'SAY hi'],
    ]);
  });

  test.each([
    [
      'a variable that no case has',
      'prompts: ["{{ question }}"]',
      'vars: { input: x }',
      'unknown_variable prompts[0]',
    ],
    [
      'an input as well',
      'prompts: ["{{ input }}"]',
      'input: y, vars: { input: x }',
      'given_twice tests[0].input',
    ],
    ['no variable', 'prompts: []', 'vars: { input: x }', 'empty prompts'],
    ['a number', 'prompts: [5]', 'vars: { input: x }', 'type prompts[0]'],
    ['a program', 'prompts: [{ function: x.js }]', 'vars: { input: x }', 'unsupported_feature prompts[0]'],
    [
      'values that are templates of unknown names',
      'prompts: ["{{ a }}"]',
      'vars: { a: "{{b}}" }',
      'unknown_variable prompts[0]',
    ],
    ['lists of values', 'prompts: ["{{ a }}"]', 'vars: { a: [x, y] }', 'unsupported_feature tests[0].vars.a'],
  ])('%s is an error at its place', (_name, prompts, fields, finding) => {
    const { found } = parse(`${prompts}\ntests:\n- { id: a, assert: [Is kind], ${fields} }\n`);
    expect(found.map((each) => each.replace(/^\S+ /, ''))).toContain(`error ${finding}`);
  });

  test('a prompt may be in a file', async () => {
    const { tests, found } = await load({
      'suite.eval.yaml':
        'prompts: file://p.md\ntests:\n- { id: a, vars: { x: hi }, assert: [Greets back] }\n',
      'p.md': 'Say {{x}}',
    });
    expect(found).toEqual([]);
    expect(tests[0]!.input_messages).toEqual([{ role: 'user', content: 'Say hi' }]);
  });
});

describe('cases in other files', () => {
  const CASE = '{"id":"%","input":"x","criteria":"G"}';
  const named = (id: string): string => CASE.replace('%', id);

  test('a list, a dataset, a glob and a folder are read, each case with its own place', async () => {
    const {
      places,
      named: namedAt,
      found,
      tests,
    } = await load({
      'suite.eval.yaml': [
        'assert: [Is kind]',
        'tests:',
        '- { id: here, input: x }',
        '- file://cases/list.yaml',
        '- cases/more.jsonl',
        '- file://globbed/*.yaml',
      ].join('\n'),
      'cases/list.yaml': `- { id: first, input: x }\n- nested.json\n`,
      'cases/nested.json': `[\n${named('nested')}]`,
      'cases/more.jsonl': `\n${named('line')}\n`,
      'globbed/b.yaml': `- ${named('b')}`,
      'globbed/a.yaml': `- ${named('a')}`,
    });
    expect(found).toEqual([]);
    expect(places).toEqual([
      'here suite.eval.yaml:3',
      'first cases/list.yaml:1',
      'nested cases/nested.json:2',
      'line cases/more.jsonl:2',
      'a globbed/a.yaml:1',
      'b globbed/b.yaml:1',
    ]);
    expect(namedAt).toEqual([3, 4, 4, 5, 6, 6].map((line) => `suite.eval.yaml:${line}`));
    expect(tests.every(({ steps }) => steps[0]!.assertions.length === 1)).toBe(true);
  });

  test('in a folder, each subfolder with a case.yaml is a case', async () => {
    const { places, found } = await load({
      'suite.eval.yaml': 'tests: ./cases\n',
      'cases/b/case.yaml': 'input: x\ncriteria: G\n',
      'cases/a/case.yml': 'id: named\ninput: x\ncriteria: G\n',
      'cases/c/case.yaml': 'input: x\ncriteria: G\n',
      'cases/c/workspace/file.txt': '',
    });
    expect(found).toEqual(['cases/c/case.yaml 1:1 error unsupported_feature']);
    expect(places).toEqual(['named cases/a/case.yml:1', 'b cases/b/case.yaml:1', 'c cases/c/case.yaml:1']);
  });

  test('findings point at the file of the case', async () => {
    const { found, messages, places } = await load({
      'suite.eval.yaml': 'tests: [list.yaml, lines.jsonl]\n',
      'list.yaml': '- { id: a, input: 5, criteria: G }\n- { id: b, input: x, criteria: G }\n',
      'lines.jsonl': `${named('b')}\n{"id"\n`,
    });
    expect(found).toEqual([
      'lines.jsonl 1:7 error duplicate_id id',
      'lines.jsonl 2:6 error json',
      'list.yaml 1:19 error type [0].input',
    ]);
    expect(messages[0]).toContain('on line 2 of list.yaml');
    expect(places).toEqual(['b list.yaml:2']);
  });

  test('files that name each other are an error', async () => {
    const { found, messages } = await load({
      'suite.eval.yaml': 'tests: a.yaml\n',
      'a.yaml': '- b.yaml\n',
      'b.yaml': '- a.yaml\n',
    });
    expect(found).toEqual(['b.yaml 1:3 error case_file_cycle [0]']);
    expect(messages[0]).toContain('a.yaml → b.yaml → a.yaml');
    const own = await load({ 'suite.eval.yaml': 'tests: suite.eval.yaml\n' });
    expect(own.found).toEqual(['suite.eval.yaml 1:8 error case_file_cycle tests']);
  });

  test.each([
    ['a path out of the project', '../../outside.yaml', 'outside_project'],
    ['an absolute one', '/etc/hosts', 'outside_project'],
    ['a glob out of it', '../../*.yaml', 'outside_project'],
    ['a link out of it', 'link.yaml', 'outside_project'],
    ['a file that is not there', 'nothing.yaml', 'case_file'],
    ['a glob that matches nothing', 'nothing/*.yaml', 'case_file'],
    ['a suite of its own', 'other.eval.yaml', 'case_file'],
    ['a table', 'rows.csv', 'unsupported_feature'],
    ['a file with keys', '.env', 'case_file'],
  ])('%s is an error', async (_name, path, code) => {
    const folder = createTempFolder({
      'project/package.json': '{}',
      'outside.yaml': `- ${named('stolen')}`,
      'project/sub/other.eval.yaml': `target: a\ntests: [${named('a')}]`,
      'project/sub/rows.csv': 'id\na\n',
      'project/sub/.env': 'KEY=secret',
    });
    symlinkSync(join(folder, 'outside.yaml'), join(folder, 'project/sub/link.yaml'));
    const file = join(folder, 'project/sub/suite.eval.yaml');
    writeFileSync(file, `tests: ${path}\n`);
    const { suites, findings } = await loadSuites([file]);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(suites.flatMap(({ tests }) => tests)).toEqual([]);
  });

  test('without access to files, the reference is an error', () => {
    expect(parse('tests: a.yaml\n').found).toEqual(['1:8 error case_file tests']);
  });
});

describe('the evals of an agent skill', () => {
  test('become tests, and unsupported fields are reported', async () => {
    const { tests, found } = await load(
      {
        'evals.json': JSON.stringify({
          skill_name: 'csv',
          evals: [
            {
              id: 1,
              prompt: 'Find it',
              expected_output: 'It is found',
              assertions: ['Names it'],
              expectations: ['Is short'],
            },
            { prompt: 'Sum up', expected_output: 'A sum', should_trigger: true },
            { id: 3, prompt: '' },
            { id: 4, prompt: 'x' },
            { id: 1, prompt: 'x', expected_output: 'y' },
          ],
        }),
      },
      'evals.json',
    );
    expect(found.map((each) => each.replace(/^\S+ \S+ /, ''))).toEqual([
      'error type evals[2].prompt',
      'error missing_expected_outcome evals[3]',
      'error duplicate_id evals[4].id',
    ]);
    expect(tests.map(({ id, expected_outcome, metadata }) => [id, expected_outcome, metadata])).toEqual([
      ['1', 'It is found', { skill_name: 'csv' }],
      ['2', 'A sum', { skill_name: 'csv' }],
    ]);
    expect(tests.map(({ steps }) => steps[0]!.assertions[0]!)).toMatchObject([
      { kind: 'rubric', parameters: { rubrics: ['Names it', 'Is short'] } },
      { kind: 'llm_judge' },
    ]);
  });

  test('the agent gets the `files` of an eval with its prompt; a missing one is an error at its place', async () => {
    const evals = [
      { prompt: 'Sum up', expected_output: 'A sum', files: ['data/in.csv'] },
      { prompt: 'Sum up', expected_output: 'A sum', files: ['data/in.csv', 'data/gone.csv'] },
    ];
    const { tests, found } = await load(
      {
        'my-skill/evals/evals.json': JSON.stringify({ evals }),
        'my-skill/data/in.csv': 'a,b',
        // Not this one: the paths start at the folder of the skill.
        'my-skill/evals/data/in.csv': 'wrong',
      },
      'my-skill/evals/evals.json',
    );
    expect(found.map((each) => each.replace(/^\S+ \S+ /, ''))).toEqual([
      'error file_reference evals[1].files[1]',
    ]);
    expect(tests[0]!.input_messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', value: 'Sum up' },
          { type: 'file', value: '../data/in.csv', text: 'a,b' },
        ],
      },
    ]);
  });
});
