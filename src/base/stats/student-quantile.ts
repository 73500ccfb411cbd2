/**
 * The value that the absolute value of a Student-t variable stays below with this probability: 0.95 and 9 degrees
 * of freedom give 2.262. Degrees of freedom are integers.
 */
export function studentQuantile(probability: number, degrees: number): number {
  let high = 1;
  while (probabilityWithin(high, degrees) < probability) high *= 2;
  let low = 0;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (probabilityWithin(middle, degrees) < probability) low = middle;
    else high = middle;
  }
  return high;
}

/** For whole degrees of freedom the distribution function is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
function probabilityWithin(value: number, degrees: number): number {
  const angle = Math.atan(value / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine * cosine;
    sum += term;
  }
  sum *= Math.sin(angle);
  return isOdd ? (2 / Math.PI) * (angle + sum) : sum;
}
