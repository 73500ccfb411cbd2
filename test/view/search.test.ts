import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import type { Snippet } from '../../src/base/model/search-text.ts';
import { assertionRecord, attemptRecord, stepRecord } from '../attempt-record.ts';
import { createViewProject, killStarted, startView, type RunningView } from './view-project.ts';
import { writeRun } from './write-run.ts';

const project = createViewProject();
const RUN = '20260101T000000-000-0000000a';
let view: RunningView;

const OUTPUTS = [
  'A plain answer',
  'Der Cafe\u0301 in Zürich',
  'He said "yes"\nand left',
  'C:\\temp \u0001 €',
  '東京タワー',
];
const records = OUTPUTS.map((output, index) =>
  attemptRecord({
    test: `t${index}`,
    verdict: index === 0 ? 'error' : 'passed',
    ...(index === 0 ? { error: { kind: 'timeout', message: 'too slow' } } : { score: 0.5 }),
    metadata: {
      team: 'payments',
      owner: { name: 'Ada' },
      langs: ['de', 'en'],
      deep: { a: { b: { c: { d: 1 } } } },
    },
    steps: [
      stepRecord({
        input: `question ${index}`,
        output,
        tool_calls: [{ tool: 'look_up', input: { key: `value-${index}`, list: ['x "y"'] }, output: null }],
        memory: { note: 'only in memory' },
        assertions: [
          assertionRecord({ form: 'evaluator', kind: 'llm_judge', name: 'tone', score: 0.9, passed: true }),
          assertionRecord({ form: 'evaluator', kind: 'llm_judge', name: 'tone', score: 0.2, passed: false }),
          assertionRecord({ message: 'a claim about form":"evaluator' }),
        ],
      }),
    ],
  }),
);

beforeAll(async () => {
  writeRun(project.path, { run_id: RUN, records });
  view = await startView(project.path);
});
afterAll(killStarted);
afterAll(async () => {
  await view.stop();
  project.remove();
});

async function found(...texts: string[]): Promise<readonly (readonly number[])[]> {
  const query = new URLSearchParams(texts.map((text): [string, string] => ['text', text]));
  return (await view.json<{ matches: number[][] }>(`/api/runs/${RUN}/search?${query}`)).matches;
}

test.each([
  ['plain ANSWER', [0]],
  ['caf\u00e9', [1]],
  ['CAFE\u0301 IN ZU\u0308RICH', [1]],
  ['"yes" and left', [2]],
  ['said "YES"\nand', [2]],
  ['c:\\temp', [3]],
  ['€', [3]],
  ['京タ', [4]],
  ['value-3', [3]],
  ['x "y"', [0, 1, 2, 3, 4]],
  ['question 2', [2]],
  ['look_up', [0, 1, 2, 3, 4]],
  ['only in memory', []],
  ['a claim about', []],
  ['input_messages', []],
  ['answerder', []],
])('%s', async (text, indexes) => {
  expect(await found(text)).toEqual([indexes]);
});

test('several texts can be searched at once, with the places of the matches', async () => {
  expect(await found('answer', 'question')).toEqual([[0], [0, 1, 2, 3, 4]]);
  expect(await found()).toEqual([]);
  const query = new URLSearchParams([
    ['text', 'café'],
    ['index', '1,4'],
  ]);
  const { snippets } = await view.json<{ snippets: Record<number, Snippet> }>(
    `/api/runs/${RUN}/snippets?${query}`,
  );
  expect(Object.keys(snippets)).toEqual(['1']);
  const { where, text, marks } = snippets[1]!;
  expect([where, marks.map(([start, end]) => text.slice(start, end))]).toEqual(['Output', ['Cafe\u0301']]);
});

test('an invalid request is refused, and a missing run is not found', async () => {
  const status = async (path: string): Promise<number> => (await view.get(path)).status;
  expect(await status(`/api/runs/${RUN}/search?${'text=a&'.repeat(21)}`)).toBe(400);
  expect(await status(`/api/runs/${RUN}/snippets?index=x`)).toBe(400);
  expect(
    await status(`/api/runs/${RUN}/snippets?index=${Array.from({ length: 201 }, () => '1').join(',')}`),
  ).toBe(400);
  expect(await status(`/api/runs/${RUN}/search/1`)).toBe(404);
  expect(await status('/api/runs/nothing/search?text=a')).toBe(404);
});

test('a running run is searched as far as it has got', async () => {
  const live = '20260101T000000-000-0000000b';
  const journal = writeRun(project.path, { run_id: live, records: records.slice(0, 2) });
  const whole = readFileSync(journal, 'utf8');
  expect(
    (await view.json<{ matches: number[][] }>(`/api/runs/${live}/search?text=question`)).matches,
  ).toEqual([[0, 1]]);
  writeRun(project.path, { run_id: live, records });
  expect(readFileSync(join(journal), 'utf8').startsWith(whole)).toBe(true);
  expect(
    (await view.json<{ matches: number[][] }>(`/api/runs/${live}/search?text=question`)).matches,
  ).toEqual([[0, 1, 2, 3, 4]]);
});

test('rows have what a list can filter by', async () => {
  const rows = (await (await view.get(`/api/runs/${RUN}/results`)).text()).trim().split('\n');
  const [first, second] = rows.map((row) => JSON.parse(row) as ResultRow);
  expect(first).toMatchObject({ error_kind: 'timeout', problem: 'too slow' });
  expect(second!.evaluators).toEqual([{ name: 'tone', kind: 'llm_judge', score: 0.2, passed: false }]);
  expect(second!.metadata_fields).toEqual([
    ['team', 'payments'],
    ['owner.name', 'Ada'],
    ['langs', 'de'],
    ['langs', 'en'],
  ]);
});
