// The aggregator of a composite: the results of its evaluators on stdin, one score on stdout.
import { readFileSync } from 'node:fs';

const { results } = JSON.parse(readFileSync(0, 'utf8'));
const scores = Object.values(results).map(({ score }) => score);
console.log(JSON.stringify({ score: Math.min(...scores), reasoning: 'the worst of them counts' }));
