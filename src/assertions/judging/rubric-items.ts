import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';

/** One thing to judge, with everything its author left out filled in. */
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

export function rubricItems(authored: readonly Json[]): readonly RubricItem[] {
  const taken = new Set(authored.map((item) => (isJsonObject(item) ? item['id'] : undefined)));
  return authored.map((item, index) => {
    let id = `rubric-${index + 1}`;
    while (taken.has(id)) id = `${id}'`;
    return typeof item === 'string'
      ? { id, expected_outcome: item, weight: 1, minimum: 1 }
      : toItem(item as JsonObject, id);
  });
}

function toItem(item: JsonObject, defaultId: string): RubricItem {
  const {
    id = defaultId,
    expected_outcome,
    weight = 1,
    required,
    required_min_score: minimum,
    score_ranges: ranges,
  } = item;
  const base = {
    id: id as string,
    expected_outcome: expected_outcome as string | undefined,
    weight: weight as number,
  };
  if (ranges === undefined) return { ...base, minimum: required === false ? undefined : 1 };
  // `required` is true unless said, but then every score below 10 would fail: with ranges it must be said.
  return {
    ...base,
    minimum: (minimum as number | undefined) ?? (required === true ? 10 : undefined),
    ranges: toRanges(ranges),
  };
}

/** A list of ranges, or a map from the lower bound of each to what deserves it. */
function toRanges(authored: Json): readonly ScoreRange[] {
  if (Array.isArray(authored)) {
    return (authored as readonly JsonObject[]).map(({ score_range, expected_outcome }) => {
      const [from, to] = score_range as readonly [number, number];
      return { from, to, expected_outcome: expected_outcome as string };
    });
  }
  const bounds = Object.keys(authored as JsonObject)
    .map(Number)
    .toSorted((a, b) => a - b);
  return bounds.map((from, index) => {
    return {
      from,
      to: (bounds[index + 1] ?? 11) - 1,
      expected_outcome: (authored as JsonObject)[String(from)] as string,
    };
  });
}
