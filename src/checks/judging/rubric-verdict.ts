import { isJsonList, type Json, type JsonObject } from '../../base/model/json.ts';
import { objectIn, scoreIn, textIn, textsIn } from './answer-fields.ts';
import { JudgingProblem } from './judging-problem.ts';
import type { CheckedQuote } from './quotes.ts';
import type { RubricItem } from './rubric-items.ts';
import { MAX_POINTS, type JudgedSample } from './verdict.ts';
import { withMisses } from '../with-misses.ts';
import { formatScore } from '../../base/model/score-text.ts';

/** Lists, not a map from id to answer: ids are written by users, and no provider accepts every string as a key. */
export function rubricSchema(rubrics: readonly RubricItem[]): JsonObject {
  const checked = rubrics.filter(({ ranges }) => ranges === undefined);
  const scored = rubrics.filter(({ ranges }) => ranges !== undefined);
  const properties: Record<string, JsonObject> = {};
  if (checked.length > 0) properties['checks'] = answersSchema(checked, { satisfied: { type: 'boolean' } });
  if (scored.length > 0) {
    properties['scores'] = answersSchema(scored, {
      score: { type: 'integer', description: 'From 0 to 10.' },
    });
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function answersSchema(rubrics: readonly RubricItem[], verdict: JsonObject): JsonObject {
  const properties = {
    id: { type: 'string', enum: rubrics.map(({ id }) => id) },
    reasoning: { type: 'string', description: 'Why, before anything is decided.' },
    evidence: {
      type: 'array',
      items: { type: 'string' },
      description: 'Short quotes, copied exactly from the material.',
    },
    ...verdict,
  };
  return {
    type: 'array',
    items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  };
}

export interface Rubrics {
  readonly items: readonly RubricItem[];
  /** Nothing is required: the share that holds is the score. */
  readonly isShare: boolean;
}

interface RubricAnswer {
  readonly rubric: RubricItem;
  /** 0..1. */
  readonly share: number;
  readonly holds: boolean;
  readonly reasoning: string;
  readonly quotes: readonly CheckedQuote[];
}

/**
 * The weighted share of what holds; 0 if something required does not, so that no other rubric can make up for it, unless the
 * share alone counts. Every rubric must be answered exactly once.
 */
export function readRubricVerdict(
  answer: Json,
  { items: rubrics, isShare }: Rubrics,
  check: (quotes: readonly string[]) => readonly CheckedQuote[],
): JudgedSample {
  const given = answersById(objectIn(answer, 'the answer'), rubrics);
  const answers = rubrics.map((rubric) => readRubric(rubric, given.get(rubric.id), check));
  const weights = rubrics.reduce((sum, { weight }) => sum + weight, 0);
  const share =
    weights === 0
      ? 0
      : answers.reduce((sum, { rubric, share: own }) => sum + rubric.weight * own, 0) / weights;
  const failed = isShare ? [] : answers.filter(({ rubric, holds }) => rubric.minimum !== undefined && !holds);
  const misses = answers
    .filter((each) => !isHit(each))
    .map(describeAnswer)
    .slice(0, MAX_POINTS);
  return {
    score: failed.length > 0 ? 0 : share,
    message: withMisses(describeShare(answers, { share, failed }), misses),
    hits: answers.filter(isHit).map(describeAnswer).slice(0, MAX_POINTS),
    misses,
    quotes: answers.flatMap(({ quotes }) => quotes),
    details: { score: failed.length > 0 ? 0 : share, share, rubrics: answers.map(toDetails) },
  };
}

/** For people: what speaks for the answer. */
function isHit({ holds, share }: RubricAnswer): boolean {
  return holds && share >= 0.5;
}

function answersById(answer: JsonObject, rubrics: readonly RubricItem[]): ReadonlyMap<string, JsonObject> {
  const known = new Set(rubrics.map(({ id }) => id));
  const given = new Map<string, JsonObject>();
  for (const key of ['checks', 'scores']) {
    const items = Object.hasOwn(answer, key) ? answer[key] : undefined;
    for (const item of isJsonList(items) ? items : []) {
      const one = objectIn(item, `an item of \`${key}\``);
      const id = textIn(one, 'id');
      if (!known.has(id))
        throw new JudgingProblem(`the judge answered the rubric "${id}", which does not exist`, 'judge');
      if (given.has(id)) throw new JudgingProblem(`the judge answered the rubric "${id}" twice`, 'judge');
      given.set(id, one);
    }
  }
  return given;
}

function readRubric(
  rubric: RubricItem,
  answer: JsonObject | undefined,
  check: (quotes: readonly string[]) => readonly CheckedQuote[],
): RubricAnswer {
  if (answer === undefined)
    throw new JudgingProblem(`the judge did not answer the rubric "${rubric.id}"`, 'judge');
  const base = { rubric, reasoning: textIn(answer, 'reasoning'), quotes: check(textsIn(answer, 'evidence')) };
  if (rubric.ranges !== undefined) {
    const score = scoreIn(answer, 10, rubric.id);
    if (!Number.isInteger(score))
      throw new JudgingProblem(
        `the score of the rubric "${rubric.id}" is ${score}, but must be an integer`,
        'judge',
      );
    return { ...base, share: score / 10, holds: score >= (rubric.minimum ?? 0) };
  }
  const satisfied = Object.hasOwn(answer, 'satisfied') ? answer['satisfied'] : undefined;
  if (typeof satisfied !== 'boolean')
    throw new JudgingProblem(`the judge did not say whether the rubric "${rubric.id}" is satisfied`, 'judge');
  return { ...base, share: satisfied ? 1 : 0, holds: satisfied };
}

function describeShare(
  answers: readonly RubricAnswer[],
  { share, failed }: { readonly share: number; readonly failed: readonly RubricAnswer[] },
): string {
  const held = answers.filter(({ holds }) => holds).length;
  const counted = `${held} of ${answers.length} rubrics hold, a weighted share of ${Number(formatScore(share, { digits: 3 }))}`;
  if (failed.length === 0) return counted;
  const names = failed.map(({ rubric: { id, ranges, minimum } }) =>
    ranges === undefined ? `"${id}"` : `"${id}" (at least ${minimum})`,
  );
  return `${counted}; required, but not held: ${names.join(', ')}`;
}

function describeAnswer({
  rubric: { id, expected_outcome, ranges },
  share,
  reasoning,
}: RubricAnswer): string {
  const what = expected_outcome === undefined || expected_outcome === id ? id : `${id} (${expected_outcome})`;
  const score = ranges === undefined ? '' : ` ${Math.round(share * 100) / 10}/10`;
  return `${what}${score}${reasoning === '' ? '' : `: ${reasoning}`}`;
}

function toDetails({
  rubric: { id, expected_outcome, weight, minimum, ranges },
  share,
  holds,
  reasoning,
  quotes,
}: RubricAnswer): JsonObject {
  const verdict: JsonObject =
    ranges === undefined
      ? { satisfied: holds }
      : { score: share * 10, ...(minimum === undefined ? {} : { minimum }) };
  return {
    id,
    ...(expected_outcome === undefined ? {} : { expected_outcome }),
    weight,
    required: minimum !== undefined,
    ...verdict,
    reasoning,
    evidence: quotes,
  };
}
