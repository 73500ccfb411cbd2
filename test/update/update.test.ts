import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult, type RunCliOptions } from '../project.ts';

const projects: { remove(): void }[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

/** Replies with the JSON that the input is; what has a list of replies gives one per attempt. */
const AGENT = `export function agent(input, memory, { attempt }) {
  const reply = JSON.parse(input);
  return Array.isArray(reply) ? reply[(attempt - 1) % reply.length] : reply;
}
`;

interface Updated {
  readonly path: string;
  readonly result: CliResult;
  /** A file as it is now. */
  read(name: string): string;
}

async function update(
  files: Readonly<Record<string, string>>,
  { args = [], env = {} }: { args?: readonly string[]; env?: RunCliOptions['env'] } = {},
): Promise<Updated> {
  const project = createProject({ 'agent.mjs': AGENT, ...files });
  projects.push(project);
  const result = await runCli(['run', '--agent', './agent.mjs', '--update', ...args], {
    cwd: project.path,
    env: env ?? {},
  });
  return { path: project.path, result, read: (name) => readFileSync(join(project.path, name), 'utf8') };
}

/** Says in both texts the same where only these parts may differ, and the parts as they are now. */
function expectOnly(before: string, after: string, parts: readonly (readonly [string, string])[]): void {
  let meant = before;
  for (const [old, now] of parts) {
    expect(meant.split(old).length, `${old} stands once in the file`).toBe(2);
    meant = meant.replace(old, () => now);
  }
  expect(after).toBe(meant);
}

const REPLY = `'{"output": "it''s Bob # 5: ok", "tools_used": ["search", "pay"], "memory": {"user": {"name": "Bob", "n": 2}, "list": [1, 3]}}'`;

describe('YAML', () => {
  test('every other byte stays: comments, quotes, order, blank lines, unusual indentation', async () => {
    const before = `# What this file is about
-   id: odd   # keep me


    input: ${REPLY}
    assert:
        output.equals:   hello     # said
        tools_used: [ search,book ]  # tools
        memory.user:      # who
            "n": 2
            'name': "Ben"   # name
        memory.list:
        - 1
        - 2   # second
-   description: 'never touched: "x"'
    input: '{"output": "same"}'
    assert: { output.equals:    same }
`;
    const { read, result } = await update({ 'a.test.yaml': before });
    expectOnly(before, read('a.test.yaml'), [
      ['hello', `'it''s Bob # 5: ok'`],
      ['[ search,book ]', '[search, pay]'.replace('[search, pay]', '[ search,pay ]')],
      ['"Ben"', '"Bob"'],
      ['- 2   #', '- 3   #'],
    ]);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('updated a.test.yaml:7 output.equals: "hello" -> "it\'s Bob # 5: ok"');
    expect(result.stderr).toContain('updated a.test.yaml:11 memory.user name: "Ben" -> "Bob"');
    expect(result.stderr).toContain('4 values updated in 1 file: review with `git diff`, then run again');
  });

  test('updated tests pass', async () => {
    const { path } = await update({
      'a.test.yaml': `- input: ${REPLY}\n  expected: { output: x }\n- input: ${REPLY}\n  expected:\n    output: |\n      old\n    memory:\n      user: {name: Ann}\n`,
    });
    const again = await runCli(['run', '--agent', './agent.mjs'], { cwd: path });
    expect(again.stdout).toContain('2 passed');
    expect(again.exitCode).toBe(0);
  });

  test.each([
    ['plain', 'old', 'new text', 'new text'],
    ['a word that would be a boolean', 'old', 'yes', `'yes'`],
    ['a number', 'old', '5', `'5'`],
    ['single quotes', `'old'`, `it's`, `'it''s'`],
    ['double quotes', '"old"', 'a "b"\n\u0007', '"a \\"b\\"\\n\\u0007"'],
    ['a block', '|\n      old\n      text', 'new\n\ntext\n', '|\n      new\n\n      text'],
    ['a block whose text ends without a line feed', '|\n      old', 'new\ntext', '|-\n      new\n      text'],
    ['a folded block', '>-\n      old\n      text', 'new', '|-\n      new'],
    ['a block that cannot hold it', '|\n      old', '  new \n', '"  new \\n"'],
    ['several lines for one', 'old', 'one\ntwo', '|-\n      one\n      two'],
    ['nothing', '""', 'x', '"x"'],
    ['line separators', 'old', 'a\u2028b', '"a\\u2028b"'],
    ['an emoji', 'old', '😀: x', `'😀: x'`],
  ])('a text keeps its style: %s', async (_name, old, output, written) => {
    const input = JSON.stringify(JSON.stringify({ output }));
    const text = (value: string): string =>
      `- input: ${input}\n  assert:\n    output.equals: ${value}\n# end\n`;
    const { read } = await update({ 'a.test.yaml': text(old) });
    expect(read('a.test.yaml')).toBe(text(written));
  });

  test('lists and maps with a new shape keep the old style', async () => {
    const input = `'${JSON.stringify({ output: '', tools_used: ['a', 'b-2', 'c d'], memory: { m: { k: [1, { x: 'y' }], e: {} } } })}'`;
    const { read } = await update({
      'a.test.yaml': `- input: ${input}\n  assert:\n    tools_used:\n      - a\n    memory.m:\n      old: 1\n`,
      'b.test.yaml': `- input: ${input}\n  assert: { tools_used: a, memory.m: {old: 1} }\n`,
    });
    expect(read('a.test.yaml')).toBe(
      `- input: ${input}\n  assert:\n    tools_used:\n      - a\n      - b-2\n      - c d\n    memory.m:\n      k:\n        - 1\n        - x: 'y'\n      e: {}\n`,
    );
    expect(read('b.test.yaml')).toBe(
      `- input: ${input}\n  assert: { tools_used: [a, b-2, c d], memory.m: { k: [1, { x: 'y' }], e: {} } }\n`,
    );
  });

  test('carriage returns, a byte order mark and a missing last line feed stay', async () => {
    const before = `\uFEFF- input: '{"output": "new\\nline"}'\r\n  assert:\r\n    output.equals: old\r\n    output.includes: ne`;
    const { read } = await update({ 'a.test.yaml': before });
    expectOnly(before, read('a.test.yaml'), [['old', '|-\r\n      new\r\n      line']]);
  });
});

describe('eval files, JSON and datasets', () => {
  test('equals, and the expected answer of match, are updated', async () => {
    const before = `evalcases:
  - id: text
    input: '{"output": "new"}'
    expected_output: "old" # said
    evaluators: [{ type: match }, { type: equals, value: 'older' }]
  - id: structured
    input: '{"output": "{\\"a\\": 2, \\"b\\": [1]}"}'
    expected_output:
      a: 1 # a
      b: [1]
    evaluators: [{ type: match }]
  - id: message
    input: '{"output": "new"}'
    expected_messages:
      - role: assistant
        content: older still
    evaluators: [{ type: match }]
`;
    const { read } = await update({ 'a.eval.yaml': before });
    expectOnly(before, read('a.eval.yaml'), [
      ['"old"', '"new"'],
      [`'older'`, `'new'`],
      ['a: 1 #', 'a: 2 #'],
      ['older still', 'new'],
    ]);
  });

  test('JSON keeps its layout', async () => {
    const input = JSON.stringify(JSON.stringify({ output: 'new', tools_used: ['a', 'b'] }));
    const before = `[\n  {"input": ${input},\n\t"assert" : { "output.equals" :"old",\n     "tools_used": [\n       "a"\n     ] } }\n]`;
    const { read } = await update({ 'a.test.json': before });
    expectOnly(before, read('a.test.json'), [
      ['"old"', '"new"'],
      ['[\n       "a"\n     ]', '[\n       "a",\n       "b"\n     ]'],
    ]);
  });

  test('a dataset changes only in the lines of failed tests', async () => {
    const line = (id: string, output: string, expected: string): string =>
      `{"id":"${id}",  "input":${JSON.stringify(JSON.stringify({ output }))}, "expected_output" :${JSON.stringify(expected)},"evaluators":[{"type":"match"}]}`;
    const before = `\uFEFF${line('a', 'new 😀', 'old a')}\r\n\n${line('b', 'same', 'same')}\n${line('c', 'new c', 'old c')}`;
    const { read, result } = await update({ 'a.jsonl': before }, { args: ['a.jsonl'] });
    expectOnly(before, read('a.jsonl'), [
      ['"old a"', '"new 😀"'],
      ['"old c"', '"new c"'],
    ]);
    expect(result.stderr).toContain('updated a.jsonl:4 match: "old c" -> "new c"');
  });
});

describe('what is never written', () => {
  async function refused(text: string, options: Parameters<typeof update>[1] = {}): Promise<string> {
    const { read, result } = await update({ 'a.test.yaml': text }, options);
    expect(read('a.test.yaml')).toBe(text);
    return result.stderr;
  }

  test('anything in CI, where nothing runs either', async () => {
    const text = `- input: ${REPLY}\n  assert:\n    output.equals: old\n`;
    const { read, result, path } = await update({ 'a.test.yaml': text }, { env: { CI: 'true' } });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('it is not allowed in CI');
    expect(read('a.test.yaml')).toBe(text);
    expect(readdirSync(path)).not.toContain('.assay');
  });

  test('claims without an exact value', async () => {
    const stderr = await refused(
      `- input: ${REPLY}\n  assert:\n    output.includes: old\n    output.matches: old\n`,
    );
    expect(stderr).toContain(
      'not updated a.test.yaml:3 output.includes: `output.includes` states no exact value',
    );
    expect(stderr).toContain('a.test.yaml:4 output.matches');
    expect(stderr).toContain('nothing to update');
  });

  test('values about which attempts disagree, also when one of them passed', async () => {
    const input = `'[{"output": "a"}, {"output": "b"}]'`;
    for (const old of ['old', 'a']) {
      const text = `- input: ${input}\n  assert:\n    output.equals: ${old}\n`;
      expect(await refused(text, { args: ['--repeats', '2'] })).toContain(
        'the attempts of this run disagree',
      );
    }
    const { read } = await update(
      { 'a.test.yaml': `- input: '{"output": "a"}'\n  assert:\n    output.equals: old\n` },
      { args: ['--repeats', '3'] },
    );
    expect(read('a.test.yaml')).toContain('output.equals: a\n');
  });

  test('errors', async () => {
    const text = `- input: no JSON\n  assert:\n    output.equals: old\n`;
    expect(await refused(text)).toContain('nothing to update');
  });

  test('values that the reply lacks', async () => {
    const suite = `- id: claims
  input: '{"output": "hi"}'
  assert:
    tools_used: [search]
    memory.a.b: 3
- id: strict
  input: '{"output": "hi"}'
  expected: { output: hi, tools_used: [search], memory: { a: 1 } }
`;
    const { result, read } = await update({ 'a.test.yaml': suite });
    expect(read('a.test.yaml')).toBe(suite);
    expect(result.stderr).toContain('the reply does not say which tools were used');
    expect(result.stderr).toContain('the reply has nothing at this path of its memory');
  });

  test('secrets', async () => {
    const text = `- input: '{"output": "the key is s3cret-s3cret"}'\n  assert:\n    output.equals: old\n`;
    const stderr = await refused(text, { env: { MY_API_KEY: 's3cret-s3cret' } });
    expect(stderr).toContain('the value contains a secret');
    expect(stderr).not.toContain('s3cret');
  });

  test('values with anchors, aliases or comments inside', async () => {
    const stderr = await refused(`- input: ${REPLY}
  assert:
    output.equals: &same old
- input: ${REPLY}
  assert:
    output.equals: *same
- input: ${REPLY}
  assert:
    tools_used:
      - one
      # and then
      - two
      - three
`);
    expect(stderr.match(/it has an anchor, an alias or a tag/g)).toHaveLength(2);
    expect(stderr).toContain('there is a comment inside the value');
  });

  test.each([
    '',
    '  ',
    'Error: no key',
    'TypeError: x is not a function',
    '429 Too Many Requests',
    'Traceback (most recent call last):',
    '{"error": "quota"}',
  ])('an empty answer and the text of an error: %j', async (output) => {
    const input = JSON.stringify(JSON.stringify({ output }));
    const before = `- input: ${input}\n  assert:\n    output.equals: old\n`;
    const { read, result } = await update({ 'a.test.yaml': before });
    expect(read('a.test.yaml')).toBe(before);
    expect(result.stderr).toMatch(/the answer is (?:empty|the text of an error)/);
  });

  test('shared, negated and partial evaluators', async () => {
    const before = `evaluators: [{ type: equals, value: old }]
evalcases:
  - { id: shared, input: '{"output": "new"}' }
  - { id: negated, input: '{"output": "new"}', evaluators: [{ type: equals, value: new, negate: true }] }
  - { id: partial, input: '{"output": "{}"}', expected_output: { a: 1 }, evaluators: [{ type: match, partial: true }] }
`;
    const { read, result } = await update({ 'a.eval.yaml': before });
    expect(read('a.eval.yaml')).toBe(before);
    expect(result.stderr).toContain('it is outside the test and applies to others too');
    expect(result.stderr).toContain('it is negated: change it by hand');
    expect(result.stderr).toContain('it is negated or partial');
  });

  test('tests that were not selected', async () => {
    const one = (id: string): string =>
      `- id: ${id}\n  input: ${REPLY}\n  assert:\n    output.equals: old ${id}\n`;
    const before = one('a') + one('b');
    const { read } = await update({ 'a.test.yaml': before }, { args: ['a.test.yaml:5'] });
    expectOnly(before, read('a.test.yaml'), [['old b', `'it''s Bob # 5: ok'`]]);
  });

  test('a file that changed during the run', async () => {
    const changing = `import { appendFileSync } from 'node:fs';
export function agent() { appendFileSync('a.test.yaml', '# a person was here\\n'); return 'new'; }
`;
    const text = '- input: hi\n  assert:\n    output.equals: old\n';
    const { read, result } = await update({ 'a.test.yaml': text, 'agent.mjs': changing });
    expect(read('a.test.yaml')).toBe(`${text}# a person was here\n`);
    expect(result.stderr).toContain('not written a.test.yaml: the file has changed since the run started');
    expect(result.exitCode).toBe(2);
  });
});

describe('files', () => {
  test('a link stays a link, the mode stays, and nothing is left beside it', async () => {
    const text = `- input: '{"output": "new"}'\n  assert:\n    output.equals: old\n`;
    const project = createProject({ 'agent.mjs': AGENT, 'real/a.yaml': text });
    projects.push(project);
    chmodSync(join(project.path, 'real/a.yaml'), 0o640);
    symlinkSync('real/a.yaml', join(project.path, 'b.test.yaml'));
    await runCli(['run', 'b.test.yaml', '--agent', './agent.mjs', '--update'], { cwd: project.path });
    expect(lstatSync(join(project.path, 'b.test.yaml')).isSymbolicLink()).toBe(true);
    expect(statSync(join(project.path, 'real/a.yaml')).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(project.path, 'real/a.yaml'), 'utf8')).toContain('output.equals: new\n');
    expect(readdirSync(join(project.path, 'real'))).toEqual(['a.yaml']);
  });

  test('stdout stays a report', async () => {
    const text = `- input: '{"output": "new"}'\n  assert:\n    output.equals: old\n`;
    const { result } = await update({ 'a.test.yaml': text }, { args: ['--reporter', 'json'] });
    expect(JSON.parse(result.stdout)).toMatchObject({ exit_code: 1 });
  });
});
