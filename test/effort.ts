import { inject } from 'vitest';

/**
 * What takes long is done in part by `npm test`, and in full by `npm run test:long`. The assertions are the same: only how
 * often, how large or for how many shapes differs.
 */
export function effort<Amount>({ short, long }: { readonly short: Amount; readonly long: Amount }): Amount {
  return inject('isLong') ? long : short;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly isLong: boolean;
  }
}
