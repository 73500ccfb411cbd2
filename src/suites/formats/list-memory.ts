import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { Test } from '../../base/model/test.ts';
import type { Reader } from '../../base/schema/reader.ts';

/**
 * In Assay a list contains independent tests; TestHaven runs its items as the steps of one test. So a claim about
 * memory has another meaning there, unless the test sets its memory.
 */
export class ListMemory {
  private readonly kinds: AssertionKinds;
  private hasSteps = false;
  private first: number | undefined;
  private dependent = 0;
  private previousLeavesNothing = true;

  constructor(kinds: AssertionKinds) {
    this.kinds = kinds;
  }

  /** The items of the list, in order. */
  add(item: Json, test: Test | undefined, index: number): void {
    // TestHaven has no steps inside a list.
    this.hasSteps ||= isJsonObject(item) && Object.hasOwn(item, 'steps');
    if (!this.previousLeavesNothing && !statesMemory(item) && checksMemory(item, test, this.kinds)) {
      this.first ??= index;
      this.dependent++;
    }
    this.previousLeavesNothing = leavesNothing(item);
  }

  warn(reader: Reader): void {
    if (this.hasSteps || this.first === undefined) return;
    const others = this.dependent > 1 ? ` (and ${this.dependent - 1} more of this list)` : '';
    reader.warning({
      code: 'list_memory',
      message: `this test starts with empty memory${others}; in TestHaven it would start with the memory of the previous test`,
      hint: 'add `memory: {}` (or the right value) to each test of the list, or put tests that belong together under `steps`',
      at: [this.first],
    });
  }
}

/** In TestHaven a strict block without `memory` fails for any memory, so it is not a claim about memory. */
function checksMemory(item: Json, test: Test | undefined, kinds: AssertionKinds): boolean {
  const hasStrictMemory = isJsonObject(item) && statesMemory(ownValue(item, 'expected') ?? null);
  const isClaim = (assertion: Assertion): boolean =>
    kinds.of(assertion) === kinds.expected ? hasStrictMemory : kinds.reads(assertion, 'memory');
  return test !== undefined && test.steps.some(({ assertions }) => assertions.some(isClaim));
}

function statesMemory(item: Json): boolean {
  return isJsonObject(item) && isJsonObject(ownValue(item, 'memory') ?? null);
}

/** A strict block sets the memory afterwards: without its own `memory`, it must be empty. */
function leavesNothing(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  const expected = ownValue(item, 'expected');
  if (!isJsonObject(expected ?? null) || isObjectWithKeys(ownValue(item, 'assert'))) return false;
  return !isObjectWithKeys(ownValue(expected as JsonObject, 'memory'));
}

function isObjectWithKeys(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
