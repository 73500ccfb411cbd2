import type { Json } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { unsupportedFields } from '../../base/schema/foreign-fields.ts';
import { list } from '../../base/schema/list.ts';
import { complete, mapOf, object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import type { Infer, Schema } from '../../base/schema/schema.ts';
import { boolean, number, text } from '../../base/schema/values.ts';

const outcome = text({ nonEmpty: true });

const scoreRange = complete(
  object(
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
        aliases: { description: outcome, outcome },
      },
    },
    { what: 'a score range' },
  ),
);

const scoreRanges = refine(
  byType({ array: list(scoreRange, { nonEmpty: true }), object: mapOf(outcome) }),
  checkCoverage,
);

/** One thing to judge: a sentence, or an object with more details. */
const rubricItem = byType({
  string: text({ nonEmpty: true }),
  object: object(
    {
      id: { schema: text({ nonEmpty: true }), doc: 'Its name in results.' },
      expected_outcome: {
        schema: outcome,
        doc: 'What must be true.',
        aliases: { description: outcome, outcome, criteria: outcome },
      },
      weight: { schema: number({ min: 0 }), doc: 'Default: 1.' },
      required: { schema: boolean(), doc: 'Whether the rubric fails without it. Default: true.' },
      required_min_score: {
        schema: number({ min: 0, max: 10, integer: true }),
        doc: 'The minimum score, from 0 to 10.',
      },
      min_score: {
        schema: number({ min: 0, max: 1 }),
        doc: 'AgentV: the minimum score as a share; 0.7 is `required_min_score: 7`.',
      },
      score_ranges: { schema: scoreRanges, doc: 'What each score from 0 to 10 means.' },
      ...unsupportedFields({ operator: 'say in the rubric itself what the judge must look for' }),
    },
    { what: 'a rubric' },
  ),
});

export const rubrics = refine(
  list(refine(rubricItem, checkItem), { nonEmpty: true, label: 'list of rubrics' }),
  checkIds,
);

/** The same; a text alone is one rubric. */
export const rubricsOrText: Schema<readonly AuthoredRubric[]> = {
  label: `text, or ${rubrics.label}`,
  jsonSchema: { anyOf: [{ type: 'string', minLength: 1 }, rubrics.jsonSchema] },
  read(value, reader) {
    if (Array.isArray(value)) return rubrics.read(value, reader);
    const read = rubricItem.read(value, reader);
    return read === undefined ? undefined : [read];
  },
};

export const SHARE_FIELD = {
  schema: boolean(),
  doc: 'The score is the weighted share that holds, even if a required rubric does not hold. Default: false.',
} as const;

/** As its author wrote it. */
export type AuthoredRubric = Infer<typeof rubricItem>;
/** A list of ranges, or a map from the lower bound of each to its description. */
export type AuthoredRanges = readonly Infer<typeof scoreRange>[] | LowerBounds;
type LowerBounds = Readonly<Record<string, string>>;

/** `Array.isArray` does not tell a list from a map if both are readonly. */
export function isRangeList(ranges: AuthoredRanges): ranges is Exclude<AuthoredRanges, LowerBounds> {
  return Array.isArray(ranges);
}

function checkItem(_authored: Json, reader: Reader, item: AuthoredRubric): void {
  if (typeof item === 'string') return;
  const { expected_outcome, score_ranges, required_min_score, min_score } = item;
  if (expected_outcome === undefined && score_ranges === undefined)
    reader.error({
      code: 'missing_expected_outcome',
      message: 'a rubric needs `expected_outcome` or `score_ranges`',
    });
  for (const name of ['required_min_score', 'min_score'] as const) {
    if (item[name] === undefined || score_ranges !== undefined) continue;
    reader.warning({
      code: 'without_effect',
      message: `\`${name}\` has no effect: this rubric is judged with yes or no`,
      hint: 'add `score_ranges`',
      at: [name],
    });
  }
  if (required_min_score !== undefined && min_score !== undefined)
    reader.error({
      code: 'given_twice',
      message: '`min_score` and `required_min_score` say the same; give one of them',
      at: ['min_score'],
      onKey: true,
    });
}

/** A judge answers by id. */
function checkIds(_authored: Json, reader: Reader, items: readonly AuthoredRubric[]): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const id = typeof item === 'string' ? undefined : item.id;
    if (id === undefined) continue;
    if (seen.has(id))
      reader.error({
        code: 'duplicate_id',
        message: `two rubrics have the id "${id}"`,
        at: [index, 'id'],
      });
    seen.add(id);
  }
}

/** The ranges must cover 0 to 10, each score once. */
function checkCoverage(_authored: Json, reader: Reader, given: AuthoredRanges): void {
  if (!isRangeList(given)) return checkLowerBounds(given, reader);
  const ranges = given.map(({ score_range: bounds }, index) => ({ index, bounds }));
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
    const [from, to] = [bounds[0]!, bounds[1]!];
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

function checkLowerBounds(bounds: LowerBounds, reader: Reader): void {
  const keys = Object.keys(bounds);
  for (const key of keys) {
    if (!/^(?:[0-9]|10)$/.test(key))
      reader.error({
        code: 'score_ranges',
        message: `"${key}" is not a score from 0 to 10`,
        at: [key],
        onKey: true,
      });
  }
  if (!keys.includes('0'))
    reader.error({
      code: 'score_ranges',
      message: 'no range starts at 0',
      hint: 'add a range that starts at 0',
    });
}
