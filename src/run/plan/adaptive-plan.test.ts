import * as fc from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import type { AdaptiveRules } from '../../base/model/gate.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { AdaptivePlan } from './adaptive-plan.ts';
import type { PlannedAttempt } from './plan.ts';

const RULES: AdaptiveRules = { confidence: 0.9, max_repeats: 25, pass_at_least: 0.7 };

/** What each attempt of each test comes to, by its number. */
type Outcomes = readonly (readonly Verdict[])[];

const outcomes: fc.Arbitrary<Outcomes> = fc.array(
  fc.array(fc.constantFrom<Verdict>('passed', 'passed', 'passed', 'failed', 'error'), {
    minLength: RULES.max_repeats,
    maxLength: RULES.max_repeats,
  }),
  { minLength: 1, maxLength: 4 },
);

test('which attempts run depends on their results, not on workers or timing', async () => {
  await fc.assert(
    fc.asyncProperty(
      outcomes,
      fc.integer({ min: 2, max: 12 }),
      fc.infiniteStream(fc.nat(1000)),
      async (given, workers, chance) => {
        const order = () => (chance.next() as { readonly value: number }).value;
        const alone = await follow(given, { workers: 1, pick: () => 0 });
        const together = await follow(given, { workers, pick: order });
        expect(together.toSorted()).toEqual(alone.toSorted());
      },
    ),
    { numRuns: 200 },
  );
});

test('no test runs more often than allowed, and one that always fails is given up early', async () => {
  const made = await follow([Array(25).fill('error') as Verdict[], Array(25).fill('failed') as Verdict[]], {
    workers: 4,
    pick: () => 0,
  });
  expect(made.filter((id) => id.startsWith('f::t0::'))).toHaveLength(25);
  expect(made.filter((id) => id.startsWith('f::t1::'))).toEqual([
    'f::t1::a::1',
    'f::t1::a::2',
    'f::t1::a::3',
    'f::t1::a::4',
  ]);
});

test('a test that can no longer be decided is given up, and one that never could be runs once', async () => {
  const close = [...Array(25).keys()].map((index) => (index % 3 === 0 ? 'failed' : 'passed')) as Verdict[];
  const made = await follow([close], { workers: 4, pick: () => 0 });
  // Seven failures are too many to hold 0.7 in 25 attempts, and fourteen passes too many to break it.
  expect(made).toHaveLength(21);
  const rules = { ...RULES, max_repeats: 1 };
  expect(await follow([['passed'], ['error']], { workers: 4, pick: () => 0, rules })).toHaveLength(2);
});

test('an attempt that is not run ends its test; a signal ends the plan', async () => {
  const controller = new AbortController();
  const plan = createPlan([[], []], controller.signal);
  const attempts = plan[Symbol.asyncIterator]();
  const first = (await attempts.next()).value as PlannedAttempt;
  plan.learn(first, undefined);
  const second = (await attempts.next()).value as PlannedAttempt;
  expect([first.id, second.id]).toEqual(['f::t0::a::1', 'f::t1::a::1']);
  const [, , waiting] = [attempts.next(), attempts.next(), attempts.next()];
  controller.abort();
  expect((await waiting).done).toBe(true);
});

/** Makes attempts as a pool does: so many at once, ending in any order. Answers with their ids. */
async function follow(
  given: Outcomes,
  {
    workers,
    pick,
    rules,
  }: { readonly workers: number; readonly pick: () => number; readonly rules?: AdaptiveRules },
): Promise<readonly string[]> {
  const plan = createPlan(given, new AbortController().signal, rules);
  const attempts = plan[Symbol.asyncIterator]();
  const made: string[] = [];
  const underWay: PlannedAttempt[] = [];
  let asking: Promise<IteratorResult<PlannedAttempt>> | undefined;
  for (;;) {
    if (underWay.length < workers) asking ??= attempts.next();
    const answer = asking === undefined ? undefined : await Promise.race([asking, soon()]);
    if (answer !== undefined) {
      asking = undefined;
      if (answer.done === true) return made;
      made.push(answer.value.id);
      underWay.push(answer.value);
      if (underWay.length < workers && pick() % 2 === 0) continue;
    }
    const [ended] = underWay.splice(pick() % Math.max(1, underWay.length), 1);
    if (ended === undefined) continue;
    const verdict = given[Number(ended.test.id.slice(1))]![ended.repeat - 1]!;
    plan.learn(ended, { verdict } as AttemptRecord);
  }
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)));
}

function createPlan(given: Outcomes, signal: AbortSignal, rules = RULES): AdaptivePlan {
  async function* tests(): AsyncGenerator<PlannedAttempt> {
    for (const index of given.keys()) {
      const planned = {
        id: `t${index}`,
        steps: [],
        assertions: [],
        tags: [],
        place: { file: 'f', line: 1, column: 1 },
      };
      yield {
        id: '',
        file: 'f',
        test: planned,
        target: 'a',
        repeat: 1,
        repeats: 1,
        fingerprint: '',
      } as unknown as PlannedAttempt;
    }
  }
  return new AdaptivePlan(tests(), { rules, signal });
}
