import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CodeLens, CompletionItem, Diagnostic, Location, TextEdit } from 'vscode-languageserver/node';
import { createAssertionKinds } from '../../src/checks/registry.ts';
import { runCli } from '../project.ts';
import { createEditorProject, SUITE } from './editor-project.ts';

const kinds = createAssertionKinds();
const labels = (items: readonly { label: string }[]): readonly string[] => items.map(({ label }) => label);
const brief = ({ range, code, severity }: Diagnostic): string =>
  `${range.start.line + 1}:${range.start.character + 1}-${range.end.character + 1} ${severity === 1 ? 'error' : 'warning'} ${code}`;

const codePoints = (text: string): number => Array.from(text).length;

const AGENT =
  'export const agent = (input) => ({ output: `you said ${input}`, tools_used: ["echo_tool"] });\n';

describe('diagnostics', () => {
  test('are the findings of assay validate, with the same codes, places and words', async () => {
    const files = {
      'a.eval.yaml':
        'evalcases:\n  - id: a\n    inptu: hi\n    evaluators: [{ type: contians, value: 1 }]\n  - id: "🙂🙂", \n',
      'b.test.yaml':
        'steps:\n  - input: x\n    assert:\n      output.include: y\n      memory.a: {$regx: a}\n',
      'c.test.yaml': '- input: 🙂\n  assert: { output.matches: "(" }\n- input: 5\n',
      'dataset-d.jsonl':
        '{"id":"a","input":"q","outcome":"o"}\r\n\r\n{"id":"🙂","input":5}\r\n{"id":"a",\r\n',
      'dataset-d.yaml': 'evaluatros: []\n',
      'e.eval.yaml': `${SUITE}    target: gpt\n`,
      'assay.config.yaml':
        'targets:\n  - { name: gpt, provider: opnai }\n  - { name: m, provider: mock, respones: x }\nworkers: 0\n',
    };
    const project = createEditorProject(files);
    const { stdout } = await runCli(['validate', '--json'], { cwd: project.path });
    const { findings } = JSON.parse(stdout) as {
      findings: {
        file: string;
        line: number;
        column: number;
        code: string;
        severity: string;
        message: string;
        hint?: string;
      }[];
    };
    expect(findings.length).toBeGreaterThan(8);
    const client = await project.start();
    for (const name of Object.keys(files)) {
      const uri = project.uri(name);
      await client.open(uri, files[name as keyof typeof files]);
      const found = await client.nextDiagnostics(uri, 1);
      const lines = files[name as keyof typeof files].split('\n');
      expect(
        found.map(({ range, code, severity, message }) => [
          range.start.line + 1,
          // Findings count code points.
          codePoints(lines[range.start.line]!.slice(0, range.start.character)) + 1,
          code,
          severity === 1 ? 'error' : 'warning',
          message,
        ]),
        name,
      ).toEqual(
        findings
          .filter(({ file }) => file === name)
          .map(({ line, column, code, severity, message, hint }) => [
            line,
            // The command line also counts the CR at the end of a line.
            Math.min(column, codePoints(lines[line - 1]!.replace(/\r$/, '')) + 1),
            code,
            severity,
            hint === undefined ? message : `${message}\n${hint}`,
          ]),
      );
    }
  });

  test('follow unsaved edits, and come once for many changes', async () => {
    const project = createEditorProject({ 'a.eval.yaml': SUITE });
    const uri = project.uri('a.eval.yaml');
    const client = await project.start();
    await client.open(uri, SUITE);
    expect(await client.nextDiagnostics(uri, 1)).toEqual([]);
    const before = client.publishedCount(uri);
    for (let version = 2; version <= 30; version++)
      await client.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [
          { range: { start: { line: 2, character: 4 }, end: { line: 2, character: 4 } }, text: 'x' },
        ],
      });
    const found = await client.nextDiagnostics(uri, 30);
    expect(found.map(brief)).toEqual(['2:5-7 error missing_input', '3:5-39 warning unknown_field']);
    expect(client.publishedCount(uri) - before).toBeLessThan(5);
    expect(readFileSync(join(project.path, 'a.eval.yaml'), 'utf8')).toBe(SUITE);
  });

  test('count UTF-16 units, after a byte order mark, with CRLF, and cover the value', async () => {
    const project = createEditorProject({});
    const client = await project.start();
    const check = async (name: string, text: string): Promise<readonly string[]> => {
      await client.open(project.uri(name), text);
      return (await client.nextDiagnostics(project.uri(name), 1)).map(brief);
    };
    const answer = await client.answer;
    expect(answer.capabilities.positionEncoding).toBe('utf-16');
    expect(
      await check('a.test.yaml', '\uFEFFinput: x\r\nassert: {output.equals: 🙂, outputs: "🙂 a b" }\r\n'),
    ).toEqual(['2:29-36 error unknown_assertion']);
    expect(await check('b.test.yaml', '\uFEFFinptu: x\nassert: {output.equals: 🙂 }\n')).toEqual([
      '1:2-7 error unknown_format',
    ]);
    expect(await check('c.test.yaml', 'input: x\nassert:\n  tools_used: [🙂, {a: 1}]\n')).toEqual([
      '3:20-26 error type',
    ]);
  });

  test('ignore files of other tools, and never execute a config', async () => {
    const proof = join(tmpdir(), `assay-lsp-proof-${process.pid}`);
    const execute = `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '');`;
    const project = createEditorProject({
      'assay.config.ts': `${execute}\nexport default { agent: './agent.mjs' };\n`,
      'agent.mjs': `${execute}\n${AGENT}`,
    });
    const client = await project.start();
    const foreign = {
      'docker-compose.yaml': 'services:\n  web: { image: x }\n',
      'cloudbuild.yaml': 'steps:\n  - name: gcr.io/x\n    args: [a]\n',
      '.github/workflows/ci.yaml': 'on: push\njobs:\n  a:\n    steps:\n      - run: x\n',
      'openapi.yaml': 'openapi: 3.0.0\npaths: {}\n',
      'data.json': '[{"input": 1, "expected": 2}]',
      'assay.config.ts': 'export default 5;\n',
      'notes.txt': 'evalcases: 5\n',
    };
    for (const [name, text] of Object.entries(foreign)) await client.open(project.uri(name), text);
    await client.open(project.uri('own.eval.yaml'), `${SUITE}x: 1\n`);
    expect((await client.nextDiagnostics(project.uri('own.eval.yaml'))).map(brief)).toEqual([
      '5:1-2 warning unknown_field',
    ]);
    for (const name of Object.keys(foreign)) expect(client.publishedCount(project.uri(name)), name).toBe(0);
    expect(() => readFileSync(proof)).toThrow(/ENOENT/);
  });

  test('unsaved changes of a config or a row file apply to open suites', async () => {
    const config = 'targets:\n  - { name: good, provider: mock, response: x }\n';
    const rows = '{"a": "x"}\n{"a": \n';
    const project = createEditorProject({ 'assay.config.yaml': config, 'rows.jsonl': rows });
    const client = await project.start();
    const suite = project.uri('a.eval.yaml');
    await client.open(suite, `${SUITE}    each: ./rows.jsonl\n`);
    await client.open(project.uri('b.eval.yaml'), `target: good\n${SUITE}`);
    expect(await client.nextDiagnostics(suite, 1)).toEqual([]);
    expect((await client.nextDiagnostics(project.uri('rows.jsonl'))).map(brief)).toEqual([
      '2:7-7 error json',
    ]);
    await client.open(project.uri('rows.jsonl'), '\n\n{"a": \n');
    const shown = async (name: string): Promise<readonly string[]> =>
      (await client.nextDiagnostics(project.uri(name))).map(brief);
    await expect.poll(() => shown('rows.jsonl'), { timeout: 20_000 }).toEqual(['3:7-7 error json']);
    const uri = project.uri('assay.config.yaml');
    await client.open(uri, config);
    expect(await client.nextDiagnostics(uri, 1)).toEqual([]);
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: config.replace('response', 'respones') }],
    });
    expect((await client.nextDiagnostics(uri, 2)).map(({ code }) => code)).toContain('unknown_field');
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 3 },
      contentChanges: [{ text: config.replace('good', 'other') }],
    });
    await expect
      .poll(() => shown('b.eval.yaml'), { timeout: 20_000 })
      .toEqual(['3:5-7 warning unknown_target']);
  });
});

describe('completion and hover', () => {
  const CONFIG =
    'targets:\n  - { name: small, provider: mock, response: x }\n  - { name: large, provider: mock, response: x }\n';

  test('types and fields of evaluators, in blocks, braces, steps and JSON', async () => {
    const project = createEditorProject({ 'assay.config.yaml': CONFIG });
    const client = await project.start();
    const types = kinds.evaluators.map(({ kind }) => kind);
    const head = 'evalcases:\n  - id: a\n    input: hi\n    evaluators:\n';
    for (const [name, marked] of [
      ['a.eval.yaml', `${head}      - type: |\n`],
      ['a.eval.yaml', `${head}      - type: con|\n        value: a\n`],
      ['a.eval.yaml', `${head}      - { type: | }\n`],
      ['a.eval.yaml', `${head}      - type: composite\n        evaluators: [{ type: | }]\n`],
      ['a.test.yaml', 'steps:\n  - input: a\n    assert:\n      - type: |\n'],
      ['a.eval.json', '{"evalcases":[{"id":"a","input":"x","evaluators":[{"type":"|"}]}]}'],
      [
        'dataset-a.jsonl',
        '{"id":"x","input":"y"}\n{"id":"a","input":"x","evaluators":[{"type":"|"}]}\n{"id":"z"}',
      ],
    ] as const)
      expect(labels(await client.complete(name, marked)), marked).toEqual(expect.arrayContaining([...types]));
    for (const { kind, schema } of kinds.evaluators) {
      const own = Object.entries(schema.fields).flatMap(([name, { isForeign }]) =>
        isForeign === true || name === 'type' ? [] : [name],
      );
      const marked = `${head}      - type: ${kind}\n        |\n  - id: b\n`;
      expect(labels(await client.complete('a.eval.yaml', marked)), kind).toEqual(expect.arrayContaining(own));
    }
    expect(
      labels(await client.complete('a.eval.yaml', `${head}      - type: regex\n        |\n`)),
    ).not.toContain('mode');
  });

  test('claims, fields, choices, targets, tools, ids and files', async () => {
    const project = createEditorProject({
      'assay.config.yaml': CONFIG,
      'prompts/judge.md': 'x',
      'rows.csv': 'a\n1\n',
    });
    const client = await project.start();
    let count = 0;
    const complete = async (marked: string, extension = 'eval.yaml'): Promise<readonly string[]> => {
      const opened = await client.open(project.uri(`doc${++count}.${extension}`), marked);
      return labels(await client.connection.sendRequest('textDocument/completion', opened));
    };
    const one = 'evalcases:\n  - id: first\n    input: hi\n    ';
    expect(await complete('|\n')).toEqual(expect.arrayContaining(['evalcases', 'vars', 'threshold']));
    expect(await complete(`${one}|\n`)).toEqual(
      expect.arrayContaining(['each', 'memory', 'expected_outcome']),
    );
    expect(await complete(`${one}|\n`)).not.toContain('input');
    expect(await complete('input: a\nassert:\n  |\n', 'test.yaml')).toEqual(
      expect.arrayContaining(kinds.claims.map(({ key }) => key)),
    );
    expect(await complete(`${one}execution: { target: | }\n`)).toEqual(
      expect.arrayContaining(['small', 'large']),
    );
    expect(await complete(`target: |\n${SUITE}`)).toEqual(expect.arrayContaining(['small', 'large']));
    expect(await complete(`${one}skip: |\n`)).toEqual(expect.arrayContaining(['true', 'false']));
    expect(
      await complete(
        `${one}evaluators:\n      - { type: tool_trajectory, mode: exact, expected: [{ tool: search }, { tool: | }] }\n`,
      ),
    ).toContain('search');
    expect(await complete(`${one}conversation_id: |\n`)).toContain('first');
    expect(await complete(`${one}each: |\n`)).toContain('./rows.csv');
    expect(
      await complete(`${one}evaluators:\n      - type: llm_judge\n        prompt: ./prompts/|\n`),
    ).toEqual(expect.arrayContaining(['./prompts/judge.md']));
    expect(await complete(`${one}evaluators:\n      - type: llm_judge\n        prompt: ../../|\n`)).toEqual(
      [],
    );
  });

  test('items of lists, names that need quotes, keys that have a colon, and JSON', async () => {
    const project = createEditorProject({
      'assay.config.yaml':
        'targets:\n  - { name: small, provider: mock, response: x }\n  - { name: "a: b, c", provider: mock, response: x }\n',
    });
    const client = await project.start();
    let count = 0;
    /** The line of the cursor, after the proposal with this label was accepted. */
    const accept = async (name: string, marked: string, label: string): Promise<string | undefined> => {
      const opened = await client.open(project.uri(`${++count}.${name}`), marked);
      const items: CompletionItem[] = await client.connection.sendRequest('textDocument/completion', opened);
      const edit = items.find((item) => item.label === label)?.textEdit as TextEdit | undefined;
      const line = marked.replace('|', '').split('\n')[opened.position.line]!;
      return (
        edit &&
        `${line.slice(0, edit.range.start.character)}${edit.newText}${line.slice(edit.range.end.character)}`
      );
    };
    const one = 'evalcases:\n  - id: a\n    ';
    expect(await accept('eval.yaml', `${one}targets: [small, |]\n`, 'a: b, c')).toBe(
      '    targets: [small, "a: b, c"]',
    );
    expect(await accept('eval.yaml', `${one}targets:\n      - sm|\n`, 'small')).toBe('      - small');
    expect(await accept('eval.yaml', `${one}targets: [\n      small,\n      |\n    ]\n`, 'small')).toBe(
      '      small',
    );
    const tools =
      'steps:\n  - input: a\n    assert:\n      tools_used:\n        - |\n  - input: b\n    assert:\n      tools_used.includes:\n        - fetch # it\n        - "go"\n';
    expect(await accept('test.yaml', tools, 'go')).toBe('        - go');
    expect(await accept('test.yaml', tools, 'fetch')).toBe('        - fetch');
    expect(await accept('test.yaml', tools, '-')).toBeUndefined();
    expect(await accept('eval.yaml', `${one}inp|: hi\n`, 'input')).toBe('    input: hi');
    expect(await accept('eval.yaml', `ev|\n  - id: a\n    input: hi\n`, 'evalcases')).toBe('evalcases: ');
    expect(await accept('eval.yaml', `${one}evaluators: [{ ty|p: contains }]\n`, 'type')).toBe(
      '    evaluators: [{ type: contains }]',
    );
    // A quote that is not closed yet.
    for (const begun of ['evaluators: [{ type: "co|', 'evaluators:\n      - type: "co|'])
      expect(await accept('eval.yaml', `${one}${begun}`, 'contains')).toMatch(/type: "contains$/);
    // The text of a person is not a key: `role` would replace it.
    for (const prose of [
      'input: hello, |',
      'input: hello, wor|',
      'input: hi\n      |',
      'input: hi\n      wor|',
    ])
      expect(await accept('eval.yaml', `${one}${prose}\n`, 'role'), prose).toBeUndefined();
    expect(await accept('test.json', '{ |}', 'steps')).toBe('{ "steps": }');
    expect(await accept('test.json', '{"skip": |}', 'true')).toBe('{"skip": true}');
    expect(await accept('test.json', '{"targets": [|]}', 'small')).toBe('{"targets": ["small"]}');
    expect(await accept('test.json', '{"targets": ["|"]}', 'small')).toBe('{"targets": ["small"]}');
    const opened = await client.open(project.uri('assay.config.yaml'), 'editor: |\n');
    expect(await client.connection.sendRequest('textDocument/completion', opened)).toContainEqual(
      expect.objectContaining({ label: 'off', textEdit: expect.objectContaining({ newText: '"off"' }) }),
    );
  });

  test('explain fields, types and claims', async () => {
    const project = createEditorProject({});
    const client = await project.start();
    const head = 'evalcases:\n  - id: a\n    input: hi\n    evaluators:\n';
    expect(await client.hover('a.eval.yaml', `${head}      - type: reg|ex\n        value: a\n`)).toContain(
      'The pattern is found in the output.',
    );
    expect(await client.hover('a.eval.yaml', `${head}      - type: regex\n        val|ue: a\n`)).toContain(
      'The pattern.',
    );
    expect(await client.hover('a.eval.yaml', `${head}      - {ty|pe: regex, value: a}\n`)).toContain(
      'The pattern',
    );
    expect(await client.hover('a.test.yaml', 'input: a\nassert: { memory.a|.b: 1 }\n')).toContain('dot path');
    expect(await client.hover('assay.config.yaml', 'thres|hold: 0.5\n')).toContain('The mean score');
    expect(await client.hover('docker-compose.yaml', 'ser|vices: {}\n')).toBe('');
  });
});

test('definitions lead to files and targets inside the project only', async () => {
  const project = createEditorProject({
    'assay.config.yaml':
      'agent: ./src/agent.py:main\njudge: j\ntargets:\n  - { name: j, provider: mock, response: x }\nevaluators: ./checks.ts\n',
    'src/agent.py': '',
    'checks.ts': '',
    'suites/prompts/judge.md': '',
    'suites/rows.csv': 'a\n1\n',
  });
  writeFileSync(join(dirname(project.path), 'secret.md'), 'x');
  const client = await project.start();
  let count = 0;
  const define = async (
    marked: string,
    name = `suites/${++count}.eval.yaml`,
  ): Promise<string | undefined> => {
    const opened = await client.open(project.uri(name), marked);
    const found: Location | null = await client.connection.sendRequest('textDocument/definition', opened);
    return found === null
      ? undefined
      : `${decodeURI(found.uri).slice(decodeURI(project.uri('x')).length - 1)}:${found.range.start.line + 1}`;
  };
  const one = 'evalcases:\n  - id: first\n    input: hi\n    ';
  const config = readFileSync(join(project.path, 'assay.config.yaml'), 'utf8');
  expect(await define(config.replace('agent.py', 'ag|ent.py'), 'assay.config.yaml')).toBe('src/agent.py:1');
  expect(await define(`${one}evaluators: [{ type: llm_judge, prompt: ./prompts/ju|dge.md }]\n`)).toBe(
    'suites/prompts/judge.md:1',
  );
  expect(await define(`${one}evaluators: [{ type: llm_judge, prompt: "file://prompts/ju|dge.md" }]\n`)).toBe(
    'suites/prompts/judge.md:1',
  );
  expect(await define(`${one}evaluators: [{ type: llm_judge, target: |j }]\n`)).toBe('assay.config.yaml:4');
  expect(await define(`${one}evaluators: [{ type: ../checks.ts#t|one }]\n`)).toBe('checks.ts:1');
  expect(await define(`${one}each: ./ro|ws.csv\n`)).toBe('suites/rows.csv:1');
  expect(await define(`${one}evaluators: [{ type: llm_judge, prompt: ../../secr|et.md }]\n`)).toBeUndefined();
  expect(await define(`${one}evaluators: [{ type: llm_judge, prompt: /etc/pass|wd }]\n`)).toBeUndefined();
});

test('lenses run a test and show its last result', async () => {
  const suite = `evalcases:
  - id: good
    input: hi
    evaluators: [{ type: contains, value: hi }]
  - id: bad
    input: hi
    evaluators: [{ type: contains, value: nowhere }]
  - id: row-{{word}}
    input: "{{word}}"
    each: [{ word: nowhere }, { word: here }, { word: hi }]
    evaluators: [{ type: contains, value: "hi" }]
`;
  const project = createEditorProject({
    'a.eval.yaml': suite,
    'agent.mjs': AGENT,
    'assay.config.yaml': 'agent: ./agent.mjs\n',
  });
  const uri = project.uri('a.eval.yaml');
  const client = await project.start();
  await client.open(uri, suite);
  const lenses: CodeLens[] = await client.connection.sendRequest('textDocument/codeLens', {
    textDocument: { uri },
  });
  expect(lenses.map(({ range, command }) => `${range.start.line + 1} ${command!.title}`)).toEqual([
    '2 Run',
    '2 Show last result',
    '5 Run',
    '5 Show last result',
    '8 Run',
    '8 Show last result',
  ]);
  const execute = (index: number): Promise<unknown> => {
    const { command, arguments: given } = lenses[index]!.command!;
    return client.connection.sendRequest('workspace/executeCommand', { command, arguments: given });
  };
  await execute(3);
  await client.nextMessage(/^bad: no recent run/);
  await execute(0);
  await execute(2);
  await client.nextMessage(/^good passed$/);
  await client.nextMessage(/^bad failed$/);
  expect(client.asked).toContain('window/workDoneProgress/create');
  await execute(3);
  const shown = await client.nextMessage(/^bad: failed/);
  expect(shown).toContain('contains: ');
  expect(shown).toContain('output: you said hi');
  expect(client.asked).toContain('workspace/codeLens/refresh');
  // Of rows, all of them, worst first.
  await execute(4);
  await client.nextMessage(/^row-nowhere failed$/);
  await execute(5);
  const rows = await client.nextMessage(/^3 tests/);
  expect(rows.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    '3 tests: 2 failed, 1 passed',
    'row-nowhere: failed, score 0',
    'row-here: failed, score 0',
    'row-hi: passed, score 1',
    expect.stringMatching(/^run /),
  ]);
  await client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: `${suite}# more\n` }],
  });
  await execute(0);
  await client.nextMessage(/unsaved changes/);
});

test('files that change outside the editor, and added folders, are checked again', async () => {
  const project = createEditorProject({
    'a.eval.yaml': `target: two\n${SUITE}`,
    'assay.config.yaml': 'targets: [{ name: one, provider: mock, respons: x }]\n',
  });
  const client = await project.start({
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
  });
  await expect.poll(() => client.asked).toContain('client/registerCapability');
  const uri = project.uri('assay.config.yaml');
  const suite = project.uri('a.eval.yaml');
  await client.open(suite, readFileSync(join(project.path, 'a.eval.yaml'), 'utf8'));
  expect((await client.nextDiagnostics(uri)).map(({ code }) => code)).toEqual(['unknown_field']);
  await client.nextDiagnostics(suite, 1);
  const count = client.publishedCount(suite);
  writeFileSync(
    join(project.path, 'assay.config.yaml'),
    'targets: [{ name: two, provider: mock, response: x }]\n',
  );
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri, type: 2 }],
  });
  await expect.poll(() => client.publishedCount(suite)).toBeGreaterThan(count);
  expect(await client.nextDiagnostics(uri)).toEqual([]);
  const before = client.publishedCount(suite);
  await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
    event: { added: [{ uri: project.uri('other'), name: 'other' }], removed: [] },
  });
  await expect.poll(() => client.publishedCount(suite)).toBeGreaterThan(before);
});

test('documents that are nested too deeply do not end the server', async () => {
  const project = createEditorProject({ 'a.eval.yaml': '' });
  const client = await project.start();
  const deep = [
    '['.repeat(1000),
    '{a: '.repeat(1000),
    '- '.repeat(1000),
    '["]", '.repeat(1000),
    `${'[{"a": '.repeat(2000)}1`,
    `a: &a [1]\nb: ${'[*a, '.repeat(1000)}`,
    Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
  ];
  for (const [index, text] of deep.entries()) {
    const opened = await client.open(project.uri(`${index}.eval.yaml`), `${text}|\n`);
    await client.connection.sendRequest('textDocument/completion', opened);
    await client.connection.sendRequest('textDocument/hover', opened);
  }
  const fine = await client.open(project.uri('fine.eval.yaml'), 'evalcases:\n  - id: a\n    inp|\n');
  expect(JSON.stringify(await client.connection.sendRequest('textDocument/completion', fine))).toContain(
    'input',
  );
});
