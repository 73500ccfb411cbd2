/** How often two raters said what, of things that pass or fail. */
export interface Confusion {
  /** Both say pass. */
  readonly truePositive: number;
  /** The rater says pass, the reference fail. */
  readonly falsePositive: number;
  readonly falseNegative: number;
  readonly trueNegative: number;
}

/**
 * Cohen's kappa: agreement beyond what chance would give, 1 at most. Undefined when there is nothing to compare, or when
 * both always say the same one thing: chance alone would then agree fully.
 */
export function cohensKappa({
  truePositive,
  falsePositive,
  falseNegative,
  trueNegative,
}: Confusion): number | undefined {
  const total = truePositive + falsePositive + falseNegative + trueNegative;
  if (total === 0) return undefined;
  const observed = (truePositive + trueNegative) / total;
  const bothPass = (truePositive + falsePositive) * (truePositive + falseNegative);
  const bothFail = (falseNegative + trueNegative) * (falsePositive + trueNegative);
  const byChance = (bothPass + bothFail) / (total * total);
  return byChance === 1 ? undefined : (observed - byChance) / (1 - byChance);
}
