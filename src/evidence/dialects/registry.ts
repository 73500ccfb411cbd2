import type { Dialect } from './dialect.ts';

/** Every dialect of whole replies. No two of them recognise the same value, so their order decides nothing. */
export const DIALECTS: readonly Dialect[] = [];
