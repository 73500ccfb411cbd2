import type { Json, JsonObject } from '../../src/base/model/json.ts';

export type Reply = string | JsonObject;

interface EvaluatorExample {
  /** The keys besides `type`. */
  readonly evaluator: JsonObject;
  readonly expected?: Json;
  readonly passes: Reply;
  readonly fails: Reply;
  /** What the judge answers about each of the two replies. */
  readonly judge?: { readonly passes: JsonObject; readonly fails: JsonObject };
}

const judged = (score: number, reasoning: string): JsonObject => ({
  reasoning,
  evidence: [],
  hits: [],
  misses: [],
  score,
});
const checked = (satisfied: boolean): JsonObject => ({
  checks: [
    { id: 'day', satisfied, reasoning: satisfied ? 'It says Friday.' : 'It gives no day.', evidence: [] },
  ],
});
const calls = (...tool_calls: readonly JsonObject[]): JsonObject => ({
  output: 'It has shipped.',
  tool_calls,
});

/** For each evaluator, a reply that passes and one that fails: docs/reference/evaluators.md shows them, and a test runs them. */
export const EVALUATOR_EXAMPLES: Readonly<Record<string, EvaluatorExample>> = {
  contains: {
    evaluator: { value: 'Friday' },
    passes: 'It arrives on Friday.',
    fails: 'It arrives on friday.',
  },
  contains_all: {
    evaluator: { value: ['shipped', 'Friday'] },
    passes: 'It has shipped and arrives on Friday.',
    fails: 'It has shipped.',
  },
  contains_any: {
    evaluator: { value: ['shipped', 'delivered'] },
    passes: 'It was delivered.',
    fails: 'It is being packed.',
  },
  icontains: { evaluator: { value: 'friday' }, passes: 'It arrives on Friday.', fails: 'It arrives soon.' },
  icontains_all: {
    evaluator: { value: ['shipped', 'friday'] },
    passes: 'SHIPPED. Arrives on Friday.',
    fails: 'SHIPPED.',
  },
  icontains_any: {
    evaluator: { value: ['shipped', 'delivered'] },
    passes: 'Delivered!',
    fails: 'It is being packed.',
  },
  starts_with: {
    evaluator: { value: 'Your order' },
    passes: 'Your order has shipped.',
    fails: 'It has shipped.',
  },
  ends_with: {
    evaluator: { value: '?' },
    passes: 'Which order do you mean?',
    fails: 'Please tell me the order.',
  },
  equals: { evaluator: { value: 'shipped' }, passes: 'shipped', fails: 'Shipped.' },
  regex: {
    evaluator: { value: String.raw`order [A-Z]\d+`, flags: 'i' },
    passes: 'Your Order A1 has shipped.',
    fails: 'Your order has shipped.',
  },
  is_json: {
    evaluator: { schema: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } } },
    passes: '{"total": 74}',
    fails: '{"total": "74"}',
  },
  match: {
    evaluator: {},
    expected: { order: 'A1', status: 'shipped' },
    passes: '{"status": "shipped", "order": "A1"}',
    fails: '{"status": "packed", "order": "A1"}',
  },
  field_accuracy: {
    evaluator: {
      fields: [
        { path: 'total', match: 'numeric_tolerance', tolerance: 0.5, weight: 2 },
        { path: 'arrives', match: 'date', formats: ['DD.MM.YYYY', 'YYYY-MM-DD'] },
        { path: 'carrier', match: 'exact', required: false },
      ],
    },
    expected: { total: 74, arrives: '2026-11-20', carrier: 'DHL' },
    passes: '{"total": 74.2, "arrives": "20.11.2026"}',
    fails: '{"total": 80, "arrives": "20.11.2026"}',
  },
  tool_trajectory: {
    evaluator: {
      mode: 'in_order',
      expected: [{ tool: 'find_order', args: { id: 'A1' } }, { tool: 'track' }],
      forbidden: ['refund'],
    },
    passes: calls(
      { tool: 'find_order', input: { id: 'A1' } },
      { tool: 'log', input: {} },
      { tool: 'track', input: {} },
    ),
    fails: calls({ tool: 'track', input: {} }, { tool: 'find_order', input: { id: 'A1' } }),
  },
  skill_used: {
    evaluator: { value: 'pdf' },
    passes: calls({ tool: 'Skill', input: { skill: 'pdf' } }),
    fails: calls({ tool: 'Read', input: { file_path: 'skills/csv/SKILL.md' } }),
  },
  memory: {
    evaluator: { path: 'order.status', equals: 'shipped' },
    passes: { output: 'It has shipped.', memory: { order: { status: 'shipped' } } },
    fails: { output: 'It has shipped.', memory: { order: { status: 'packed' } } },
  },
  latency: {
    evaluator: { threshold: '2s' },
    passes: { output: 'It has shipped.', duration_ms: 850 },
    fails: { output: 'It has shipped.', duration_ms: 2500 },
  },
  cost: {
    evaluator: { budget: 0.01 },
    passes: { output: 'It has shipped.', cost_usd: 0.004 },
    fails: { output: 'It has shipped.', cost_usd: 0.03 },
  },
  token_usage: {
    evaluator: { max_total: 1000, max_output: 200 },
    passes: { output: 'It has shipped.', token_usage: { input: 600, output: 40 } },
    fails: { output: 'It has shipped.', token_usage: { input: 600, output: 400 } },
  },
  execution_metrics: {
    evaluator: { max_tool_calls: 2, max_cost_usd: 0.01 },
    passes: { ...calls({ tool: 'find_order', input: { id: 'A1' } }), cost_usd: 0.004 },
    fails: {
      ...calls({ tool: 'find_order', input: {} }, { tool: 'track', input: {} }, { tool: 'track', input: {} }),
      cost_usd: 0.004,
    },
  },
  llm_judge: {
    evaluator: {},
    passes: 'It arrives on Friday.',
    fails: 'I do not know.',
    judge: { passes: judged(1, 'It gives the day.'), fails: judged(0, 'It gives no day.') },
  },
  rubric: {
    evaluator: { rubrics: [{ id: 'day', expected_outcome: 'Gives the day of arrival' }] },
    passes: 'It arrives on Friday.',
    fails: 'It arrives soon.',
    judge: { passes: checked(true), fails: checked(false) },
  },
  code_judge: {
    evaluator: { script: `grep -q '"candidate_answer":"yes' && echo '{"score":1}' || echo '{"score":0}'` },
    passes: 'yes, it has shipped',
    fails: 'no',
  },
  composite: {
    evaluator: {
      evaluators: [
        { type: 'contains', value: 'shipped', name: 'status' },
        { type: 'ends_with', value: '!', name: 'tone' },
      ],
      aggregator: { type: 'weighted_average', weights: { status: 4, tone: 1 } },
    },
    passes: 'It has shipped.',
    fails: 'Great question!',
  },
};
