import type { Assertion } from '../../base/model/assertion.ts';
import type { Place } from '../../base/model/place.ts';
import type { Test } from '../../base/model/test.ts';

/** Assertions of one kind that could not be checked for one reason. */
export interface NotChecked {
  readonly kind: string;
  readonly reason: string;
  readonly assertions: number;
  /** The place of the first one. */
  readonly first: Place & { readonly test: string };
}

export const NOT_CHECKED = {
  judged: 'a judge or a program decides',
  unsatisfied: 'no reply was found that satisfies it',
  unbroken: 'no reply was found that breaks it',
} as const;

/** Counted, not listed: a dataset may have a hundred thousand of them. */
export class NotCheckedCounter {
  private readonly groups = new Map<string, NotChecked>();

  add(test: Test, { kind, place }: Assertion, reason: string): void {
    const key = `${kind} ${reason}`;
    const known = this.groups.get(key);
    const { file, line, column } = known?.first ?? place;
    const first = known?.first ?? { file, line, column, test: test.id };
    this.groups.set(key, { kind, reason, assertions: (known?.assertions ?? 0) + 1, first });
  }

  list(): readonly NotChecked[] {
    return [...this.groups.values()];
  }
}
