import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentSetupError } from '../../src/agents/agent-setup-error.ts';
import type { Agent } from '../../src/agents/contract.ts';
import { createAgent } from './create-agent.ts';
import { requestOf } from './contract-suite.ts';

let folder: string;

const FILES = {
  'named.mjs':
    'export const agent = (input) => `named ${input}`; export default () => "default"; export const workers = 8;',
  'default.mjs': 'export default (input) => `default ${input}`;',
  'other.mjs': 'export const agent = () => "agent"; export const special = () => "special";',
  'object.cjs': 'module.exports = { agent: () => "object", workers: 3 };',
  'hidden.cjs': 'const all = { agent: () => "hidden" }; module.exports = Object.assign({}, all);',
  'function.cjs': 'module.exports = () => "function";',
  'compiled.cjs': 'exports.__esModule = true; exports.default = () => "compiled";',
  'neighbours.ts':
    'import { word } from "./word"; enum Kind { A = "a" } export default (): string => word + Kind.A;',
  'word.ts': 'export const word: string = "word";',
  'sync.ts':
    'export function agent(input: string, memory: object, { test, step }: { test: { id: string }, step: number }) { return `${test.id} ${step}`; }',
  'nothing.mjs': 'export {};',
  'odd.mjs': 'export const agents = 1; export function run() {}',
  'text.mjs': 'export const agent = "a text";',
  'workers.mjs': 'export const agent = () => ""; export const workers = "many";',
  'broken.mjs': 'export const agent = ;',
  'throws.mjs': 'throw new RangeError("no luck");',
  'imports.mjs': 'import "./not-there.mjs";',
  'imports.ts': 'import "./not-there"; export const agent = 1;',
  'agent.py': 'def agent(i, m): return "python"\ndef other(i, m): return "other"\n',
  program: '#!/bin/sh\necho program\n',
  'data.json': '{}',
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-parse-'));
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, name), text, { mode: name === 'program' ? 0o755 : 0o644 });
  mkdirSync(join(folder, 'folder'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const create = (spec: string): Promise<Agent> => createAgent(spec, { cwd: folder, env: process.env });

describe('createAgent', () => {
  test.each([
    ['named.mjs', 'named hi', 8],
    ['./default.mjs', 'default hi', 1],
    ['other.mjs:special', 'special', 1],
    ['object.cjs', 'object', 3],
    ['object.cjs:agent', 'object', 3],
    ['hidden.cjs', 'hidden', 1],
    ['function.cjs', 'function', 1],
    ['compiled.cjs', 'compiled', 1],
    ['neighbours.ts', 'worda', 1],
    ['sync.ts:agent', 'a test 1', 1],
    ['agent.py', 'python', availableParallelism()],
    [' agent.py:other ', 'other', availableParallelism()],
    ['cmd: ./program --flag', 'program', availableParallelism()],
    ['cmd:sh -c "echo \'a  b\'"', 'a  b', availableParallelism()],
  ])('%s', async (spec, output, workers) => {
    const agent = await create(spec);
    try {
      expect(agent).toMatchObject({ name: spec.trim(), workers });
      const session = await agent.open({ id: 't', file: 'f' });
      expect((await session.send(requestOf('hi', {}), new AbortController().signal)).reply).toBe(output);
      await session.close();
    } finally {
      await agent.close();
    }
  });

  test('a URL is an HTTP agent', async () => {
    expect(await create('https://127.0.0.1:1/agent')).toMatchObject({
      name: 'https://127.0.0.1:1/agent',
      workers: 16,
    });
  });

  test.each([
    [
      'nothing.mjs',
      "nothing.mjs exports no agent (it exports nothing): write `export function agent(input, memory) { return { output: '...' } }`",
    ],
    ['odd.mjs', 'odd.mjs exports no agent (it exports agents, run): use odd.mjs:run, or name'],
    [
      'named.mjs:missing',
      'named.mjs:missing exports no `missing` (it exports agent, default, workers): use named.mjs:agent or named.mjs, or name a',
    ],
    ['text.mjs', 'text.mjs exports `agent`, but it is the string a text, not a function'],
    [
      'workers.mjs',
      'workers.mjs exports `workers`, but it is the string many: write `export const workers = 8`',
    ],
    ['broken.mjs', 'broken.mjs cannot be loaded: '],
    ['throws.mjs', 'throws.mjs cannot be loaded: RangeError: no luck'],
    ['imports.mjs', '/not-there.mjs does not exist\n    at '],
    ['imports.ts', '/not-there does not exist\n    at '],
    ['nmaed.mjs', 'does not exist (looked for in '],
    ['nmaed.mjs', 'did you mean "named.mjs"?'],
    ['no/where/agent.ts', 'there is no folder '],
    ['cmd:', 'there is no program after "cmd:": write "cmd: ./my-agent --flag"'],
    ['cmd: echo "x', 'a quote is not closed in "echo \\"x"'],
    ['cmd: program', 'there is no executable program "program" on the PATH: write "cmd: ./program"'],
    ['cmd: ./data.json', 'make it executable: chmod +x ./data.json'],
    ['cmd: ./progrm', 'did you mean "program"?'],
    ['cmd: no-such-thing', 'there is no executable program "no-such-thing" on the PATH: is it installed?'],
    ['./program', '"./program" is not an agent: did you mean "cmd: ./program"?'],
    ['node agent', '"node agent" is not an agent: did you mean "cmd: node agent"?'],
    ['localhost:3000/x', 'did you mean http://localhost:3000/x?'],
    ['data.json', 'an agent is a file (./agent.ts, ./agent.py), a URL'],
    ['folder', '"folder" is not an agent: it is a folder; an agent is a file'],
    [
      'gpt-5',
      '"gpt-5" is not an agent: an agent is a file (./agent.ts, ./agent.py), a URL (https://...) or a program ("cmd: ./my-agent")',
    ],
    ['', '"" is not an agent'],
    ['http://', 'is not a URL'],
  ])('%j is an error: %s', async (spec, message) => {
    const error = await create(spec).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentSetupError);
    expect((error as Error).message).toContain(message);
  });
});
