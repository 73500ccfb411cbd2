/** How often a test must pass, as its author wrote it: a share (`0.8`), or a fraction (`8/10`). */
export type PassAtLeast = number | string;

export interface RequiredShare {
  /** Above 0, up to 1. */
  readonly share: number;
  /** `8/10` also says how often to run the test, unless another setting does. */
  readonly repeats?: number | undefined;
}

/** Undefined if it is neither a share nor a fraction. */
export function readPassAtLeast(authored: PassAtLeast): RequiredShare | undefined {
  if (typeof authored === 'number') return authored > 0 && authored <= 1 ? { share: authored } : undefined;
  const [, passes, repeats] = (FRACTION.exec(authored) ?? []).map(Number);
  if (passes === undefined || repeats === undefined || passes > repeats) return undefined;
  return { share: passes / repeats, repeats };
}

/** At least one must pass: a test that need not pass at all cannot fail. */
const FRACTION = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/;

export const PASS_AT_LEAST_PATTERN = FRACTION.source;
