/** How often two raters said what, of things that pass or fail. */
export interface Confusion {
  /** Both say pass. */
  readonly true_positive: number;
  /** The rater says pass, the reference fail. */
  readonly false_positive: number;
  readonly false_negative: number;
  readonly true_negative: number;
}

/**
 * Cohen's kappa: agreement beyond what chance would give, 1 at most. Undefined when there is nothing to compare, or when
 * both always say the same one thing: chance alone would then agree fully.
 */
export function cohensKappa({
  true_positive,
  false_positive,
  false_negative,
  true_negative,
}: Confusion): number | undefined {
  const total = true_positive + false_positive + false_negative + true_negative;
  if (total === 0) return undefined;
  const observed = (true_positive + true_negative) / total;
  const bothPass = (true_positive + false_positive) * (true_positive + false_negative);
  const bothFail = (false_negative + true_negative) * (false_positive + true_negative);
  const byChance = (bothPass + bothFail) / (total * total);
  return byChance === 1 ? undefined : (observed - byChance) / (1 - byChance);
}
