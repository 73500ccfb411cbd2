import { afterAll, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { createProject } from '../project.ts';
import { NAUGHTY } from './naughty-strings.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { strangeInTerminal } from './terminal-stream.ts';

/** No more failures are shown than this, so no more are made at once. */
const SHOWN = 100;

const project = createProject({
  ...Object.fromEntries(
    Array.from({ length: Math.ceil((2 * NAUGHTY.length) / SHOWN) }, (_, index) => {
      const some = NAUGHTY.slice((index * SHOWN) / 2, ((index + 1) * SHOWN) / 2);
      return [
        [`${index}/steps.test.json`, JSON.stringify(some.map(stepTest))],
        [`${index}/evaluators.eval.yaml`, JSON.stringify({ evalcases: some.map(evalCase) })],
      ];
    }).flat(),
  ),
  'agent.mjs': `
export const workers = 3;
export async function agent(input, memory) {
  process.stdout.write(input);
  process.stderr.write(Buffer.from(input));
  console.log(input);
  await new Promise((resolve) => setTimeout(resolve, 10));
  console.error(input);
  process.stdout.write(input);
  if (input.length % 5 === 0) throw new Error(input);
  if (input.length % 7 === 0) throw Object.assign(new Error('x'), { name: input, cause: input });
  if (input.length % 11 === 0) queueMicrotask(() => { throw new Error(input); });
  if (input.length % 3 === 0) return { output: input, tools_used: [input], memory: { [input]: input } };
  return { output: input, memory: { [input]: input, x: { [input]: [input] } } };
}`,
  'agent.py': `
import sys
def agent(input_text, memory):
    print(input_text)
    sys.stderr.buffer.write(input_text.encode('utf-8', 'surrogatepass') + b'\\xff\\x9b')
    if len(input_text) % 5 == 0:
        raise RuntimeError(input_text)
    return {'output': input_text, 'tools_used': [input_text], 'memory': {input_text: input_text}}
`,
});
afterAll(() => project.remove());

function stepTest(text: string, index: number): object {
  return {
    id: `${text} ${index}`,
    description: text,
    tags: [text],
    input: text,
    memory: { [text]: text },
    assert: { 'output.equals': `not ${text}`, 'memory.x': text, tools_used: [`not ${text}`] },
  };
}

function evalCase(text: string, index: number): object {
  return {
    id: `${text} ${index}`,
    expected_outcome: text,
    input: text,
    evaluators: [
      { name: `${text} 1`, type: 'tool_trajectory', mode: 'any_order', minimums: { [text]: 2 } },
      { name: `${text} 2`, type: 'contains', value: `not ${text}` },
    ],
  };
}

const AGENTS = ['./agent.mjs', './agent.py', 'cmd: cat'];

test.each(AGENTS)(
  'nothing that tests or the agent %s print controls the terminal',
  { timeout: 120_000 },
  async (agent) => {
    const all = Math.ceil((2 * NAUGHTY.length) / SHOWN);
    const count = agent === AGENTS[0] ? all : effort({ short: 1, long: all });
    const parts = Array.from({ length: count }, (_, index) => String(index));
    await Promise.all(
      parts.map(async (part) => {
        const args = ['run', part, '--agent', agent, '--retry', '0', '--workers', '3'];
        const { bytes, exitCode } = await runInTerminal(args, { cwd: project.path });
        // A plain text says nothing of tools.
        expect(exitCode).toBe(agent === 'cmd: cat' ? 3 : 1);
        // oxlint-disable-next-line no-control-regex
        expect(bytes.toString()).toMatch(/\u001b\[\d+F\u001b\[0J/);
        expect(strangeInTerminal(bytes)).toEqual([]);
      }),
    );
  },
);

test('the parser of terminal bytes refuses everything Assay does not send', () => {
  const refused = (text: string): boolean => strangeInTerminal(Buffer.from(text)).length > 0;
  expect(NAUGHTY.filter((text) => /[\u0080-\u009f]/.test(text)).every((text) => refused(`x${text}`))).toBe(
    true,
  );
  // oxlint-disable-next-line no-control-regex
  expect(NAUGHTY.filter((text) => /[^\P{Cc}\r\n\t]/u.test(text)).every((text) => refused(`x${text}`))).toBe(
    true,
  );
  for (const text of [
    'x\u001b[3F\u001b[0J',
    '\u001b[31mFORGED',
    'a\rb',
    '\u001b[5m',
    '::error::',
    '##vso[x]y',
  ])
    expect(refused(text)).toBe(true);
  expect(strangeInTerminal(Buffer.from('\u001b[31m✗ 日本\u001b[39m\r\n\u001b[2F\u001b[0J'))).toEqual([]);
});
