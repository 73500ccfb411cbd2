import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { membersOf, type Assertion } from '../../../base/model/assertion.ts';
import { filesNamedIn } from '../../../base/model/content-text.ts';
import type { PathSegment, Place } from '../../../base/model/place.ts';
import { isJsonList, isJsonObject, type JsonObject } from '../../../base/model/json.ts';
import type { Test } from '../../../base/model/test.ts';
import { caseListOf, type OwnSuite } from './own-suite.ts';

/** Something outside of a suite's file that it names by a path from its folder. */
export type Reference = {
  readonly place: Place;
} & (
  | { readonly file: string }
  | { readonly program: { readonly script: string | readonly string[]; readonly cwd?: string | undefined } }
);

/** Everything that means something else when the suite is moved to another folder. */
export function* referencesOf(tests: readonly Test[], kinds: AssertionKinds): Generator<Reference> {
  for (const test of tests) {
    for (const { input_messages, expected_messages, assertions, place } of test.steps) {
      for (const message of [...input_messages, ...expected_messages])
        for (const file of filesNamedIn(message)) yield { file, place };
      yield* referencesOfAll(assertions, kinds);
    }
    yield* referencesOfAll(test.assertions, kinds);
  }
}

function* referencesOfAll(assertions: readonly Assertion[], kinds: AssertionKinds): Generator<Reference> {
  for (const assertion of assertions) {
    const { place, parameters } = assertion;
    const { files = [], programs = [] } = kinds.of(assertion)?.needs?.(parameters) ?? {};
    for (const file of files) yield { file, place };
    // `./checks.ts#polite`: the evaluator of a file.
    const named = /^([^#\n]+)#[^#\s]+$/.exec(assertion.kind)?.[1];
    if (named !== undefined) yield { file: named, place };
    for (const program of programs) yield { program, place };
    yield* referencesOfAll(membersOf(assertion), kinds);
  }
}

/** The files that tests name under `each`. */
export function rowFilesOf({ format, value, locate }: OwnSuite): readonly Reference[] {
  const list: readonly PathSegment[] = format === 'steps' ? [] : [caseListOf(value as JsonObject)];
  const cases = format === 'steps' ? value : (value as JsonObject)[String(list[0])];
  const items = isJsonList(cases) ? cases.map((item, index) => ({ item, path: [...list, index] })) : [];
  const all = isJsonObject(cases) ? [{ item: cases, path: list }] : items;
  return all.flatMap(({ item, path }) => {
    const each = isJsonObject(item) ? item['each'] : undefined;
    if (typeof each !== 'string') return [];
    const { file, line, column } = locate([...path, 'each'], 'value');
    return [{ file: each.replace(/^file:\/\//, ''), place: { file, line, column } }];
  });
}
