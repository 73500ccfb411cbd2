import { isJsonObject, ownValue, type Json } from '../base/model/json.ts';
import type { PathSegment } from '../base/model/place.ts';
import type { Reader } from '../base/schema/reader.ts';
import { quoteText } from '../base/schema/values.ts';

interface Vacuous {
  /** Why it always holds. */
  readonly why: string;
  readonly hint?: string;
  readonly at?: readonly PathSegment[];
}

/** Warns about a check that holds for every reply; inverted by `negate` it holds for none. */
export function warnAboutVacuousCheck(authored: Json, reader: Reader, { why, hint, at }: Vacuous): void {
  const isNegated = isJsonObject(authored) && ownValue(authored, 'negate') === true;
  reader.warning({
    code: isNegated ? 'never_holds' : 'always_holds',
    message: isNegated ? `this never holds: ${why}` : `this always holds: ${why}`,
    hint: hint ?? 'assert something that a reply can lack, or remove it',
    at: at ?? [],
  });
}

/** Warns about a claim that no reply can satisfy. */
export function warnAboutImpossibleClaim(reader: Reader, why: string): void {
  reader.warning({
    code: 'never_holds',
    message: `this never holds: ${why}`,
    hint: 'say what a reply must not have, or remove it',
  });
}

/** Why every output contains the text, if it does. */
export function whyEveryOutputHas(text: string): string | undefined {
  if (text === '') return 'every output contains the empty text';
  return /^ +$/.test(text) ? `nearly every output contains ${quoteText(text)}` : undefined;
}
