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
import { createAgent, exitProcess } from '${bundle}/agents.mjs';
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

describe('a function', () => {
  const AGENT = `
type Input = string;
enum Word { Plain = 'plain' }
export function agent(input: Input) {
  const forEver = new Promise(() => {});
  switch (input) {
    case 'throw later': setTimeout(() => { throw new Error('lost in time'); }, 1); return forEver;
    case 'reject': void Promise.reject(new Error('lost promise')); return forEver;
    case 'exit later': setTimeout(() => process.exit(3), 1); return forEver;
    case 'exit much later': setTimeout(() => process.exit(3), 50); return forEver;
    case 'exit and go on': try { process.exit(2); } catch {} return 'went on';
    case 'print': console.log('one %d', 1); console.dir({ two: 2 }); console.table([[3]]); return 'said it';
    default: return Word.Plain;
  }
}
`;

  test('can neither end the run nor write between its results', async () => {
    writeFileSync(join(folder, 'agent.ts'), AGENT);
    const result = await runProgram(
      folder,
      `${head()}
const agent = await createAgent('agent.ts', place);
const results = [];
for (const input of ['throw later', 'reject', 'exit later', 'exit and go on', 'print', 'plain']) results.push(await ask(agent, input));
results.push(await ask(agent, 'exit much later', AbortSignal.timeout(5)));
await new Promise((resolve) => setTimeout(resolve, 100));
await agent.close();
console.log(JSON.stringify(results));
process.exit(17);
`,
    );
    expect(result).toMatchObject({ code: 17, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject([
      { kind: 'agent', message: 'the agent caused an uncaught error: Error: lost in time' },
      { kind: 'agent', message: 'the agent caused an uncaught error: Error: lost promise' },
      { kind: 'agent', message: 'the agent called process.exit(3): return or throw instead' },
      { kind: 'agent', message: 'the agent called process.exit(2): return or throw instead' },
      { reply: 'said it', printed: expect.stringMatching(/^one 1\n\{ two: 2 \}\n┌[^]*3[^]*┘\n$/) as unknown },
      { reply: 'plain', printed: '' },
      { kind: 'timeout', message: 'the agent was stopped before it replied' },
    ]);
  });

  test('an uncaught error outside a call still ends the process', async () => {
    writeFileSync(join(folder, 'agent.mjs'), 'export const agent = () => "x";');
    const source = `${head()}
await createAgent('agent.mjs', place);
setTimeout(() => { throw new Error('a bug'); }, 1);
setTimeout(() => console.log('should not be reached'), 5000);
`;
    expect(await runProgram(folder, source)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('a bug') as unknown,
    });
  });

  test('an interrupt ends the process in the middle of a call', async () => {
    writeFileSync(join(folder, 'agent.mjs'), 'export const agent = () => new Promise(() => {});');
    const source = `${head()}
const agent = await createAgent('agent.mjs', place);
setTimeout(() => exitProcess(130), 10);
await ask(agent, 'x');
`;
    expect(await runProgram(folder, source)).toMatchObject({ code: 130 });
  });
});

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
