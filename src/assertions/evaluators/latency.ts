import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { milliseconds } from './limits.ts';

export const latency = defineEvaluator({
  kind: 'latency',
  doc: 'The reply took no longer than this.',
  example: { threshold: 5000 },
  reads: ['duration'],
  isBinary: true,
  fields: {
    threshold: {
      schema: milliseconds,
      doc: 'A time: `2s`, `500ms`, or a number of milliseconds.',
      missing: 'missing_threshold',
    },
  },
  evaluate({ threshold: limit }, { durationMs }) {
    const message = `the reply took ${durationMs} ms, but the limit is ${limit} ms`;
    return { score: durationMs <= limit ? 1 : 0, message, expected: limit, actual: durationMs };
  },
  oracle: () => ({}),
});
