import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

/** Traces of LangSmith and Langfuse: what is not told in them must not count as nothing. */
let project: Project;
beforeAll(() => void (project = createProject({})));
afterAll(() => project.remove());

const ASKED = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'remove', arguments: '{"id":7}' } }],
};
const MESSAGES = [
  { role: 'user', content: 'Hi' },
  ASKED,
  { role: 'tool', tool_call_id: 'c1', content: 'removed' },
];
let number = 0;
const observation = (fields: object): object => ({
  traceId: 't',
  type: 'GENERATION',
  id: `o${++number}`,
  name: 'answer',
  startTime: `2026-01-01T00:00:${10 + number}Z`,
  endTime: `2026-01-01T00:00:${11 + number}Z`,
  ...fields,
});
const run = (fields: object): object => ({
  trace_id: 't',
  run_type: 'llm',
  id: `r${++number}`,
  name: 'answer',
  start_time: `2026-01-01T00:00:${10 + number}`,
  end_time: `2026-01-01T00:00:${11 + number}`,
  ...fields,
});
const constructor = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', name],
  kwargs,
});

async function stepOf(values: readonly object[]): Promise<AttemptRecord['steps'][number]> {
  writeFileSync(
    join(project.path, 'trace.jsonl'),
    values.map((value) => `${JSON.stringify(value)}\n`).join(''),
  );
  const { stdout, stderr } = await runCli(['import', 'trace.jsonl', '--reporter', 'json'], {
    cwd: project.path,
  });
  expect(stdout, stderr).not.toBe('');
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  expect(results).toHaveLength(1);
  return results[0]!.steps[0]!;
}

test.each([
  [
    'Langfuse',
    () => [
      observation({ input: MESSAGES.slice(0, 1), output: ASKED }),
      observation({ input: JSON.stringify(MESSAGES), output: '{"role": "assistant", "content": "Done"}' }),
    ],
  ],
  [
    'LangSmith',
    () => [
      run({ inputs: { messages: MESSAGES.slice(0, 1) }, outputs: { choices: [{ message: ASKED }] } }),
      run({ inputs: { messages: MESSAGES }, outputs: { generations: [[{ text: 'Done' }]] } }),
    ],
  ],
])('%s: calls that only models tell of are calls', async (_, values) => {
  const { input, output, tool_calls, trace_gap, duration_ms } = await stepOf(values());
  expect({ input, output, trace_gap, duration_ms }).toEqual({
    input: 'Hi',
    output: 'Done',
    duration_ms: 2000,
  });
  expect(tool_calls).toEqual([{ tool: 'remove', id: 'c1', input: { id: 7 }, output: 'removed' }]);
});

test('a call that a model asked for and the node of its tool are one call', async () => {
  const asked = constructor('AIMessage', {
    content: '',
    tool_calls: [{ id: 'c1', name: 'remove', args: { id: 7 } }],
  });
  const { tool_calls } = await stepOf([
    run({ inputs: { input: 'Hi' }, outputs: { generations: [[{ text: '', message: asked }]] } }),
    run({ run_type: 'tool', name: 'remove', inputs: { input: "{'id': 7}" }, outputs: { output: 'removed' } }),
    run({ run_type: 'tool', name: 'log', inputs: { input: '{"a":1}' }, outputs: { output: 'ok' } }),
    run({ inputs: { input: 'Hi' }, outputs: { role: 'assistant', content: 'Done' } }),
  ]);
  expect(tool_calls).toMatchObject([
    { tool: 'remove', id: 'c1', input: { id: 7 }, output: 'removed' },
    { tool: 'log', input: { a: 1 }, output: 'ok' },
  ]);
  expect(tool_calls).toHaveLength(2);
});

test.each([
  ['no content', () => [observation({})]],
  ['an answer of an unknown form', () => [observation({ input: 'Hi', output: { kind: 'a new one' } })]],
  ['neither models nor tools', () => [observation({ type: 'SPAN', input: 'Hi', output: 'Done' })]],
  ['an end in the middle', () => [run({ inputs: { messages: MESSAGES.slice(0, 1) }, outputs: ASKED })]],
])('%s: it is not known which tools were called', async (_, values) => {
  const { tool_calls = [], trace_gap } = await stepOf(values());
  expect(trace_gap).toMatchObject({ kind: 'incomplete', at: 'the trace' });
  expect(tool_calls.map(({ tool }) => tool).join()).toMatch(/^(remove)?$/);
});

test('without an answer it is not known what the agent said', async () => {
  const { doubts } = await stepOf([observation({ input: 'Hi' })]);
  expect(doubts).toMatchObject([{ about: 'output' }]);
});
