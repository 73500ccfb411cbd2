export interface Crossing {
  /** The probability of a hit in one attempt, at the edge that must be excluded. */
  readonly rate: number;
  /** The most attempts. */
  readonly cap: number;
  /** The allowed probability of a crossing at that rate, over all attempts up to the cap. */
  readonly error: number;
}

/**
 * The boundary of a truncated sequential test: after how many attempts a number of misses shows that the rate is
 * above `rate`. `times[misses]` is the first attempt at which that many misses, or fewer, cross; a number of misses
 * that is not in the list never does. The times grow with the misses.
 *
 * The error is spent evenly over the attempts, or later if clearly more misses then have a time: few misses that
 * cross early can use up what one more would need at the cap.
 */
export function crossingTimes(crossing: Crossing): readonly number[] {
  let best: readonly number[] = [];
  for (const exponent of SPENDING) {
    const times = timesWhenSpending(crossing, exponent);
    if (times.length > CLEARLY_MORE * best.length) best = times;
  }
  return best;
}

/** After a share of the attempts, this power of that share of the error may be used up. */
const SPENDING = [1, 1.5, 2, 3] as const;
/** One more of twenty is not worth its cost to tests that are far from the edge. */
const CLEARLY_MORE = 1.1;

/**
 * Each number of misses crosses as early as the error budget allows; unused budget is kept for later attempts. The
 * probability of every path is tracked exactly, from attempt to attempt.
 */
function timesWhenSpending({ rate, cap, error }: Crossing, exponent: number): readonly number[] {
  const times: number[] = [];
  // The probability of each number of misses among the paths that have not crossed; those before `from` are all
  // gone.
  const chances = new Float64Array(cap + 2);
  chances[0] = 1;
  let [from, to, spent] = [0, 0, 0];
  for (let attempt = 1; attempt <= cap; attempt++) {
    to++;
    for (let misses = to; misses > from; misses--)
      chances[misses] = chances[misses]! * rate + chances[misses - 1]! * (1 - rate);
    chances[from]! *= rate;
    const allowed = error * (attempt / cap) ** exponent * (1 + ROUNDING);
    while (from <= to && spent + chances[from]! <= allowed) {
      spent += chances[from]!;
      chances[from++] = 0;
      times.push(attempt);
    }
    // Negligible probabilities are dropped: with a cap of thousands that is most of them.
    while (to > from && chances[to]! < NEGLIGIBLE) chances[to--] = 0;
  }
  return times;
}

/** In floating point, an error of 1 - 0.95 may come out below 0.05. */
const ROUNDING = 1e-9;
const NEGLIGIBLE = 1e-30;
