import { defineEvaluator } from 'assay';

/** The schema gives `limit` its type here, and its check in suites. */
export const maxWords = defineEvaluator({
  name: 'max_words',
  doc: 'The output has at most this many words.',
  schema: {
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1 } },
    required: ['limit'],
  },
  example: ({ limit }) => ({ pass: 'yes', fail: 'word '.repeat(limit + 1) }),
  evaluate({ limit }, { output }) {
    const words = output.trim().split(/\s+/).length;
    return { score: words <= limit ? 1 : limit / words, reasoning: `${words} words` };
  },
});

/** Unknown calls are null: then this throws, and the test is an error instead of a pass. */
export const looksUpFirst = defineEvaluator({
  name: 'looks_up_first',
  doc: 'The order was looked up before money was paid back.',
  evaluate(_config, { tools_used }) {
    if (tools_used === null) throw new Error('the agent did not report its tools');
    return tools_used.indexOf('find_order') < tools_used.indexOf('refund');
  },
});
