import { stringify } from 'yaml';
import type { Random } from '../random.ts';

/** What the agent does when it is asked by a test. */
export type Fault = 'ok' | 'wrong' | 'throw' | 'exit' | 'garbage' | 'slow' | 'flood' | 'busy' | 'hang';

export interface RandomTest {
  readonly id: string;
  readonly fault: Fault;
}

export interface RandomSuites {
  /** Names and texts of the suites. */
  readonly files: Readonly<Record<string, string>>;
  readonly tests: readonly RandomTest[];
}

const COMMON: readonly Fault[] = [
  'ok',
  'ok',
  'ok',
  'ok',
  'slow',
  'wrong',
  'throw',
  'exit',
  'garbage',
  'flood',
  'busy',
];

const MOST_FLOODS = 2;

/** Beside a test that hangs, what may take as long as its timeout is left out. */
const QUICK = COMMON.filter((fault) => fault !== 'flood');

/** One to three suites of any format. Ids are unique over all of them, and every input begins with the id. */
export function randomSuites(random: Random): RandomSuites {
  const files: Record<string, string> = {};
  const tests: RandomTest[] = [];
  const isFaulty = random.chance(0.8);
  // Waiting for a timeout takes longer than all the rest.
  const hangs = isFaulty && random.chance(0.12);
  let mayHang = hangs;
  let floods = 0;
  for (let index = 0; index <= random.below(3); index++) {
    const { name, print } = random.pick(FORMATS);
    const written = Array.from({ length: 6 + random.below(20) }, () => {
      // Each attempt at a flood makes a record of ten megabytes.
      const common = hangs || floods === MOST_FLOODS ? QUICK : COMMON;
      const fault = mayHang ? 'hang' : isFaulty ? random.pick(common) : 'ok';
      mayHang = false;
      if (fault === 'flood') floods++;
      const test = { id: `t${tests.length}`, fault };
      tests.push(test);
      return test;
    });
    files[`${index}.${name}`] = print(written, random);
  }
  return { files, tests };
}

type Print = (tests: readonly RandomTest[], random: Random) => string;

const FORMATS: readonly { readonly name: string; readonly print: Print }[] = [
  { name: 'test.yaml', print: (tests, random) => stringify(tests.map((test) => stepTest(test, random))) },
  {
    name: 'test.json',
    print: (tests, random) => JSON.stringify(tests.map((test) => stepTest(test, random))),
  },
  {
    name: 'eval.yaml',
    print: (tests, random) => stringify({ evalcases: tests.map((test) => evalCase(test, random)) }),
  },
  {
    name: 'eval.jsonl',
    print: (tests, random) => tests.map((test) => `${JSON.stringify(evalCase(test, random))}\n`).join(''),
  },
];

function stepTest({ id, fault }: RandomTest, random: Random): object {
  const shared = {
    id,
    description: random.pick(['', 'a test', 'ünïcode 😀']),
    tags: random.pick([[], ['smoke'], ['slow', 'smoke']]),
    ...(random.chance(0.1) ? { skip: 'not today' } : {}),
  };
  const steps = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    input: `${id} ${fault} ${index}`,
    assert: claims(id, index, random),
  }));
  return steps.length === 1 ? { ...shared, ...steps[0] } : { ...shared, memory: { count: 0 }, steps };
}

function claims(id: string, index: number, random: Random): object {
  return {
    'output.includes': id,
    ...(random.chance(0.5) ? { 'memory.count': index + 1 } : {}),
    ...(random.chance(0.3) ? { tools_used: ['look_up'] } : {}),
    ...(random.chance(0.3) ? { 'output.matches': String.raw`t\d+` } : {}),
    ...(random.chance(0.1) ? { 'output.equals': 'never' } : {}),
  };
}

function evalCase({ id, fault }: RandomTest, random: Random): object {
  const evaluators = [
    { type: 'contains', value: id },
    { type: 'regex', value: random.pick(['t[0-9]+', '^You', 'never']), weight: 1 + random.below(3) },
    { type: 'tool_trajectory', mode: 'any_order', minimums: { look_up: 1 } },
    { type: 'memory', path: 'count', equals: 1 },
  ];
  return {
    id,
    expected_outcome: `it repeats ${id}`,
    input: `${id} ${fault} 0`,
    evaluators: evaluators.slice(0, 1 + random.below(evaluators.length)),
  };
}
