import type { Json, JsonObject } from '../../base/model/json.ts';
import { objectIn, scoreIn, textIn, textsIn } from './answer-fields.ts';
import type { CheckedQuote } from './quotes.ts';

export const MAX_POINTS = 4;

/**
 * The form of a judge's reply. Reasoning comes first: models write in this order, and defend a verdict once they
 * have given it.
 */
export const VERDICT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    reasoning: { type: 'string', description: 'Why, step by step, before anything is decided.' },
    evidence: {
      type: 'array',
      items: { type: 'string' },
      description: 'Short quotes, copied exactly from the material.',
    },
    hits: {
      type: 'array',
      items: { type: 'string' },
      description: 'What speaks for the answer: at most four short points.',
    },
    misses: {
      type: 'array',
      items: { type: 'string' },
      description: 'What speaks against it: at most four short points.',
    },
    score: { type: 'number', description: 'From 0 (fails completely) to 1 (fully achieved).' },
  },
  required: ['reasoning', 'evidence', 'hits', 'misses', 'score'],
  additionalProperties: false,
};

/** The result of one reply of a judge, for any question. */
export interface JudgedSample {
  readonly score: number;
  readonly message: string;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly quotes: readonly CheckedQuote[];
  readonly details: JsonObject;
}

export function readVerdict(
  answer: Json,
  check: (quotes: readonly string[]) => readonly CheckedQuote[],
): JudgedSample {
  const verdict = objectIn(answer, 'the answer');
  const score = scoreIn(verdict, 1);
  const reasoning = textIn(verdict, 'reasoning');
  const quotes = check(textsIn(verdict, 'evidence'));
  return {
    score,
    message: reasoning === '' ? `the judge gave no reason for ${score}` : reasoning,
    hits: textsIn(verdict, 'hits').slice(0, MAX_POINTS),
    misses: textsIn(verdict, 'misses').slice(0, MAX_POINTS),
    quotes,
    details: { score, reasoning, evidence: quotes },
  };
}
