import { assert as assertAll, configureGlobal, type Parameters } from 'fast-check';
import { inject } from 'vitest';
import { effort } from './effort.ts';

/** The same values in every run, so that a change is judged by what it changed: see `seed` in vitest.config.ts. */
configureGlobal({ seed: inject('seed') });

export * from 'fast-check';

/** `npm test` tries a fourth of the values, and `npm run test:long` all of them. */
export const assert = ((property: never, options: Parameters<unknown> = {}) => {
  const { numRuns: long = 100, examples = [] } = options;
  const short = Math.max(Math.ceil(long / 4), examples.length);
  return assertAll(property, { ...options, numRuns: effort({ short, long }) } as never);
}) as typeof assertAll;

declare module 'vitest' {
  interface ProvidedContext {
    readonly seed: number;
  }
}
