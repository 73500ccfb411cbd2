import type { Assertion } from '../../model/assertion.ts';
import type { Finding } from '../../model/finding.ts';
import type { Message } from '../../model/message.ts';
import type { Test } from '../../model/test.ts';
import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import type { EvaluatorKind } from '../../assertions/contract/evaluator-kind.ts';
import { duplicateChecks } from './doubts/duplicate-checks.ts';
import { outvotedChecks } from './doubts/outvoted-checks.ts';
import { doubted, outvoted, sameCheck } from './suite-findings.ts';

export interface DoubtOptions {
  readonly kinds: AssertionKinds;
  /** The threshold of a test that has none; undefined when somebody chose it. */
  readonly defaultThreshold: number | undefined;
}

/** What a test and its assertions say that makes them weaker than they look. Nothing is run for it. */
export function testDoubts(test: Test, { kinds, defaultThreshold }: DoubtOptions): readonly Finding[] {
  const evaluators = new Map(kinds.evaluators.map((kind) => [kind.kind, kind]));
  const everything = test.steps.flatMap(({ expected_messages }) => expected_messages);
  return [
    ...test.steps.flatMap(({ assertions, expected_messages }) =>
      doubtsOf(test, assertions, { evaluators, expected_messages }),
    ),
    ...doubtsOf(test, test.assertions, { evaluators, expected_messages: everything }),
    ...duplicateChecks(test).map((duplicate) => sameCheck(test, duplicate)),
    ...(defaultThreshold === undefined
      ? []
      : outvotedChecks(test, defaultThreshold).map((found) => outvoted(test, found))),
  ];
}

interface Context {
  readonly evaluators: ReadonlyMap<string, EvaluatorKind>;
  readonly expected_messages: readonly Message[];
}

function doubtsOf(test: Test, assertions: readonly Assertion[], context: Context): readonly Finding[] {
  const { evaluators, expected_messages } = context;
  return assertions.flatMap((assertion) => {
    const { form, kind, parameters } = assertion;
    const doubts = form === 'claim' ? undefined : evaluators.get(kind)?.doubts;
    const inner = parameters['evaluators'];
    return [
      ...(doubts?.(parameters, { expected_messages }) ?? []).map((doubt) => doubted(test, assertion, doubt)),
      ...(Array.isArray(inner) ? doubtsOf(test, inner as unknown as readonly Assertion[], context) : []),
    ];
  });
}
