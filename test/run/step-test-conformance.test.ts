import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/api/run/run.ts';
import type { RunResult } from '../../src/api/basics/run-options.ts';
import { effort } from '../effort.ts';

interface Vector {
  readonly name: string;
  readonly file: string;
  readonly content: string | readonly number[];
  readonly replies: readonly unknown[];
  readonly want: string;
  readonly phase?: 'load' | 'run';
  readonly reference: { readonly calls?: readonly { input: string; memory: unknown }[] };
}

const fixture = new URL('../fixtures/testhaven.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(fixture, 'utf8')) as { vectors: Vector[] };
const root = mkdtempSync(join(tmpdir(), 'assay-conformance-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Agents that answer from replies.json, one after the other, and note what they were given in calls.jsonl. */
const AGENTS = {
  'agent.mjs': `
import { appendFileSync, readFileSync } from 'node:fs';
const folder = import.meta.dirname;
const replies = JSON.parse(readFileSync(folder + '/replies.json', 'utf8'));
let calls = 0;
export function agent(input, memory) {
  appendFileSync(folder + '/calls.jsonl', JSON.stringify({ input, memory }) + '\\n');
  const reply = replies[Math.min(calls++, replies.length - 1)];
  if ('$raise' in reply) throw new Error(reply.$raise);
  if ('$mutate' in reply) memory.mutated = true;
  return '$return' in reply ? reply.$return : reply;
}`,
  'agent.py': `
import json, os
folder = os.path.dirname(os.path.abspath(__file__))
replies = json.load(open(os.path.join(folder, 'replies.json')))
calls = 0
def agent(input_text, memory):
    global calls
    with open(os.path.join(folder, 'calls.jsonl'), 'a') as file:
        file.write(json.dumps({'input': input_text, 'memory': memory}) + '\\n')
    reply = replies[min(calls, len(replies) - 1)]
    calls += 1
    if '$raise' in reply:
        raise RuntimeError(reply['$raise'])
    if '$mutate' in reply:
        memory['mutated'] = True
    return reply['$return'] if '$return' in reply else reply
`,
};

/** What is wanted has nothing to do with where an agent runs, and a process for each takes longer than all the rest. */
const PLACES: readonly (readonly [
  agentFile: keyof typeof AGENTS,
  isolate: 'true' | 'false',
  every: number,
])[] = [
  ['agent.mjs', 'false', 1],
  ['agent.mjs', 'true', effort({ short: 8, long: 1 })],
  ['agent.py', 'true', effort({ short: 8, long: 1 })],
];

describe.each(PLACES)('step tests run by %s, with ASSAY_ISOLATE=%s', (agentFile, isolate, every) => {
  beforeAll(() => void (process.env['ASSAY_ISOLATE'] = isolate));
  afterAll(() => void delete process.env['ASSAY_ISOLATE']);
  const chosen = vectors
    .map((vector, index) => ({ ...vector, index }))
    .filter(({ index }) => index % every === 0);
  test.each(chosen)('$index $name', async (vector) => {
    const folder = mkdtempSync(join(root, 'vector-'));
    const suite = join(folder, vector.file);
    writeFileSync(suite, typeof vector.content === 'string' ? vector.content : Buffer.from(vector.content));
    writeFileSync(join(folder, 'replies.json'), JSON.stringify(vector.replies));
    writeFileSync(join(folder, agentFile), AGENTS[agentFile]);
    const result = await run({ paths: [suite], agent: join(folder, agentFile), record: false });
    expectWanted(result, vector);
    // The reference may have crashed before it called anyone.
    if (vector.phase === 'load' || (vector.reference.calls ?? []).length === 0) return;
    const calls = readFileSync(join(folder, 'calls.jsonl'), 'utf8').trimEnd().split('\n');
    expect(calls.map((line) => JSON.parse(line) as unknown)).toEqual(vector.reference.calls);
  });
});

function expectWanted({ exit_code, findings, records }: RunResult, { want, phase }: Vector): void {
  if (want === 'either') return;
  if (phase === 'load') {
    expect(exit_code).toBe(2);
    expect(findings.filter(({ severity }) => severity === 'error')).not.toEqual([]);
    return;
  }
  const [verdict, warn] = want.split('+');
  expect(records.map((record) => record.verdict)).toEqual([
    { pass: 'passed', fail: 'failed', error: 'error' }[verdict!],
  ]);
  expect(exit_code).toBe({ pass: 0, fail: 1, error: 3 }[verdict!]);
  if (warn !== undefined) expect(findings).not.toEqual([]);
}
