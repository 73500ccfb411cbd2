import { isRangeList, type AuthoredRanges, type AuthoredRubric } from './rubric-schema.ts';

/** One thing to judge, with all defaults filled in. */
export interface RubricItem {
  readonly id: string;
  readonly expected_outcome?: string | undefined;
  readonly weight: number;
  /** It must hold; with ranges: reach this score of 0 to 10. Undefined: it only counts. */
  readonly minimum: number | undefined;
  /** Judged with a score of 0 to 10 instead of yes or no. */
  readonly ranges?: readonly ScoreRange[] | undefined;
}

interface ScoreRange {
  readonly from: number;
  readonly to: number;
  readonly expected_outcome: string;
}

export function rubricItems(authored: readonly AuthoredRubric[]): readonly RubricItem[] {
  const taken = new Set(authored.map((item) => (typeof item === 'string' ? undefined : item.id)));
  return authored.map((item, index) => {
    let id = `rubric-${index + 1}`;
    while (taken.has(id)) id = `${id}'`;
    return typeof item === 'string'
      ? { id, expected_outcome: item, weight: 1, minimum: 1 }
      : toItem(item, id);
  });
}

function toItem(item: Exclude<AuthoredRubric, string>, defaultId: string): RubricItem {
  const {
    id = defaultId,
    expected_outcome,
    weight = 1,
    required,
    min_score,
    required_min_score: minimum = min_score === undefined ? undefined : Math.round(min_score * 10),
    score_ranges: ranges,
  } = item;
  const base = { id, expected_outcome, weight };
  if (ranges === undefined) return { ...base, minimum: required === false ? undefined : 1 };
  // `required` is true by default, but then every score below 10 would fail: with ranges it must be set.
  return {
    ...base,
    minimum: minimum ?? (required === true ? 10 : undefined),
    ranges: toRanges(ranges),
  };
}

function toRanges(authored: AuthoredRanges): readonly ScoreRange[] {
  if (isRangeList(authored)) {
    return authored.map(({ score_range, expected_outcome }) => {
      return { from: score_range[0]!, to: score_range[1]!, expected_outcome };
    });
  }
  const bounds = Object.keys(authored)
    .map(Number)
    .toSorted((a, b) => a - b);
  return bounds.map((from, index) => {
    return {
      from,
      to: (bounds[index + 1] ?? 11) - 1,
      expected_outcome: authored[String(from)]!,
    };
  });
}
