import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import { membersOf, type Assertion } from '../../model/assertion.ts';
import { filesNamedIn } from '../../model/content-text.ts';
import type { Place } from '../../model/place.ts';
import type { Test } from '../../model/test.ts';

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
