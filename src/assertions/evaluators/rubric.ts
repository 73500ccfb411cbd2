import { isJsonObject, ownValue, type Json, type JsonObject } from '../../model/json.ts';
import { byType } from '../../schema/by-type.ts';
import { defineEvaluator, type Doubt } from '../contract/evaluator-kind.ts';
import { list } from '../../schema/list.ts';
import { mapOf, object } from '../../schema/object.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, refine } from '../../schema/refine.ts';
import { boolean, number, text } from '../../schema/values.ts';
import { doubtRepeats } from '../doubt-repeats.ts';
import { judgeEvidence, type JudgingParameters } from '../judging/judge-evidence.ts';
import { judgingNeeds } from '../judging/judging-needs.ts';
import { preflightJudging } from '../judging/preflight-judging.ts';

const outcome = text({ nonEmpty: true });

const scoreRange = object(
  {
    score_range: {
      schema: list(number({ min: 0, max: 10, integer: true })),
      doc: 'From and to, both included.',
      missing: 'missing_range',
    },
    expected_outcome: {
      schema: outcome,
      doc: 'What an answer needs for this score.',
      missing: 'missing_expected_outcome',
      aliases: { description: outcome },
    },
  },
  { what: 'a score range' },
);

const scoreRanges = refine(
  byType({ array: list(scoreRange, { nonEmpty: true }), object: mapOf(outcome) }),
  checkCoverage,
);

/** One thing to judge: a sentence, or an object that says more. */
const rubricItem = byType({
  string: text({ nonEmpty: true }),
  object: object(
    {
      id: { schema: text({ nonEmpty: true }), doc: 'Its name in results.' },
      expected_outcome: { schema: outcome, doc: 'What must hold.', aliases: { description: outcome } },
      weight: { schema: number({ min: 0 }), doc: 'Default: 1.' },
      required: { schema: boolean(), doc: 'Whether the rubric fails without it. Default: true.' },
      required_min_score: {
        schema: number({ min: 0, max: 10, integer: true }),
        doc: 'The minimum score, from 0 to 10.',
      },
      score_ranges: { schema: scoreRanges, doc: 'What each score from 0 to 10 means.' },
    },
    { what: 'a rubric' },
  ),
});

export const rubrics = refine(
  list(refine(rubricItem, checkItem), { nonEmpty: true, label: 'list of rubrics' }),
  checkIds,
);

export const rubric = defineEvaluator({
  kind: 'rubric',
  doc: 'A judge answers each rubric; the score is the weighted share that holds.',
  fields: { rubrics: { schema: rubrics, doc: 'What to judge.', missing: 'missing_rubrics' } },
  evaluate: (parameters, evidence, tools) => judgeEvidence(parameters as JudgingParameters, evidence, tools),
  preflight: (parameters, tools) => preflightJudging(parameters as JudgingParameters, tools),
  needs: (parameters) => judgingNeeds(parameters as JudgingParameters),
  doubts: ({ rubrics: items }) => doubtRubrics(items as readonly Json[]),
});

/** The same rubric twice, or none that counts. */
function doubtRubrics(items: readonly Json[]): readonly Doubt[] {
  const said = items.flatMap((item) => (isJsonObject(item) ? (item['expected_outcome'] ?? []) : item));
  const isIdle = items.every((item) => isJsonObject(item) && item['weight'] === 0);
  return [
    ...doubtRepeats(said as readonly string[], 'rubric'),
    ...(isIdle
      ? [
          {
            code: 'never_holds',
            message: 'all its weights are 0: its score is 0',
            hint: 'give one of them a weight',
          },
        ]
      : []),
  ];
}

function checkItem(authored: Json, reader: Reader): void {
  if (!isJsonObject(authored)) return;
  const saysWhat = ['expected_outcome', 'description', 'score_ranges'].some((key) => given(authored, key));
  if (!saysWhat)
    reader.error({
      code: 'missing_expected_outcome',
      message: 'a rubric needs `expected_outcome` or `score_ranges`',
    });
  if (given(authored, 'required_min_score') && !given(authored, 'score_ranges')) {
    reader.warning({
      code: 'without_effect',
      message: '`required_min_score` is without effect: this rubric is judged with yes or no',
      hint: 'add `score_ranges`',
      at: ['required_min_score'],
    });
  }
}

/** A judge answers by id. */
function checkIds(authored: Json, reader: Reader): void {
  const seen = new Set<Json>();
  for (const [index, item] of (authored as readonly Json[]).entries()) {
    const id = isJsonObject(item) ? ownValue(item, 'id') : undefined;
    if (id === undefined || id === null) continue;
    if (seen.has(id))
      reader.error({
        code: 'duplicate_id',
        message: `two rubrics have the id "${id as string}"`,
        at: [index, 'id'],
      });
    seen.add(id);
  }
}

/** The ranges must cover 0 to 10, each score once. */
function checkCoverage(authored: Json, reader: Reader): void {
  if (!Array.isArray(authored)) return checkLowerBounds(authored as JsonObject, reader);
  const ranges = authored.map((range, index) => ({
    index,
    bounds: (range as JsonObject)['score_range'] as readonly number[],
  }));
  const wrong = ranges.filter(({ bounds }) => bounds.length !== 2 || bounds[0]! > bounds[1]!);
  for (const { index } of wrong) {
    reader.error({
      code: 'score_ranges',
      message: 'a score range is [from, to], with from not above to',
      at: [index, 'score_range'],
    });
  }
  if (wrong.length > 0) return;
  const ordered = ranges.toSorted((a, b) => a.bounds[0]! - b.bounds[0]!);
  let next = 0;
  for (const { index, bounds } of ordered) {
    const [from, to] = bounds as readonly [number, number];
    if (from < next)
      reader.error({
        code: 'score_ranges',
        message: `the score ${from} is in two ranges`,
        at: [index, 'score_range'],
      });
    if (from > next)
      reader.error({
        code: 'score_ranges',
        message: `no range covers the scores ${next} to ${from - 1}`,
        at: [index, 'score_range'],
      });
    next = Math.max(next, to + 1);
  }
  if (next <= 10) reader.error({ code: 'score_ranges', message: `no range covers the scores ${next} to 10` });
}

function checkLowerBounds(bounds: JsonObject, reader: Reader): void {
  const keys = Object.keys(bounds);
  for (const key of keys) {
    if (!/^(?:[0-9]|10)$/.test(key))
      reader.error({
        code: 'score_ranges',
        message: `"${key}" is no score from 0 to 10`,
        at: [key],
        onKey: true,
      });
  }
  if (!keys.includes('0'))
    reader.error({ code: 'score_ranges', message: 'no range begins at 0', hint: 'add a line for 0' });
}
