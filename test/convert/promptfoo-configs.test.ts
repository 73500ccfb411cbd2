import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { convertPromptfooIn, runConverted } from './convert-promptfoo-in.ts';

const HEAD = 'target: echo\nthreshold: 1\n';

describe('tests of a promptfoo config', () => {
  test('tests that differ only in variables become data rows of one case', async () => {
    const { suite, cwd, exitCode } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
description: Greetings
prompts: ['Hello {{ name }}, it is {{day.name}} {{n}}']
providers: [echo]
defaultTest:
  vars: {day: {name: Monday}}
  assert: [{type: contains, value: 'Hello {{name}}'}]
tests:
  - vars: {name: [Ada, Bob], n: 1}
  - vars: {name: 'C {{x}}', n: 2}
  - {description: last, vars: {name: Dan, n: 3, day: {name: Friday}}, assert: [{type: contains, value: '{{day.name}} 3'}]}
`,
    });
    expect(exitCode).toBe(0);
    expect(suite).toBe(`description: Greetings
target: echo
threshold: 1
evalcases:
  - id: tests-1-2
    each:
      - day:
          name: Monday
        name: Ada
        'n': 1
      - day:
          name: Monday
        name: Bob
        'n': 1
      - day:
          name: Monday
        name: 'C {{x}}'
        'n': 2
    input: 'Hello {{name}}, it is {{day.name}} {{n}}'
    evaluators:
      - { type: contains, value: 'Hello {{name}}' }
  - id: last
    input: 'Hello Dan, it is Friday 3'
    evaluators:
      - { type: contains, value: Hello Dan }
      - { type: contains, value: Friday 3 }
`);
    expect(Object.values(await runConverted(cwd))).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('every prompt is combined with every set of variables, as rows', async () => {
    const { suite } = await convertPromptfooIn({
      'prompts/two.txt': 'Two {{a}}\n---\nThree {{a}}\n',
      'chat.json': '[{"role":"system","content":"Be {{mood}}"},{"role":"user","content":"{{a}}"}]',
      'promptfooconfig.yaml': `
prompts:
  - {raw: 'One {{a}}-{{b}}', label: one}
  - file://prompts/two.txt
  - {id: file://chat.json, label: chat}
providers: [echo]
scenarios:
  - config: [{vars: {a: [x, 'y']}}]
    tests: [{vars: {b: 1, mood: kind}, assert: [{type: icontains, value: X}]}]
tests:
  - {prompts: [one], vars: {a: t, b: u}, assert: [{type: equals, value: One t-u}]}
`,
    });
    const inputs = [...suite.matchAll(/^ {4}input: ?(.*)$/gm)].map(([, input]) => input);
    expect(inputs).toEqual(['One t-u', "'One {{a}}-{{b}}'", "'Two {{a}}'", "'Three {{a}}'", '']);
    expect(suite).toContain(
      "    input:\n      - { role: system, content: 'Be {{mood}}' }\n      - { role: user, content: '{{a}}' }\n",
    );
    expect(suite.match(/^ {6}- a: x$/gm)).toHaveLength(4);
    expect([...suite.matchAll(/- id: (.*)$/gm)].map(([, id]) => id)).toEqual([
      'test-1 / one',
      'test-2 / one',
      'test-2 / prompt 2.1',
      'test-2 / prompt 2.2',
      'test-2 / chat',
    ]);
  });

  test('values are filled in once, and other braces stay', async () => {
    const { suite, stderr, cwd } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{m}} / {{list}} / {{o}} / {{no}}.']
providers: [echo]
env: {CITY: Oslo}
tests:
  - description: a
    vars: {m: 'in {{env.CITY}} with {{who}}', who: Ada, list: [1, 2], o: {k: 1}}
    assert: [{type: equals, value: 'in Oslo with Ada / 1,2 / [object Object] / .'}]
  - {description: b, vars: {m: '{{other}} {{m}}', list: ~, o: true}, assert: [{type: equals, value: '{{other}} {{m}} /  / true / .'}]}
`,
    });
    expect(stderr).toMatch(
      /no test here defines "no": promptfoo writes nothing for it.*\(undefined_variable\)/,
    );
    // promptfoo fills in assertions too: there, names without a value become nothing.
    expect(suite).toContain("{ type: equals, value: ' ");
    expect(await runConverted(cwd)).toEqual({ a: 'passed', b: 'failed' });
  });

  test('CSV rows become tests, and columns with two underscores are settings', async () => {
    const { suite, cwd, exitCode } = await convertPromptfooIn({
      'tests.csv': `q,__description,__prefix,__suffix,__metric,__threshold,__expected1,__expected2,__metadata:area,__metadata:tags[]
hi,first,[,],greet,0.5,contains: hi,contains: zzz,north,"a,b"
"two
lines",second,,,,,starts-with:two,"contains-all: two,lines",,
"say ""q""",third,,,,,"say ""q""",not-contains: zzz,,
`,
      'promptfooconfig.yaml': "prompts: ['{{q}}']\nproviders: [echo]\ntests: file://tests.csv\n",
    });
    expect(exitCode).toBe(0);
    expect(suite.slice(HEAD.length)).toBe(`evalcases:
  - id: first
    input: '[hi]'
    threshold: 0.5
    evaluators:
      - { type: contains, name: greet, value: hi }
      - { type: contains, name: 'greet#2', value: zzz }
    metadata:
      area: north
      tags: [a, b]
  - id: second
    input: |-
      two
      lines
    evaluators:
      - { type: starts_with, value: two }
      - { type: contains_all, value: [two, lines] }
  - id: third
    input: 'say "q"'
    evaluators:
      - { type: equals, value: 'say "q"' }
      - { type: contains, value: zzz, negate: true }
`);
    expect(await runConverted(cwd)).toEqual({ first: 'passed', second: 'passed', third: 'passed' });
  });

  test('tests, defaults, variables, assertions and values may be in files', async () => {
    const { cwd, stderr, exitCode } = await convertPromptfooIn(
      {
        'tests/a.yaml': '- {description: a, vars: {out: one}}\n',
        'tests/b.json': '[{"description":"b","vars":{"out":"file://tests/out.txt"}}]',
        'tests/c.jsonl': '{"description":"c","vars":{"out":"three"}}\n\n',
        'tests/out.txt': 'two needle\n',
        'defaults.yaml': 'assert:\n  - {type: contains, value: file://needle.txt}\n',
        'needle.txt': 'needle\n',
        'more/z.json': '[{"description":"z","vars":{"out":"file://more/*.txt"}}]',
        'more/y.yaml': '- {description: y, vars: {out: why}}\n',
        'more/1.txt': 'first',
        'more/2.txt': 'second',
        'schema.yaml': 'type: object\nrequired: [x]\n',
        'config.yaml': `
prompts: ['{{out}} needle']
providers: [echo]
defaultTest: file://defaults.yaml
x-common: &common {out: four}
tests:
  - file://tests/a.yaml
  - tests/b.json
  - file://tests/c.jsonl
  - file://more/*.{yaml,json}
  - {description: d, vars: {<<: *common}, options: {disableDefaultAsserts: true}, assert: [{$ref: '#/assertionTemplates/four'}]}
  - {description: e, vars: {out: '{"x":1}'}, options: {disableDefaultAsserts: true, suffix: ''}, assert: [{type: not-is-json, value: file://schema.yaml}]}
assertionTemplates: {four: {type: starts-with, value: four}}
`,
      },
      { file: 'config.yaml' },
    );
    expect(stderr).toMatch(/^✓ config\.yaml \(a promptfoo config\): 8 tests/);
    expect(exitCode).toBe(0);
    const verdicts = await runConverted(cwd);
    expect(Object.values(verdicts)).toEqual(Array.from({ length: 8 }, () => 'passed'));
    expect(
      Object.keys(verdicts)
        .slice(3, 6)
        .map((id) => /\[(.*)\]/.exec(id)?.[1]),
    ).toEqual(['why', 'first', 'second']);
  });

  test('Nunjucks beyond variables is reported, and the test is skipped', async () => {
    const { suite, stderr, exitCode, cwd } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{ name | upper }}', '{% if a %}x{% endif %}', 'Hi {{name}}']
providers: [echo]
tests:
  - vars: {name: Ada}
    assert: [{type: contains, value: Ada}, {type: contains, value: '{{ name | lower }}'}]
`,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('it uses Nunjucks beyond plain variables: {{ name | upper }}');
    expect(stderr).toContain('it uses Nunjucks beyond plain variables: {% if a %}');
    expect(stderr).toContain(
      'the assertion contains is not converted: it uses Nunjucks beyond plain variables: {{ name | lower }}',
    );
    expect(suite).toContain('# not converted: a prompt: "{{ name | upper }}"');
    expect(Object.values(await runConverted(cwd))).toEqual(['skipped', 'skipped', 'passed']);
  });

  test('a test that would pass unchecked is reported and skipped', async () => {
    const { stderr, exitCode, cwd, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [echo]
defaultTest: {vars: {out: a}}
tests:
  - {description: typo, asserts: [{type: contains, value: z}]}
  - {description: none}
  - {description: weightless, assert: [{type: contains, value: z, weight: 0}]}
  - {description: empty, assert: [{type: contains, value: ''}]}
  - {description: scored, threshold: 0.5, assert: [{type: contains, value: a}, {type: similar, value: a}]}
  - {description: function, assertScoringFunction: file://score.js, assert: [{type: contains, value: a}]}
  - {description: vars, options: {transformVars: '({out: 1})'}, assert: [{type: contains, value: a}]}
`,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'asserts is not converted: promptfoo ignores it and the test passes unchecked: write `assert`',
    );
    expect(stderr).toContain(
      'this test has no assertions: promptfoo passes it with any answer, so it is skipped here',
    );
    expect(stderr).toContain('every assertion of this test has weight 0');
    expect(stderr).toContain('it has no text to search for');
    expect(suite).toContain('skip: its threshold needs checks that are not converted');
    expect(suite).toContain('skip: assertScoringFunction is not converted');
    expect(new Set(Object.values(await runConverted(cwd)))).toEqual(new Set(['skipped']));
  });
});

describe('providers of a promptfoo config', () => {
  test('programs, files and recorded outputs become targets that answer', async () => {
    const { cwd, exitCode, stderr } = await convertPromptfooIn({
      'tools/shout.py': 'import sys\nprint(sys.argv[1].upper())\n',
      'promptfooconfig.yaml': `
prompts: ['{{x}}']
providers: ['exec: python3 tools/shout.py']
tests:
  - {description: program, vars: {x: "it's \\"x\\" $HOME"}, assert: [{type: contains, value: "IT'S \\"X\\" $HOME"}]}
  - {description: recorded, vars: {x: y}, providerOutput: {a: [1]}, assert: [{type: equals, value: {a: [1]}}]}
`,
    });
    expect(stderr).toContain('Assay passes the prompt only');
    expect(exitCode).toBe(0);
    expect(await runConverted(cwd)).toEqual({ program: 'passed', recorded: 'passed' });
  });

  test('providers in JavaScript, TypeScript and Python answer, with their settings and variables', async () => {
    const { cwd, exitCode, config } = await convertPromptfooIn(
      {
        'src/agent.mjs': `export default class {
  constructor({ config }) { this.config = config; }
  async callApi(prompt, { vars }) {
    if (prompt === 'FAIL') return { error: 'upstream said no' };
    return { output: { reply: this.config.sign + prompt + vars.n }, tokenUsage: { prompt: 1, completion: 2 } };
  }
}`,
        'src/typed.ts': `export default class { async callApi(prompt: string): Promise<{ output: string }> { return { output: 'ts ' + prompt }; } }`,
        'src/agent.py': `def ask(prompt, options, context):
    return {"output": options["config"]["sign"] + prompt + str(context["vars"]["n"])}
`,
        'promptfooconfig.yaml': `
prompts: ['{{x}}']
providers:
  - {id: file://src/agent.mjs, label: js, config: {sign: '!'}}
  - file://src/typed.ts
  - {id: 'file://src/agent.py:ask', label: py, config: {sign: '?'}}
tests:
  - {description: js, vars: {x: hi, n: 7}, assert: [{type: equals, value: {reply: '!hi7'}}]}
  - {description: fails, vars: {x: FAIL, n: 7}, assert: [{type: not-contains, value: zzz}]}
  - {description: moved, vars: {x: hi, n: 7}, options: {transform: output.reply}, provider: js, assert: [{type: equals, value: '!hi7'}]}
  - {description: ts, vars: {x: hi, n: 7}, provider: file://src/typed.ts, assert: [{type: equals, value: ts hi}]}
  - {description: py, vars: {x: hi, n: 7}, provider: py, assert: [{type: equals, value: '?hi7'}]}
`,
      },
      { out: 'out.eval.yaml' },
    );
    expect(exitCode).toBe(0);
    expect([...config.matchAll(/name: (.*)$/gm)].map(([, name]) => name)).toEqual([
      'js',
      'typed',
      'py',
      'js with transform_1',
    ]);
    expect(await runConverted(cwd)).toEqual({
      'js [js]': 'passed',
      'js [typed]': 'failed',
      'js [py]': 'failed',
      'fails [js]': 'error',
      'fails [typed]': 'passed',
      'fails [py]': 'passed',
      moved: 'passed',
      ts: 'passed',
      py: 'passed',
    });
  });

  test("a transform for all tests becomes part of the suite's target", async () => {
    const { cwd, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: [' {{x}} ']
providers: [echo]
defaultTest: {options: {transform: output.trim()}}
tests:
  - {description: a, vars: {x: hi}, assert: [{type: equals, value: hi}]}
  - {description: b, vars: {x: '{"n":[1]}'}, assert: [{type: equals, value: {n: [1]}}]}
`,
    });
    expect(suite).toMatch(/^target: echo with transform_1\nthreshold: 1\nevalcases:/);
    expect(suite).not.toContain('execution');
    expect(await runConverted(cwd)).toEqual({ a: 'passed', b: 'passed' });
  });

  test('models and endpoints become targets; keys are not copied', async () => {
    const { config, suite, stderr, exitCode, cwd } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{x}}']
providers:
  - {id: openai:gpt-5-mini, config: {temperature: 0, max_tokens: 100, apiKey: sk-very-secret}}
  - {id: openai:chat:qwen3, label: local, config: {apiBaseUrl: 'http://localhost:8000/v1', apiKey: '{{env.LOCAL_KEY}}'}}
  - anthropic:messages:claude-sonnet-4-5
  - {'ollama:chat:llama3': {config: {num_ctx: 10}}}
  - id: https://example.com/chat
    label: api
    config: {method: POST, headers: {authorization: 'Bearer x'}, body: {q: '{{prompt}}'}, transformResponse: 'json.reply[0].text'}
  - bedrock:some-model
tests: [{vars: {x: hi}, assert: [{type: contains, value: hi}]}]
`,
    });
    expect(exitCode).toBe(2);
    expect(config).not.toContain('sk-very-secret');
    expect(stderr).toContain('the provider bedrock:some-model is not converted');
    expect(stderr).not.toContain('many_targets');
    expect(suite).toContain(
      "targets:\n  - 'openai:gpt-5-mini'\n  - local\n  - 'anthropic:messages:claude-sonnet-4-5'\n  - 'ollama:chat:llama3'\n  - api\n",
    );
    expect(config).toBe(`targets:
  - name: 'openai:gpt-5-mini'
    provider: openai
    model: gpt-5-mini
    temperature: 0
    max_tokens: 100
    # not converted: apiKey (keys are not copied: set the variable of the provider, or \`api_key: \${{ NAME }}\`)
  - name: local
    provider: openai-compatible
    model: qwen3
    base_url: 'http://localhost:8000/v1'
    api_key: '\${{ LOCAL_KEY }}'
  - name: 'anthropic:messages:claude-sonnet-4-5'
    provider: anthropic
    model: claude-sonnet-4-5
  - name: 'ollama:chat:llama3'
    provider: openai-compatible
    base_url: 'http://localhost:11434/v1'
    model: llama3
    api_key: none
    # not converted: num_ctx: 10 (a chat target has no such setting)
  - name: api
    url: 'https://example.com/chat'
    method: POST
    headers:
      authorization: Bearer x
    body:
      q: '{{input}}'
    reply:
      output: 'reply[0].text'
  # not converted: the provider bedrock:some-model (Assay has no target of this kind: write an agent for it)
`);
    const validated = await runCli(['validate', 'out.eval.yaml'], { cwd });
    expect(validated.exitCode).toBe(0);
  });
});

describe('promptfoo configs that are broken', () => {
  test.each([
    ['torn YAML', "prompts: ['{{x}}'\nproviders: [echo]\n", 1],
    ['not an object', '- 1\n', 1],
    ['a key twice', 'prompts: [a]\nprompts: [b]\nproviders: [echo]\n', 2],
  ])('%s: nothing is written, and the finding has its place', async (_name, text, line) => {
    const { suite, stderr, exitCode, cwd } = await convertPromptfooIn({ 'promptfooconfig.yaml': '' });
    expect([suite, exitCode]).toEqual(['', 2]);
    writeFileSync(join(cwd, 'promptfooconfig.yaml'), text);
    const args = [
      'convert',
      'promptfooconfig.yaml',
      '--from',
      'promptfoo',
      '--to',
      'eval',
      '-o',
      'x.eval.yaml',
    ];
    const again = await runCli(args, { cwd });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toMatch(new RegExp(`promptfooconfig\\.yaml:[${line}-3]:\\d+ error `));
    expect(again.stderr).toContain('nothing is written');
    expect(stderr).toContain('nothing is written');
  });

  test('unreadable files, circular references and files outside the project are reported where they are named', async () => {
    const { suite, stderr, exitCode } = await convertPromptfooIn({
      'a.yaml':
        '- file://b.yaml\n- {description: fine, vars: {x: a}, assert: [{type: contains, value: a}]}\n',
      'b.yaml': '- file://a.yaml\n',
      'prompts.csv': 'prompt,label\n"One {{x}}",one\n"Two {{x}}" ,two\n',
      'torn.csv': 'x,__expected\n"a,contains: a\n',
      'cells.csv': 'x,__expected\na,contains: a,too much\nb,contains: b\n',
      'lines.jsonl': '{"vars": {"x": 1}, \n',
      'big.csv': `x,__expected\n${'a'.repeat(10 * 1024 * 1024 + 1)},contains: a\n`,
      'promptfooconfig.yaml': `
prompts: ['{{x}}', file://../../etc/passwd, file://none.txt, file://make.js, file://prompts.csv]
providers: [echo]
tests:
  - file://a.yaml
  - file://torn.csv
  - file://cells.csv
  - file://lines.jsonl
  - file://big.csv
  - file://../outside.yaml
  - file://make.py
  - https://example.com/sheet
  - file://nothing/*.yaml
  - {vars: {x: file://../secret.txt}, assert: [{type: contains, value: a}]}
  - {vars: {x: file://value.js}, assert: [{type: contains, value: file://none.json}]}
`,
    });
    expect(exitCode).toBe(2);
    for (const expected of [
      /b\.yaml:1:3 error tests is not converted: a\.yaml names b\.yaml names a\.yaml, which never ends/,
      /torn\.csv:2:\d+ error /,
      /cells\.csv:2:\d+ error this row has 3 cells/,
      /lines\.jsonl:1:1 error Line 1: Invalid JSON/,
      /promptfooconfig\.yaml:2:\d+ error a prompt is not converted: \.\.\/\.\.\/etc\/passwd is not a text file/,
      /promptfooconfig\.yaml:2:\d+ error a prompt is not converted: none\.txt is not a text file/,
      /a prompt is not converted: a prompt that code makes cannot be read/,
      /promptfooconfig\.yaml:2:\d+ error a prompt is not converted: .*quote/,
      /promptfooconfig\.yaml:9:\d+ error tests is not converted: big\.csv is not a text file/,
      /\.\.\/outside\.yaml is not a text file of this project/,
      /tests that code makes cannot be read/,
      /tests are read from files only/,
      /promptfooconfig\.yaml:13:\d+ error tests is not converted: no file matches it/,
      /the variable x has no value: \.\.\/secret\.txt is not a text file of this project/,
      /the variable x has no value: value\.js is code/,
      /the assertion contains is not converted: none\.json is not a text file/,
    ])
      expect(stderr).toMatch(expected);
    expect(suite).toContain('- id: fine / prompt 1');
    expect(suite).toContain('# not converted: cells.csv:2: this row has 3 cells');
  });

  test('too many combinations and exponential references are refused quickly', async () => {
    const list = `[${Array.from({ length: 50 }, (_, index) => `v${index}`).join(', ')}]`;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const doubled = names.map(
      (name, index) =>
        `  ${name}: [{$ref: '#/x/${names[index + 1] ?? 'a'}'}, {$ref: '#/x/${names[index + 1] ?? 'a'}'}]`,
    );
    const { stderr, exitCode } = await convertPromptfooIn({
      'promptfooconfig.yaml': `prompts: ['{{a}}']\nproviders: [echo]\nx:\n${doubled.join('\n')}\ntests:\n  - vars: {${names.map((name) => `${name}: ${list}`).join(', ')}}\n    assert: [{type: contains, value: v}]\n`,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'all but the first value of c is not converted: the lists of this test make more than 10000 combinations',
    );
  });

  test('validate and run suggest the command that converts the file, and it works', async () => {
    const { cwd } = await convertPromptfooIn({
      'promptfooconfig.yaml':
        "prompts: ['{{x}}']\nproviders: [echo]\ntests: [{vars: {x: a}, assert: [{type: contains, value: a}]}]\n",
    });
    for (const command of ['validate', 'run']) {
      const { stderr, stdout, exitCode } = await runCli([command, 'promptfooconfig.yaml'], { cwd });
      expect(exitCode).toBe(2);
      expect(stdout + stderr).toContain(
        'assay convert promptfooconfig.yaml --to eval -o promptfooconfig.eval.yaml',
      );
    }
    expect(readFileSync(join(cwd, 'out.eval.yaml'), 'utf8')).toContain('evalcases:');
  });
});
