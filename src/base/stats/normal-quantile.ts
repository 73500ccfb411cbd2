/** The value that a standard normal variable stays below with this probability (0 < probability < 1). */
export function normalQuantile(probability: number): number {
  if (probability < 0.5) return -normalQuantile(1 - probability);
  // Above 0 the distribution function bends down, so Newton's steps from 0 approach from one side and never
  // overshoot.
  let value = 0;
  for (let step = Infinity; step > 1e-15 * (1 + value);) {
    step = (probability - 0.5 - aboveCentre(value)) / density(value);
    value += Math.max(0, step);
  }
  return value;
}

/** The probability between 0 and a value: Marsaglia's series. */
function aboveCentre(value: number): number {
  let sum = 0;
  let term = value;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term *= (value * value) / odd;
  }
  return sum * density(value);
}

function density(value: number): number {
  return Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI);
}
