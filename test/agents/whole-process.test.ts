import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isGroupAlive } from './contract-suite.ts';
import { bundleAgents, runProgram } from './run-program.ts';

let folder: string;
let bundle: string;

beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
  await bundleAgents(bundle);
});
afterAll(() => rmSync(bundle, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-process-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const head = () => `
import { createAgent } from '${bundle}/agents.mjs';
const place = { cwd: process.cwd(), env: process.env };
const request = (input) => ({ input, input_messages: [], memory: {}, test: { id: 't', file: 'f' }, step: 1, attempt: 1 });
const never = new AbortController().signal;
const ask = async (agent, input, signal = never) => {
  try {
    const session = await agent.open({ id: 't', file: 'f' });
    return await session.send(request(input), signal);
  } catch (error) {
    return { kind: error.kind, message: error.message.split('\\n')[0] };
  }
};
`;

describe('children end with the process, whatever ends it', () => {
  const AGENT = `
import os, time
with open("pid", "w") as file: file.write(str(os.getpid()))
def agent(input_text, memory):
    if input_text == "slow":
        print("slow")
        time.sleep(60)
    return "x"
`;

  test.each([
    ['an exit', 'process.exit(4)', 4],
    ['an error', 'throw new Error("a bug")', 1],
  ])('%s', async (_, end, code) => {
    writeFileSync(join(folder, 'agent.py'), AGENT);
    const source = `${head()}
const agent = await createAgent('agent.py', place);
setTimeout(() => { ${end} }, 100);
await ask(agent, 'slow');
`;
    expect(await runProgram(folder, source)).toMatchObject({ code });
    await expect.poll(() => isGroupAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
  });

  test('a kill while the children wait for work', async () => {
    writeFileSync(join(folder, 'agent.py'), AGENT);
    const source = `${head()}
const agent = await createAgent('agent.py', place);
await ask(agent, 'quick');
console.log('ready');
setInterval(() => {}, 1000);
`;
    const result = await runProgram(folder, source, (kill) => kill('SIGKILL'));
    expect(result).toMatchObject({ signal: 'SIGKILL' });
    await expect.poll(() => isGroupAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
  });

  test('a closed agent does not keep the process alive', async () => {
    writeFileSync(join(folder, 'agent.py'), AGENT);
    const source = `${head()}
const agent = await createAgent('agent.py', place);
console.log((await ask(agent, 'quick')).reply);
await agent.close();
`;
    expect(await runProgram(folder, source)).toMatchObject({ code: 0, stdout: 'x\n', stderr: '' });
  });
});
