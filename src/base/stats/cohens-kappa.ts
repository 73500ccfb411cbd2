/** How often two raters passed or failed the same things. */
export interface Confusion {
  /** Both say pass. */
  readonly true_positive: number;
  /** The rater says pass, the reference fail. */
  readonly false_positive: number;
  readonly false_negative: number;
  readonly true_negative: number;
}

/**
 * Cohen's kappa: agreement beyond chance, at most 1. Undefined if there is nothing to compare, or if both raters
 * always give the same single answer: then chance alone would agree fully.
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
