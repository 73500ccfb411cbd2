/**
 * The logarithm of the number of ways to choose `count` of `total`: the numbers themselves would overflow from 1030
 * on.
 */
export function logChoose(total: number, count: number): number {
  return logFactorial(total) - logFactorial(count) - logFactorial(total - count);
}

/**
 * Exact sums of logarithms for small numbers, Stirling's series for the others: both are accurate to the last
 * digits.
 */
function logFactorial(number: number): number {
  if (number < SMALL.length) return SMALL[number]!;
  const inverse = 1 / number;
  const correction = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1260;
  return number * Math.log(number) - number + Math.log(2 * Math.PI * number) / 2 + correction;
}

const SMALL: readonly number[] = sumsOfLogarithms(256);

function sumsOfLogarithms(length: number): readonly number[] {
  const sums = [0];
  for (let number = 1; number < length; number++) sums.push(sums[number - 1]! + Math.log(number));
  return sums;
}
