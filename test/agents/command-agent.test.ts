import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCommandAgent } from '../../src/agents/command-agent.ts';
import { contractSuite, requestOf } from './contract-suite.ts';
import { createAgent } from './create-agent.ts';

const IN_NODE = `#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const request = JSON.parse(readFileSync(0, 'utf8'));
const { input, memory } = request;
const tellPid = () => writeFileSync(import.meta.dirname + '/pid', String(process.pid));
const reply = (value) => process.stdout.write(JSON.stringify(value));
switch (input) {
  case 'mutate':
    memory.list.push(2);
    delete memory.inner.a;
    reply({ output: '', memory });
    break;
  case 'number':
    reply({ output: 5 });
    break;
  case 'exit':
    process.exit(3);
  case 'flood':
    process.stdout.write('x'.repeat(11 * 1024 * 1024));
    break;
  case 'print':
    console.error('to stderr é');
    reply({ output: 'printed' });
    break;
  case 'slow':
    tellPid();
    setInterval(() => {}, 1000);
    break;
  case 'grandchild':
    tellPid();
    spawn('sleep', ['60'], { stdio: 'inherit' });
    reply({ output: 'left one' });
    process.exitCode = 0;
    setTimeout(() => process.exit(), 50);
    break;
  default:
    reply({ output: input, memory, tools_used: ['echo_tool'] });
}
`;

contractSuite({
  name: 'command in node',
  create(folder) {
    writeFileSync(join(folder, 'agent.mjs'), IN_NODE);
    return createAgent('cmd: node agent.mjs', { cwd: folder, env: process.env });
  },
  hasProcess: true,
  can: ['print', 'grandchild'],
  errors: {
    exit: { kind: 'agent', message: /^the agent exited with code 3 and printed nothing$/ },
    flood: { kind: 'limit', message: /more than 10 MB/ },
  },
});

describe('a command', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function run(argv: readonly string[], cwd = folder, input = 'hi') {
    const agent = createCommandAgent(argv, { name: 'a command', cwd, env: process.env });
    const session = await agent.open({ id: 't', file: 'a.yaml' });
    try {
      return await session.send(requestOf(input, {}), new AbortController().signal);
    } finally {
      await session.close();
      await agent.close();
    }
  }

  test.each([
    ['{"output": "x"}', { output: 'x' }],
    [' \n{"text": "x", "n": 12345678901234567890}\n', { text: 'x', n: 12345678901234567890n }],
    ['{"output_messages": []}', { output_messages: [] }],
    ['{"answer": 42}\n', '{"answer": 42}'],
    ['{"output": "x"} and more', '{"output": "x"} and more'],
    ['loading\n{"output": "x"}\n', { output: 'x' }],
    ['"x"\n\n', '"x"\n'],
    ['[1]\r\n', '[1]'],
  ])('%j is read as %o', async (printed, reply) => {
    expect((await run(['printf', '%s', printed])).reply).toEqual(reply);
  });

  test.each(['', '\n', '{}', '{"error": "x"}', '{"output": NaN}', '{"output": "x", "to'])(
    '%j is not an answer',
    async (printed) => {
      const script = 'printf "%s" "$1"; echo it broke >&2';
      await expect(run(['sh', '-c', script, 'sh', printed])).rejects.toMatchObject({
        kind: 'contract',
        printed: expect.stringContaining('it broke') as unknown,
      });
    },
  );

  test
    .runIf(process.platform === 'linux')
    .each([
      [['echo', 'hello']],
      [['node', '-e', 'console.log("hello")']],
      [['python3', '-c', 'print("hello")']],
      [['sh', '-c', 'exec 0<&-; echo hello']],
      [['sh', '-c', 'echo log; echo "{\\"output\\": \\"hello\\"}"']],
    ])('%j does not read its stdin, which is a warning', async (argv) => {
    expect((await run(argv)).warning).toMatchObject({ code: 'unread_input' });
    expect((await run(argv, folder, 'x'.repeat(2 ** 20))).warning).toMatchObject({ code: 'unread_input' });
  });

  test.each([
    [['cat']],
    [['sh', '-c', 'read -r line; echo "$line"']],
    [['sh', '-c', 'cat > /dev/null; echo hello']],
    [['sh', '-c', '(cat > /dev/null; echo hello) | cat']],
    [['python3', '-c', 'import json, sys; print(json.load(sys.stdin)["input"])']],
    [['python3', '-c', 'print(input())']],
    [['node', '-e', 'console.log(JSON.parse(fs.readFileSync(0, "utf8")).input)']],
    [['node', '-e', 'process.stdin.resume().on("end", () => console.log("hello"))']],
  ])('%j reads its stdin', async (argv) => {
    expect((await run(argv)).warning?.code).not.toBe('unread_input');
    expect((await run(argv, folder, 'x'.repeat(2 ** 20))).warning?.code).not.toBe('unread_input');
  });

  test('runs without a shell', async () => {
    expect((await run(['echo', '$HOME', '*', '`date`', ';', "it's"])).reply).toBe("$HOME * `date` ; it's");
  });

  test('gets the whole request on one line', async () => {
    const { reply } = await run(['sh', '-c', 'read -r line; printf "%s" "$line" | tr -d "{}"']);
    expect(reply).toBe(JSON.stringify(requestOf('hi', {})).replaceAll(/[{}]/g, ''));
  });

  test('is not blocked by a process that left its group and holds stdout', async () => {
    expect((await run(['sh', '-c', 'setsid sleep 3 & echo done'])).reply).toBe('done');
  });

  test('is read to the end of its output after it exits', async () => {
    const { reply } = await run([
      'sh',
      '-c',
      '(for i in 1 2 3 4 5 6 7 8 9; do :; done; echo late) & echo early',
    ]);
    expect((reply as string).split('\n').sort()).toEqual(['early', 'late']);
  });

  test('has its stderr cut if it is too long, keeping the end', async () => {
    const script = 'head -c 12000000 /dev/zero | tr "\\0" x >&2; echo the end >&2; exit 1';
    const error = await run(['sh', '-c', script]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'agent', message: expect.stringMatching(/the end$/) as unknown });
    expect((error as { printed: string }).printed).toMatch(/bytes cut\]\nx+the end\n$/);
  });

  test('reports why it did not start', async () => {
    writeFileSync(join(folder, 'not-executable'), 'x');
    writeFileSync(join(folder, 'odd'), '#!/nowhere/interpreter\n');
    chmodSync(join(folder, 'odd'), 0o755);
    const cases = [
      [['no-such-program'], folder, '"no-such-program" was not found: is it installed, and on the PATH?'],
      [['./missing'], folder, '"./missing" does not exist'],
      [['./not-executable'], folder, '"./not-executable" cannot be executed'],
      [['./odd'], folder, '"./odd" cannot be started: the interpreter named in its first line was not found'],
      [['echo'], join(folder, 'nowhere'), `the folder ${folder}/nowhere does not exist`],
      [['echo', 'x'.repeat(3_000_000)], folder, '"echo" cannot be started: its arguments are too long'],
      [['echo', '\0'], folder, '"echo" cannot be started'],
    ] as const;
    for (const [argv, cwd, message] of cases) {
      const error = await run(argv, cwd).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        name: 'AgentError',
        kind: 'infrastructure',
        message: expect.stringContaining(message) as unknown,
      });
    }
  });
});
