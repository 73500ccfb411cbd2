import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

/** The same values in every run, so that a change is judged by what it changed: see `seed` in vitest.config.ts. */
configureGlobal({ seed: inject('seed') });

export * from 'fast-check';

declare module 'vitest' {
  interface ProvidedContext {
    readonly seed: number;
  }
}
