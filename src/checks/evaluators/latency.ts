import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { unmeasured } from '../unmeasured.ts';
import { expectedAtMost, milliseconds, usageProblem } from './limits.ts';

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
  evaluate({ threshold: limit }, { durationMs, reply }) {
    const problem = usageProblem([{ name: 'max_duration_ms', limit, measured: durationMs }], reply);
    if (problem !== undefined) return unmeasured(problem);
    if (durationMs === undefined) return unmeasured('it is not known how long the reply took');
    const message = expectedAtMost(limit, durationMs, 'ms');
    return { score: durationMs <= limit ? 1 : 0, message, expected: limit, actual: durationMs };
  },
  oracle: () => ({}),
});
