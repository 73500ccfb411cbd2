import { readFileSync } from 'node:fs';

/** What an independent program computed: `scripts/stats-oracle/NAME.py`, recorded. */
export function oracle<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../fixtures/stats/${name}.json`, import.meta.url), 'utf8')) as T;
}

/** Equal up to the rounding of a few operations on doubles. */
export function isClose(actual: number, wanted: number): boolean {
  return Math.abs(actual - wanted) <= 1e-12 * Math.max(1, Math.abs(wanted));
}
