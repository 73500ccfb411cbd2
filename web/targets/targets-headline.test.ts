import { expect, test } from 'vitest';
import type { Verdict } from '../../src/base/model/record.ts';
import { targetsHeadline } from './targets-headline.ts';

const of = (...verdicts: readonly Verdict[]) =>
  targetsHeadline(verdicts.map((verdict, index) => ({ target: 'abcdef'[index]!, verdict })));

test.each([
  [of('passed', 'passed', 'passed'), 'passed', 'All 3 targets pass'],
  [of('failed', 'failed'), 'failed', 'All 2 targets fail'],
  [of('passed', 'failed', 'failed'), 'failed', 'a passes; b and c fail'],
  [of('passed', 'error'), 'error', 'a passes; b could not be measured'],
  [
    of('failed', 'failed', 'failed', 'failed', 'passed', 'skipped'),
    'failed',
    'e passes; 4 targets fail; f was skipped',
  ],
  [of('failed'), 'failed', 'a fails'],
  [of(), 'skipped', 'No target ran this test'],
])('targets in a sentence %#', ({ outcome, sentence }, expectedOutcome, expected) => {
  expect([outcome, sentence]).toEqual([expectedOutcome, expected]);
});
