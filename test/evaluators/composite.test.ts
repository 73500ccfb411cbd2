import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/model/json.ts';
import { errorOf, judgeWith, measure, read } from './evidence.ts';

const yes = { type: 'contains', value: 'a', name: 'yes' };
const no = { type: 'contains', value: 'z', name: 'no' };
const broken = { type: 'cost', budget: 1, name: 'broken' };
const reply = { output: 'abc' };

function composite(evaluators: readonly JsonObject[], aggregator?: JsonObject): JsonObject {
  return { type: 'composite', evaluators, ...(aggregator === undefined ? {} : { aggregator }) };
}

describe('composite', () => {
  it.each([
    [undefined, 1 / 2],
    [{ type: 'weighted_average' }, 1 / 2],
    [{ type: 'weighted_average', weights: { yes: 3 } }, 3 / 4],
    [{ type: 'weighted_average', weights: { no: 0 } }, 1],
    [{ type: 'weighted_average', weights: { yes: 0, no: 0 } }, 0],
  ])('averages with %j', async (aggregator, score) => {
    expect((await measure(composite([yes, no], aggregator), { reply })).score).toBe(score);
  });

  it('uses only the weights of the aggregator', async () => {
    expect((await measure(composite([{ ...yes, weight: 9 }, no]), { reply })).score).toBe(1 / 2);
  });

  it('inverts a negated evaluator', async () => {
    expect((await measure(composite([yes, { ...no, negate: true }]), { reply })).score).toBe(1);
  });

  it('keeps the warnings of its members', async () => {
    const timed = {
      type: 'tool_trajectory',
      mode: 'in_order',
      expected: [
        { tool: 'a', max_duration_ms: 9 },
        { tool: 'b', max_duration_ms: 9 },
      ],
    };
    const tool_calls = [{ tool: 'a', duration_ms: 1 }, { tool: 'b' }];
    const nested = composite([yes, { ...composite([timed]), name: 'inner' }]);
    const given = { reply: { ...reply, tool_calls } };
    expect(await measure(nested, given)).toMatchObject({ score: 1, warnings: [{ code: 'no_duration' }] });
    expect((await measure(composite([yes]), given)).warnings).toBeUndefined();
  });

  it('can be nested', async () => {
    const inner = { ...composite([yes, no]), name: 'inner' };
    expect((await measure(composite([inner, yes]), { reply })).score).toBe(3 / 4);
  });

  it('explains itself', async () => {
    const outcome = await measure(composite([yes, no]), { reply });
    expect(outcome.hits).toEqual(['yes: 1, the output contains the text']);
    expect(outcome.misses).toEqual(['no: 0, expected "z", got "abc"']);
    expect(outcome.details).toEqual({
      results: {
        yes: { score: 1, verdict: 'pass', hits: [], misses: [], reasoning: 'the output contains the text' },
        no: {
          score: 0,
          verdict: 'fail',
          hits: [],
          misses: [],
          reasoning: 'expected "z", got "abc"',
        },
      },
    });
  });

  it('is an error if a member is, unless that member has weight 0', async () => {
    expect(await errorOf(composite([yes, broken]), { reply })).toContain('broken: the agent did not report');
    const weights = { type: 'weighted_average', weights: { broken: 0 } };
    const outcome = await measure(composite([yes, broken], weights), { reply });
    expect(outcome).toMatchObject({
      score: 1,
      misses: [expect.stringMatching(/^broken: not measured \(weight 0\), the agent did not report/)],
      details: { results: { yes: { verdict: 'pass' }, broken: { verdict: 'not measured' } } },
      warnings: [
        { code: 'not_measured', message: expect.stringContaining('`broken` could not be measured') },
      ],
    });
    expect(await errorOf(composite([yes, { ...broken, weight: 0 }]), { reply })).toContain('broken');
    expect(await errorOf(composite([{ ...composite([broken]), name: 'inner' }]), { reply })).toContain(
      'inner: broken:',
    );
  });

  it('lets a script decide', async () => {
    const program = `let t = ''; process.stdin.on('data', (d) => (t += d)).on('end', () => {
      const { results } = JSON.parse(t);
      console.log(JSON.stringify({ score: Object.values(results).every((r) => r.verdict === 'pass') ? 1 : 0.25, reasoning: Object.keys(results).join() }));
    });`;
    const aggregator = { type: 'code_judge', script: [process.execPath, '-e', program] };
    expect(await measure(composite([yes, no], aggregator), { reply })).toMatchObject({
      score: 0.25,
      message: 'yes,no',
    });
    expect((await measure(composite([yes, yes], aggregator), { reply })).score).toBe(1);
    expect(
      await errorOf(composite([yes], { type: 'code_judge', script: 'cat > /dev/null; exit 2' }), { reply }),
    ).toContain('exit code 2');
    expect(
      (
        await measure(
          composite([yes], { type: 'code_judge', path: `cat > /dev/null; echo '{"score":0.5}'` }),
          { reply },
        )
      ).score,
    ).toBe(0.5);
  });

  it('lets a model decide', async () => {
    const judge = judgeWith({
      reasoning: 'half good',
      hits: ['1', '2', '3', '4', '5'],
      misses: [],
      score: 1,
    });
    const prompt = 'Results: {{ EVALUATOR_RESULTS_JSON }} $& {{question}}';
    const tricky = { type: 'equals', value: 'x', name: '{{EVALUATOR_RESULTS_JSON}}' };
    const outcome = await measure(composite([tricky], { type: 'llm_judge', prompt }), { reply }, judge);
    expect(outcome.score).toBe(1);
    expect(outcome.hits).toHaveLength(4);
    expect(judge.asked).toHaveLength(1);
    expect(judge.asked[0]!.prompt).toBe(
      'Results: {\n  "{{EVALUATOR_RESULTS_JSON}}": {\n    "score": 0,\n    "verdict": "fail",\n    "hits": [],\n    "misses": [],\n    "reasoning": "expected \\"x\\", got \\"abc\\""\n  }\n} $& {{question}}',
    );
  });

  it('is an error if the model does not answer or its prompt lacks the results', async () => {
    const aggregator = { type: 'llm_judge', prompt: '{{EVALUATOR_RESULTS_JSON}}' };
    expect(await errorOf(composite([yes], aggregator), { reply })).toContain('no judge is configured');
    expect(await errorOf(composite([yes], aggregator), { reply }, judgeWith({ reasoning: 'x' }))).toContain(
      'has no `score`',
    );
    expect(await errorOf(composite([yes], aggregator), { reply }, judgeWith({ score: 3 }))).toContain(
      'must be from 0 to 1',
    );
    expect(
      await errorOf(
        composite([yes], { type: 'code_judge', script: `cat > /dev/null; echo '{"score": 3}'` }),
        { reply },
      ),
    ).toContain('must be from 0 to 1');
    expect(
      await errorOf(
        composite([yes], { type: 'llm_judge', prompt: 'be fair' }),
        { reply },
        judgeWith({ score: 1 }),
      ),
    ).toContain('does not show the results');
    expect(
      (await measure(composite([yes], { type: 'llm_judge' }), { reply }, judgeWith({ score: 1 }))).score,
    ).toBe(1);
  });

  it('is validated when the file is read', () => {
    expect(() => read(composite([]))).toThrow('checks nothing');
    expect(() => read(composite([yes], { type: 'weighted_average', weights: { yse: 1 } }))).toThrow(
      'unknown_name',
    );
    expect(() => read(composite([yes], { type: 'code_judge' }))).toThrow('missing_script');
  });
});
