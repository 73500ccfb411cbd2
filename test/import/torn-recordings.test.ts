import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AttemptRecord, StepRecord } from '../../src/base/model/record.ts';
import { createProject, runCli, type Project } from '../project.ts';

/** What was lost may have been a call: that none is recorded does not say that none was made. */
interface Report {
  readonly results: readonly AttemptRecord[];
  readonly findings: readonly { readonly file: string; readonly line: number; readonly code: string }[];
}

let project: Project;
let folder = 0;
beforeAll(() => void (project = createProject({})));
beforeEach(() => void folder++);
afterAll(() => project.remove());

async function importFiles(files: Readonly<Record<string, string>>): Promise<Report> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(project.path, String(folder), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { stdout, stderr } = await runCli(['import', String(folder), '--reporter', 'json'], {
    cwd: project.path,
  });
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as Report;
}

async function stepsOf(files: Readonly<Record<string, string>>): Promise<readonly StepRecord[]> {
  const { results } = await importFiles(files);
  expect(results).toHaveLength(1);
  return results[0]!.steps;
}

let number = 0;
const claude = (type: string, content: unknown, more: object = {}): string => {
  const id = `u${++number}`;
  const message =
    type === 'user' ? { role: type, content } : { id, role: type, model: 'm', content, usage: USAGE };
  return line({ ...SESSION, uuid: id, type, timestamp: '2026-01-01T00:00:00Z', message, ...more });
};
const line = (value: object): string => `${JSON.stringify(value)}\n`;
const SESSION = { sessionId: 's', isSidechain: false, parentUuid: null };
const USAGE = { input_tokens: 1, output_tokens: 1 };
const text = (words: string): readonly object[] => [{ type: 'text', text: words }];
const CALL = [{ type: 'tool_use', id: 'c1', name: 'Read', input: {} }];
const RESULT = [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }];
const TORN = '{"sessionId": "s", "ty';

const isAnswerUnknown = ({ doubts = [] }: StepRecord): boolean =>
  doubts.some(({ about }) => about === 'output');

test.each([
  ['a last line that breaks off', claude('user', 'Hi') + claude('assistant', text('Well')) + TORN],
  ['a last call without its result', claude('user', 'Hi') + claude('assistant', CALL)],
  ['nothing but the question', claude('user', 'Hi')],
])('%s: neither the calls nor the answer is known', async (_, session) => {
  const [step] = await stepsOf({ 'session.jsonl': session });
  expect(step).toMatchObject({ trace_gap: { kind: 'incomplete', at: 'the recording' } });
  expect(isAnswerUnknown(step!)).toBe(true);
});

test('a line in the middle that cannot be read: the answer is known, and the calls are not', async () => {
  const whole = claude('user', 'Hi') + claude('assistant', CALL) + claude('user', RESULT);
  const [step] = await stepsOf({ 'session.jsonl': `${whole}${TORN}\n${claude('assistant', text('Done'))}` });
  expect(step).toMatchObject({
    output: 'Done',
    tools_used: ['Read'],
    trace_gap: { kind: 'incomplete', at: 'the recording', form: 'line 4 of it cannot be read' },
    usage_complete: false,
  });
});

test('the file of a sub-agent that breaks off has its name in the finding', async () => {
  const { results, findings } = await importFiles({
    'session.jsonl': claude('user', 'Hi') + claude('assistant', text('Done')),
    'subagents/agent-1.jsonl': `${claude('user', 'Look', { isSidechain: true, agentId: '1' })}${TORN}`,
  });
  expect(findings).toMatchObject([
    { file: join(String(folder), 'subagents/agent-1.jsonl'), line: 2, code: 'invalid_json' },
  ]);
  expect(results[0]!.steps).toMatchObject([{ output: 'Done', trace_gap: { kind: 'incomplete' } }]);
});

test('messages that end with a call', async () => {
  const call = { id: 'c', type: 'function', function: { name: 'get', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ];
  const [step] = await stepsOf({ 'chat.jsonl': line({ id: 'a', messages }) });
  expect(step).toMatchObject({ tools_used: ['get'], trace_gap: { kind: 'incomplete' } });
  expect(isAnswerUnknown(step!)).toBe(true);
});

interface Span {
  readonly name: string;
  readonly id: string;
  readonly at: number;
  readonly attributes: Readonly<Record<string, string>>;
}

const otlp = (spans: readonly Span[]): string =>
  line({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: spans.map(({ name, id, at, attributes }) => ({
              traceId: '0af7651916cd43dd8448eb211c80319c',
              spanId: id,
              name,
              startTimeUnixNano: `${1794782661 + at}000000000`,
              endTimeUnixNano: `${1794782662 + at}000000000`,
              attributes: Object.entries(attributes).map(([key, stringValue]) => ({
                key,
                value: { stringValue },
              })),
            })),
          },
        ],
      },
    ],
  });
const chat = (id: string, at: number, finish: string): Span => ({
  name: 'chat m',
  id,
  at,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.response.finish_reasons': `["${finish}"]`,
  },
});
const tool = (id: string, at: number): Span => ({
  name: 'execute_tool get',
  id,
  at,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get' },
});
const CALLS = [
  chat('a000000000000001', 1, 'tool_calls'),
  tool('a000000000000002', 2),
  chat('a000000000000003', 3, 'tool_calls'),
  tool('a000000000000004', 4),
  chat('a000000000000005', 5, 'stop'),
];

test('without content, the tools tell which calls were made', async () => {
  const [step] = await stepsOf({ 'spans.jsonl': otlp(CALLS) });
  expect(step).toMatchObject({ tools_used: ['get', 'get'] });
  expect(step!.trace_gap).toBeUndefined();
});

test.each([
  ['a tool that never came', otlp(CALLS.toSpliced(3, 1))],
  ['a request that breaks off', `${otlp(CALLS)}{"resourceSpans": [{"sco`],
  ['a span without an id', otlp(CALLS.with(3, { ...CALLS[3]!, id: '' }))],
])('telemetry with %s does not tell all calls', async (_, spans) => {
  const [step] = await stepsOf({ 'spans.jsonl': spans });
  expect(step).toMatchObject({ trace_gap: { kind: 'incomplete' } });
});
