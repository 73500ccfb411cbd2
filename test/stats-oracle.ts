import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Cluster } from '../src/base/stats/clustered-difference.ts';

/** Written by scripts/stats-oracle/paired_tests.py. */
export const oracle = JSON.parse(
  readFileSync(new URL('./fixtures/stats/paired-tests.json', import.meta.url), 'utf8'),
) as Oracle;

type Counts = readonly [number, number];
type Triple = readonly [number, number, number];
interface Oracle {
  readonly mcnemar: readonly { better: number; worse: number; p: number }[];
  /** Tests as passed and measured, before and after. */
  readonly stratified: readonly { tests: [Counts, Counts][]; p: number }[];
  readonly family: readonly { tests: [Counts, Counts][]; p: number[] }[];
  readonly paired_rate_interval: readonly {
    better: number;
    worse: number;
    pairs: number;
    value_low_high: Triple;
  }[];
  readonly student: readonly { degrees: number; quantile: number }[];
  readonly normal: readonly { probability: number; quantile: number }[];
  readonly clustered: readonly { clusters: Cluster[]; value_low_high: Triple }[];
  readonly sign_flip: readonly { differences: number[]; p: number }[];
  readonly settle: readonly { better: number; worse: number; pairs: number; wanted: number; power: number }[];
  readonly quantile: readonly { values: number[]; median: number; p95: number }[];
}

export function expectClose(actual: number, expected: number, relative = 1e-9): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(relative * Math.abs(expected));
}
