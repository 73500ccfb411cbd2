import { quoteName } from '../../base/schema/did-you-mean.ts';

/** Keys that only stand in a map of claims. */
const CLAIM = /^(?:output\.|memory\.|tools_used)/;

export function isClaimKey(key: string): boolean {
  return CLAIM.test(key);
}

/** The field that a claim belongs inside of. */
export function fieldOfClaim(key: string): string | undefined {
  return isClaimKey(key) ? 'assert' : undefined;
}

/** For a claim that stands beside `assert` instead of in it. */
export function hintForClaim(key: string): string | undefined {
  return isClaimKey(key)
    ? `${quoteName(key)} is a claim: indent it, so that it is inside \`assert\``
    : undefined;
}

/** For a key that occurs twice in one mapping. The path of a `memory.` claim has no second spelling. */
export function hintForDuplicate(key: string): string {
  return /^(?:output\.\w+|tools_used(?:\.\w+)?)$/.test(key)
    ? `write ${quoteName(`${key}_2`)} for the second claim`
    : 'remove or rename one of them';
}
