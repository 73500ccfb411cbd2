// `npm run simulate:comparing [-- --seed N --pairs N]`: how often the default rule of `assay compare` calls equal agents worse,
// and how often it sees agents that are.
import { parseArgs } from 'node:util';
import { SHAPES } from './comparing/shapes.ts';
import { compareSimulated, type Drop, type Shape } from './comparing/simulated-runs.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, pairs: { type: 'string' } } });
const pairs = Number(values.pairs ?? 2000);
const random = randomFrom(Number(values.seed ?? 1));

console.log(`Equal agents, ${pairs} pairs of each: called worse, by the whole, by a test, interval holds 0`);
for (const shape of SHAPES) print(shape.name, count(shape));

console.log('\nOne test that always passed breaks: it now passes with the rate given');
const [, , , , bimodal] = SHAPES;
for (const [tests, repeats] of [
  [100, 3],
  [100, 5],
  [20, 10],
] as const) {
  const before = (): number => repeats;
  const shape: Shape = { name: '', tests, rates: 'solid', before, after: before };
  for (const rate of [0, 0.3, 0.5])
    print(
      `${tests} tests x ${repeats}, one at ${rate}`,
      count(shape, (place) => (place === 0 ? 1 - rate : 0)),
    );
  const among: Shape = { ...bimodal!, tests, before, after: before };
  print(
    `${tests} tests x ${repeats} bimodal, one drops to 0`,
    count(among, (place, own) => (place === 0 ? own : 0)),
  );
}

console.log('\nThe whole drops by what the comparison says it would see 8 times out of 10');
for (const shape of SHAPES) {
  const detectable: number[] = [];
  for (let pair = 0; pair < 100; pair++)
    detectable.push(compareSimulated(shape, random).detectable!.whole ?? NaN);
  const drop = detectable.reduce((sum, one) => sum + one, 0) / detectable.length;
  if (Number.isNaN(drop)) continue;
  // A test that passes less often than that cannot drop so far.
  print(
    `${shape.name}, ${(100 * drop).toFixed(1)} points`,
    count(shape, (_, rate) => Math.min(rate, drop)),
  );
}

interface Counted {
  readonly found: number;
  readonly whole: number;
  readonly tests: number;
  readonly held: number;
}

function count(shape: Shape, drop?: Drop): Counted {
  const counted = { found: 0, whole: 0, tests: 0, held: 0 };
  for (let pair = 0; pair < pairs; pair++) {
    const { regression, verdicts } = compareSimulated(shape, random, drop);
    if (regression.found) counted.found++;
    if (regression.whole) counted.whole++;
    if (regression.tests.length > 0) counted.tests++;
    const { low, high } = verdicts.difference!;
    if (low <= 0 && high >= 0) counted.held++;
  }
  return counted;
}

function print(name: string, { found, whole, tests, held }: Counted): void {
  const share = (number: number): string => `${((100 * number) / pairs).toFixed(1)} %`.padStart(8);
  console.log(`${name.padEnd(46)}${[found, whole, tests, held].map(share).join('')}`);
}
