import { describe, expect, test } from 'vitest';
import { COMPLETE, parseCase, summary } from './parse-case.ts';

/** The evaluators of one case, and what is wrong with them. */
function read(assertions: unknown) {
  const { test: parsed, findings } = parseCase({ ...COMPLETE, assertions }, 'yaml');
  const evaluators = parsed?.steps[0]!.assertions.map(
    ({ kind, name, weight, required, negate, parameters }) => {
      return { kind, name, weight, required, negate, ...parameters };
    },
  );
  return { evaluators, findings: findings.map(summary), all: findings };
}

const PLAIN = { weight: 1, required: false, negate: false };

describe('evaluators of newer AgentV files', () => {
  test.each([
    [{ type: 'is-json' }, { kind: 'is_json' }],
    [
      { type: 'starts-with', value: 'a' },
      { kind: 'starts_with', value: 'a', trim: true },
    ],
    [
      { type: 'icontains-any', value: ['a'] },
      { kind: 'icontains_any', value: ['a'], lowercase: true },
    ],
    [
      { type: 'icontains_all', value: ['a'] },
      { kind: 'icontains_all', value: ['a'] },
    ],
    [
      { type: 'execution-metrics', max_tokens: 5 },
      { kind: 'execution_metrics', max_tokens: 5 },
    ],
    [
      { type: 'contains', value: 'a', metric: 'm' },
      { kind: 'contains', value: 'a', name: 'm' },
    ],
    [
      { type: 'contains', value: 'a', id: 'HAS_A' },
      { kind: 'contains', value: 'a', name: 'HAS_A' },
    ],
    [
      { type: 'not-contains', value: 'a' },
      { kind: 'contains', value: 'a', negate: true },
    ],
    [
      { type: 'not-icontains-any', value: ['a'] },
      { kind: 'icontains_any', value: ['a'], lowercase: true, negate: true },
    ],
    [
      { type: 'contains', value: 'a', required: true, min_score: 0.9 },
      { kind: 'contains', value: 'a', required: 0.9 },
    ],
    [
      { type: 'contains', value: 'a', required: true, min_score: 0 },
      { kind: 'contains', value: 'a', required: true },
    ],
    [
      { type: 'llm-grader', prompt: 'file://a.md' },
      { kind: 'llm_judge', prompt: 'file://a.md' },
    ],
    [
      { type: 'llm_grader', target: 'j' },
      { kind: 'llm_judge', target: 'j' },
    ],
    [
      { type: 'llm-rubric', value: 'Is kind' },
      { kind: 'llm_judge', rubrics: ['Is kind'], share: true },
    ],
    [
      { type: 'llm-rubric', value: [{ outcome: 'Is kind', weight: 2 }], provider: 'j' },
      {
        kind: 'llm_judge',
        rubrics: [{ expected_outcome: 'Is kind', weight: 2 }],
        share: true,
        target: 'j',
      },
    ],
    [
      { type: 'rubrics', criteria: ['Is kind', { id: 'b', criteria: 'Is short', required: false }] },
      {
        kind: 'rubric',
        rubrics: ['Is kind', { id: 'b', expected_outcome: 'Is short', required: false }],
        share: true,
      },
    ],
    [
      { type: 'code-grader', command: ['node', 'x'], config: { a: 1 }, b: 2 },
      { kind: 'code_judge', script: ['node', 'x'], config: { a: 1, b: 2 }, stdin: 'agentv' },
    ],
    [
      { type: 'script', command: 'node x', metric: 'm', provider: { max_calls: 2 } },
      { kind: 'code_judge', script: 'node x', name: 'm', target: { max_calls: 2 }, stdin: 'agentv' },
    ],
    // The old spelling keeps its meaning: an unknown key, also one called `config`, is configuration.
    [
      { type: 'code_judge', script: ['x'], command: ['y'], config: { a: 1 } },
      { kind: 'code_judge', script: ['x'], config: { command: ['y'], config: { a: 1 } } },
    ],
    [
      { type: 'tool-trajectory', mode: 'superset', expected: [{ tool: 't', args: { a: 1 } }] },
      {
        kind: 'tool_trajectory',
        mode: 'superset',
        expected: [{ tool: 't', args: { a: 1 } }],
        args_match: 'exact',
      },
    ],
    [
      { type: 'tool-trajectory', mode: 'superset', expected: [{ tool: 't' }], negate: true },
      { kind: 'tool_trajectory', forbidden: ['t'] },
    ],
    [
      { type: 'trajectory:tool-used', value: ['a', 'b'] },
      { kind: 'tool_trajectory', minimums: { a: 1, b: 1 }, ignore_case: true },
    ],
    [
      { type: 'trajectory:tool-used', value: { name: 'a', min: 2, max: 3 } },
      { kind: 'tool_trajectory', minimums: { a: 2 }, maximums: { a: 3 }, ignore_case: true },
    ],
    [
      { type: 'not-trajectory:tool-used', value: ['a'] },
      { kind: 'tool_trajectory', forbidden: ['a'], ignore_case: true },
    ],
    [
      { type: 'not-trajectory:tool-used', value: { pattern: 'a', min: 3 } },
      { kind: 'tool_trajectory', maximums: { a: 2 }, ignore_case: true },
    ],
    [
      { type: 'trajectory:tool-sequence', value: { mode: 'exact', steps: ['a', { name: 'b' }] } },
      { kind: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a' }, { tool: 'b' }], ignore_case: true },
    ],
    [
      { type: 'trajectory:tool-args-match', value: { name: 'a', args: { x: { y: 1 } } } },
      {
        kind: 'tool_trajectory',
        mode: 'any_order',
        expected: [{ tool: 'a', args: { x: { y: 1 } }, args_match: 'deep_partial' }],
        ignore_case: true,
      },
    ],
  ])('%j', (authored, expected) => {
    const { evaluators, findings } = read([authored]);
    expect(findings).toEqual([]);
    expect(evaluators).toEqual([{ name: expected.kind, ...PLAIN, ...expected }]);
  });

  test('texts become one evaluator with a rubric for each, all of equal weight', () => {
    const { evaluators, findings } = read(['Is kind', { type: 'contains', value: 'a' }, ' Is short ']);
    expect(findings).toEqual([]);
    expect(evaluators).toMatchObject([
      { kind: 'rubric', weight: 2, rubrics: ['Is kind', 'Is short'] },
      { kind: 'contains', weight: 1 },
    ]);
  });

  test('a set becomes a composite whose members keep their weights', () => {
    const members = [
      { type: 'contains', value: 'a', weight: 3, metric: 'a' },
      { type: 'not-contains', value: 'b' },
    ];
    const { evaluators, findings } = read([{ type: 'assert-set', threshold: 0.5, assert: members }]);
    expect(findings).toEqual([]);
    expect(evaluators).toMatchObject([
      {
        kind: 'composite',
        aggregator: { type: 'weighted_average', weights: { a: 3 }, threshold: 0.5 },
        evaluators: [{ name: 'a' }, { name: 'contains', negate: true }],
      },
    ]);
  });

  test.each([
    [
      'negated twice',
      { type: 'not-contains', value: 'a', negate: true },
      'error negate assertions[0].negate',
    ],
    ['a negated judge', { type: 'not-llm-grader' }, 'error negate assertions[0].type'],
    [
      'an order that is negated',
      { type: 'tool-trajectory', mode: 'in_order', expected: [{ tool: 'a' }, { tool: 'b' }], negate: true },
      'error negate assertions[0].type',
    ],
    ['a command that is a number', { type: 'script', command: 5 }, 'error type assertions[0].command'],
    ['rubrics without criteria', { type: 'rubrics' }, 'error missing_rubrics assertions[0].criteria'],
    [
      'an unknown key',
      { type: 'icontains-any', value: ['a'], valeu: 1 },
      'error unknown_field assertions[0].valeu',
    ],
    ['a set of nothing', { type: 'assert-set', assert: [] }, 'error empty assertions[0].assert'],
    [
      'a threshold without a number',
      { type: 'composite', assertions: ['a b'], aggregator: { type: 'threshold' } },
      'error missing_value assertions[0].aggregator',
    ],
  ])('%s is an error at its place', (_name, authored, finding) => {
    const { evaluators, findings } = read([authored]);
    expect(findings).toContain(finding);
    expect(evaluators).toBeUndefined();
  });

  test.each([
    [{ type: 'similar', value: 'a' }, 'assertions[0].type', 'similar'],
    ['ref://tone', 'assertions[0]', 'ref://tone'],
    [{ type: 'llm-grader', prompt: 'ref://tone' }, 'assertions[0].prompt', 'ref://tone'],
    [{ type: 'llm-grader', temperature: 1 }, 'assertions[0].temperature', 'temperature'],
    [{ type: 'trajectory:tool-used', value: 'get_*' }, 'assertions[0].value', 'get_*'],
    [{ type: 'contains', value: 'a', min_score: 0.5 }, 'assertions[0].min_score', 'min_score'],
    [
      { type: 'rubrics', criteria: [{ outcome: 'a', operator: 'contradiction' }] },
      'assertions[0].criteria[0].operator',
      'operator',
    ],
  ])('%j is reported as unsupported, and the test is still shown', (authored, path, feature) => {
    const { evaluators, all } = read([authored]);
    expect(all).toMatchObject([{ severity: 'error', code: 'unsupported_feature', path }]);
    expect(all[0]!.message).toContain(feature);
    expect(all[0]!.hint).toBeDefined();
    expect(evaluators).toHaveLength(1);
  });

  test('templates of evaluators are not supported', () => {
    expect(read([{ include: 'safety' }]).findings).toContain(
      'error unsupported_feature assertions[0].include',
    );
  });
});
