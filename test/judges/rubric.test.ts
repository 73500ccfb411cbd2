import { describe, expect, test } from 'vitest';
import { rubric } from '../../src/checks/evaluators/rubric.ts';
import { createJudge } from '../../src/checks/judges/create-judge.ts';
import type { AssertionOutcome } from '../../src/base/model/evidence.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import { NOWHERE, Reader } from '../../src/base/schema/reader.ts';
import type { JudgeRequest } from '../../src/checks/contract/judge.ts';
import { startModelServer } from '../servers/model-server.ts';
import { evidenceOf } from './evidence.ts';

const check = (id: string, satisfied: boolean): JsonObject => ({
  id,
  reasoning: `about ${id}`,
  evidence: ['Paris'],
  satisfied,
});
const scored = (id: string, score: number): JsonObject => ({
  id,
  reasoning: `about ${id}`,
  evidence: [],
  score,
});

const refuse = (): Promise<never> => Promise.reject(new Error('not used'));

/** All tools but the judge: a rubric uses none of them. */
const UNUSED_TOOLS = {
  readFile: refuse,
  findFile: (path: string) => ({ path, inProject: path }),
  ask: refuse,
  judgeNames: refuse,
  checkSchema: refuse,
  runScript: refuse,
  loadEvaluator: refuse,
  evaluateAll: refuse,
};

/** The outcome of an answer that no judge of Assay has checked. */
const outcomeOf = (answer: Json) =>
  rubric.evaluate({ rubrics: ['x'] }, evidenceOf(), {
    signal: new AbortController().signal,
    ...UNUSED_TOOLS,
    assess: () => Promise.resolve({ answer, model: 'm' }),
  });

/** The outcome of authored rubrics and an answer. */
async function judge(
  rubrics: readonly Json[],
  answer: Json,
): Promise<{ outcome: AssertionOutcome; body: { messages: { content: string }[] } }> {
  const reader = new Reader(NOWHERE);
  const parameters = rubric.schema.read({ type: 'rubric', rubrics }, reader) as JsonObject;
  expect(reader.errorCount).toBe(0);
  const server = await startModelServer([{ text: JSON.stringify(answer) }]);
  const { signal } = new AbortController();
  const model = createJudge(
    {
      name: 'judge',
      provider: 'openai',
      model: 'j',
      api_key: 'sk-judge',
      base_url: `${server.url}/v1`,
      api: 'chat',
    },
    { env: {} },
  );
  const tools = {
    signal,
    ...UNUSED_TOOLS,
    assess: (request: JudgeRequest) => model.assess(request, { signal }),
  };
  try {
    const outcome = await rubric.evaluate(parameters, evidenceOf({ expected_outcome: undefined }), tools);
    // An unusable answer is requested twice more.
    expect(server.requests).toHaveLength('error' in outcome ? 3 : 1);
    return { outcome, body: server.requests[0]!.body };
  } finally {
    await server.close();
  }
}

describe('a checklist', () => {
  test('scores the weighted share of rubrics that hold', async () => {
    const rubrics = [
      { id: 'a', expected_outcome: 'names Paris', weight: 3, required: false },
      { id: 'b.c', description: 'is polite', required: false },
    ];
    const { outcome, body } = await judge(rubrics, { checks: [check('b.c', false), check('a', true)] });
    expect(outcome).toMatchObject({
      score: 0.75,
      message: '1 of 2 rubrics hold, a weighted share of 0.75: b.c (is polite): about b.c',
      hits: ['a (names Paris): about a'],
      misses: ['b.c (is polite): about b.c'],
      details: {
        share: 0.75,
        rubrics: [
          { id: 'a', weight: 3, satisfied: true, evidence: [{ quote: 'Paris', found: true }] },
          { id: 'b.c', satisfied: false },
        ],
      },
    });
    expect(body.messages.at(-1)!.content).toContain('"expected_outcome": "is polite"');
  });

  test('every rubric is required by default, and others cannot make up for it', async () => {
    const { outcome } = await judge(['names Paris', 'is polite'], {
      checks: [check('rubric-1', true), check('rubric-2', false)],
    });
    expect(outcome).toMatchObject({
      score: 0,
      message: expect.stringContaining('required, but not held: "rubric-2"'),
      details: { share: 0.5 },
    });
  });

  test('scores 1 if everything holds', async () => {
    expect(
      (await judge(['a', 'b'], { checks: [check('rubric-1', true), check('rubric-2', true)] })).outcome,
    ).toMatchObject({ score: 1 });
  });

  test('weights of 0 score 0', async () => {
    expect(
      (await judge([{ id: 'a', expected_outcome: 'x', weight: 0 }], { checks: [check('a', true)] })).outcome,
    ).toMatchObject({ score: 0 });
  });
});

describe('scores of 0 to 10', () => {
  const ranges = { 0: 'wrong', 5: 'close', 9: 'right' };

  test('count as tenths, and their ranges are explained to the judge', async () => {
    const { outcome, body } = await judge(
      [
        { id: 'a', score_ranges: ranges },
        { id: 'b', expected_outcome: 'x', required: false },
      ],
      {
        checks: [check('b', true)],
        scores: [scored('a', 6)],
      },
    );
    expect(outcome).toMatchObject({
      score: 0.8,
      details: {
        rubrics: [
          { id: 'a', score: 6 },
          { id: 'b', satisfied: true },
        ],
      },
    });
    expect(
      JSON.stringify(JSON.parse(/\[[\s\S]*\]/.exec(body.messages.at(-1)!.content)![0])[0].score_ranges),
    ).toBe(
      '[{"from":0,"to":4,"expected_outcome":"wrong"},{"from":5,"to":8,"expected_outcome":"close"},{"from":9,"to":10,"expected_outcome":"right"}]',
    );
  });

  test.each([
    [{ required: true }, 9, 0],
    [{ required: true }, 10, 1],
    [{ required_min_score: 7 }, 6, 0],
    [{ required_min_score: 7 }, 7, 0.7],
    [{}, 3, 0.3],
    [{}, 0, 0],
  ])('%j with %d scores %d', async (item, given, score) => {
    const list = [
      { score_range: [0, 4], expected_outcome: 'wrong' },
      { score_range: [5, 10], expected_outcome: 'right' },
    ];
    const { outcome } = await judge([{ id: 'a', score_ranges: list, ...item }], {
      scores: [scored('a', given)],
    });
    expect(outcome).toMatchObject({ score });
  });
});

describe('an answer that does not fit the rubrics is an error', () => {
  test.each([
    [11, 'the score of the rubric "a" is 11, but must be from 0 to 10'],
    [-1, 'but must be from 0 to 10'],
    [6.5, 'must be integer'],
  ])('a score of %d', async (score, words) => {
    const { outcome } = await judge([{ id: 'a', score_ranges: { 0: 'wrong', 5: 'right' } }], {
      scores: [scored('a', score)],
    });
    expect(outcome).toMatchObject({ error: { kind: 'judge', message: expect.stringContaining(words) } });
  });

  test.each([
    ['skipped', { checks: [check('a', true)] }, 'did not answer the rubric "b"'],
    [
      'answered twice',
      { checks: [check('a', true), check('a', false), check('b', true)] },
      'answered the rubric "a" twice',
    ],
    [
      'unknown',
      { checks: [check('a', true), check('b', true), check('c', true)] },
      'must be equal to one of the allowed values',
    ],
    [
      'no verdict',
      { checks: [check('a', true), { ...check('b', true), satisfied: 'yes' }] },
      'must be boolean',
    ],
  ])('%s', async (_name, answer, words) => {
    const { outcome } = await judge(
      [
        { id: 'a', expected_outcome: 'x' },
        { id: 'b', expected_outcome: 'y' },
      ],
      answer,
    );
    expect(outcome).toMatchObject({ error: { kind: 'judge', message: expect.stringContaining(words) } });
  });

  test('even if it was not checked before the evaluator', async () => {
    expect(await outcomeOf({ checks: [check('other', true)] })).toMatchObject({
      error: { message: 'the judge answered the rubric "other", which does not exist' },
    });
    expect(await outcomeOf({ checks: [{ id: 'rubric-1' }] })).toMatchObject({ error: { kind: 'judge' } });
    expect(await outcomeOf(null)).toMatchObject({ error: { kind: 'judge' } });
  });
});

test('two rubrics with one id, or a minimum score without ranges, are findings', () => {
  const reader = new Reader(NOWHERE);
  rubric.schema.read(
    {
      type: 'rubric',
      rubrics: [
        { id: 'a', expected_outcome: 'x' },
        { id: 'a', expected_outcome: 'y', required_min_score: 3 },
      ],
    },
    reader,
  );
  expect(reader.findings.map(({ code, path }) => [code, path])).toEqual([
    ['without_effect', 'rubrics[1].required_min_score'],
    ['duplicate_id', 'rubrics[1].id'],
  ]);
});
