import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentSetupError } from '../../src/agents/agent-setup-error.ts';
import type { Agent, RawReply } from '../../src/agents/contract.ts';
import { createAgent } from './create-agent.ts';
import type { JsonObject } from '../../src/base/model/json.ts';
import { requestOf } from './contract-suite.ts';

describe('a python agent', () => {
  let folder: string;
  const agents: Agent[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-python-'));
  });
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.close()));
    rmSync(folder, { recursive: true });
  });

  async function create(
    source: string,
    { spec = './agent.py', env = {} }: { spec?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Agent> {
    writeFileSync(join(folder, 'agent.py'), source);
    const agent = await createAgent(spec, { cwd: folder, env: { ...process.env, ...env } });
    agents.push(agent);
    return agent;
  }

  test('is reloaded each time another test file begins', async () => {
    const source = `
with open("loads", "a") as file: file.write("x")
calls = 0
def agent(input_text, memory):
    global calls
    calls += 1
    return str(calls)
`;
    const agent = await create(source);
    const outputs: unknown[] = [];
    for (const file of ['a.yaml', 'a.yaml', 'b.yaml', 'b.yaml', 'a.yaml'])
      outputs.push((await send(agent, { file })).reply);
    expect(outputs).toEqual(['1', '2', '1', '2', '1']);
    expect(readFileSync(join(folder, 'loads'), 'utf8')).toBe('xxx');
  });

  test.each([
    ['def agent(text):\n    return text', 'x'],
    ['class Agent:\n    def __call__(self, text):\n        return text\nagent = Agent()', 'x'],
    ['def agent(text, *rest):\n    return text + str(len(rest))', 'x1'],
  ])('gets as many arguments as it takes: %s', async (source, reply) => {
    expect((await send(await create(source))).reply).toBe(reply);
  });

  test('may have another name, be async, import modules next to it and take more than two arguments', async () => {
    writeFileSync(join(folder, 'neighbour.py'), 'WORD = "from next door"');
    const source = `
import asyncio
from neighbour import WORD
async def other(input_text, memory, *rest, **more):
    await asyncio.sleep(0)
    return {"output": WORD + str(len(rest) + len(more))}
`;
    const agent = await create(source, { spec: 'agent.py:other' });
    expect((await send(agent)).reply).toEqual({ output: 'from next door0' });
  });

  test('is called with as many arguments as it takes', async () => {
    const agent = await create(`
import functools
def logged(function):
    @functools.wraps(function)
    def call(*args, **more): return function(*args, **more)
    return call
def one(input_text): return input_text
@logged
def wrapped(input_text): return input_text
async def waits(input_text): return input_text
class Callable:
    def __call__(self, input_text, /): return input_text
each = Callable()
def three(input_text, memory, context, depth=1): return context["conversation_id"] and input_text
def all(*args): return args[0] * (len(args) - 1)
def agent(input_text, memory): return "".join(memory)
`);
    expect((await send(agent)).reply).toBe('');
    for (const name of ['one', 'wrapped', 'waits', 'each', 'three', 'all']) {
      const other = await createAgent(`./agent.py:${name}`, { cwd: folder, env: process.env });
      agents.push(other);
      expect((await send(other, { input: 'hi' })).reply, name).toBe('hi');
    }
  });

  test.each(['()', '(a, b, c, d)', '(input_text, *, client)', '(**more)'])(
    'cannot be %s, and the error says what it must be',
    async (parameters) => {
      await expect(create(`def agent${parameters}: return "x"`)).rejects.toThrow(
        `agent${parameters} cannot be called: an agent takes the input, and optionally the memory and the context`,
      );
    },
  );

  test("an exception is reported with the lines of the agent's code", async () => {
    const agent = await create(
      'def inner():\n    raise ValueError("boom")\n\ndef agent(input_text, memory):\n    return inner()\n',
    );
    await expect(send(agent)).rejects.toMatchObject({
      kind: 'agent',
      message: [
        'the agent raised ValueError: boom',
        `  File "agent.py", line 5, in agent\n    return inner()`,
        `  File "agent.py", line 2, in inner\n    raise ValueError("boom")`,
      ].join('\n'),
    });
  });

  test('printed output belongs to its step, however much it is', async () => {
    const agent = await create(`
import os, sys
def agent(input_text, memory):
    print(input_text * int(1e6))
    os.system("echo from a program")
    print("done", file=sys.stderr)
    return ""
`);
    for (const letter of ['a', 'b', 'c']) {
      const { printed } = await send(agent, { input: letter });
      expect(printed.replace('from a program\n', '').replace(letter.repeat(1e6), '')).toBe('\ndone\n');
    }
  });

  test('a forked child that returns is not a second agent', async () => {
    const agent = await create(`
import os
def agent(input_text, memory):
    child = os.fork()
    if child: os.waitpid(child, 0)
    return "parent" if child else "child"
`);
    expect((await send(agent)).reply).toBe('parent');
    expect((await send(agent)).reply).toBe('parent');
  });

  test.each([
    ['raises', 'raise ValueError("of the child")', 1],
    ['calls sys.exit', 'sys.exit(7)', 7],
  ])('a forked child that %s ends as a program does', async (_, end, code) => {
    const agent = await create(`
import os, sys
def agent(input_text, memory):
    child = os.fork()
    if not child: ${end}
    return str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`);
    expect((await send(agent)).reply).toBe(String(code));
    expect((await send(agent)).reply).toBe(String(code));
  });

  test('memory too deep for Python is an error of that step', async () => {
    const agent = await create('def agent(input_text, memory): return "x"');
    let memory: JsonObject = {};
    for (let depth = 0; depth < 1500; depth++) memory = { memory };
    const session = await agent.open({ id: 't', file: 'a.yaml' });
    const { signal } = new AbortController();
    await expect(session.send(requestOf('x', memory), signal)).rejects.toMatchObject({
      kind: 'agent',
      message: expect.stringContaining('python cannot read the request') as unknown,
    });
    expect((await session.send(requestOf('x', {}), signal)).reply).toBe('x');
    await session.close();
  });

  test('input() ends instead of waiting', async () => {
    const agent = await create('def agent(input_text, memory):\n    return input()\n');
    await expect(send(agent)).rejects.toThrow('the agent raised EOFError');
  });

  test('tuples become lists at any depth', async () => {
    const agent = await create(`
from collections import namedtuple
Place = namedtuple("Place", "x y")
def agent(input_text, memory):
    return {"output": "", "tools_used": ("a", "b"), "memory": {"x": (1, (2,), [()]), "place": Place(3, 4)}}
`);
    expect((await send(agent)).reply).toMatchObject({
      tools_used: ['a', 'b'],
      memory: { x: [1, [2], [[]]], place: [3, 4] },
    });
  });

  test.each([
    ['float("nan")', "memory.x of the agent's reply is nan, which JSON cannot represent"],
    ['b"x"', "memory.x of the agent's reply is a bytes, which JSON cannot represent: return plain data"],
    ['{(1, 2): 3}', "memory.x of the agent's reply has a key that is a tuple, which JSON cannot represent"],
    [
      'object()',
      "memory.x of the agent's reply is an object, which JSON cannot represent: return plain data",
    ],
    [
      '__import__("decimal").Decimal(1)',
      "memory.x of the agent's reply is a decimal.Decimal, which JSON cannot represent: return plain data",
    ],
    ['loop()', "memory.x[0] of the agent's reply contains itself, which JSON cannot represent"],
  ])('cannot return %s', async (value, message) => {
    const agent = await create(`
def loop():
    it = []
    it.append(it)
    return it
def agent(input_text, memory):
    return {"output": "", "memory": {"x": ${value}}}
`);
    await expect(send(agent)).rejects.toMatchObject({ kind: 'contract', message });
  });

  test('exits normally when it is closed', async () => {
    const agent = await create(`
import atexit, pathlib
atexit.register(lambda: pathlib.Path("ended").write_text("well"))
def agent(input_text, memory): return ""
`);
    await send(agent);
    await agent.close();
    expect(readFileSync(join(folder, 'ended'), 'utf8')).toBe('well');
  });

  test.each([
    ['raise KeyError("nope")', "agent.py cannot be loaded: KeyError: 'nope'\n  File \""],
    ['def agent(:', 'agent.py cannot be loaded: SyntaxError: invalid syntax\n    at '],
    [
      'import nothing_like_it',
      "agent.py cannot be loaded: ModuleNotFoundError: No module named 'nothing_like_it'",
    ],
    ['def other(): pass', 'agent.py: there is no function agent in it: use agent.py:other, or name'],
    ['agent = 5', 'agent.py: agent is an int, not a function'],
    ['import os; os._exit(9)', 'agent.py cannot be loaded by python3: the agent exited with code 9'],
    ['import sys; sys.exit(9)', 'agent.py cannot be loaded: SystemExit: 9'],
  ])('%s cannot be used', async (source, message) => {
    const error = await create(source, { spec: 'agent.py' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentSetupError);
    expect((error as Error).message).toContain(message);
  });

  test('a missing Python interpreter is reported', async () => {
    const source = 'def agent(input_text, memory): return ""';
    await expect(create(source, { env: { ASSAY_PYTHON: '/nowhere/python' } })).rejects.toThrow(
      './agent.py needs /nowhere/python, but "/nowhere/python" does not exist',
    );
    await expect(create(source, { env: { VIRTUAL_ENV: '/no/venv' } })).rejects.toThrow(
      './agent.py needs /no/venv/bin/python',
    );
    await expect(create(source, { env: { PATH: '/nowhere' } })).rejects.toThrow(
      'install Python 3, or set ASSAY_PYTHON to its path',
    );
  });
});

async function send(agent: Agent, { input = 'x', file = 'a.yaml' } = {}): Promise<RawReply> {
  const session = await agent.open({ id: 't', file });
  try {
    return await session.send(
      { ...requestOf(input, {}), test: { id: 't', file } },
      new AbortController().signal,
    );
  } finally {
    await session.close();
  }
}
