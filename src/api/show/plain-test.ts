import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { Fault } from '../../base/model/fault.ts';
import type { Place } from '../../base/model/place.ts';
import type { Step, Test } from '../../base/model/test.ts';

/** A test as it is printed: each test, step and assertion with its line and column. */
export function plainTest({ place, steps, assertions, faults, row, ...test }: Test): unknown {
  return {
    ...test,
    ...(faults === undefined ? {} : { faults: faults.map(plainFault) }),
    steps: steps.map(plainStep),
    assertions: assertions.map(plainAssertion),
    row: row && plainRow(row),
    line: place.line,
    column: place.column,
  };
}

function plainFault({ place, ...fault }: Fault): unknown {
  return { ...fault, line: place.line, column: place.column };
}

export function plainRow({ file, line, column }: Place): Place {
  return { file, line, column };
}

function plainStep({ place, places, assertions, ...step }: Step): unknown {
  const lines = {
    input_messages: places.input_messages.map(plainPlace),
    expected_messages: places.expected_messages.map(plainPlace),
  };
  return {
    ...step,
    assertions: assertions.map(plainAssertion),
    line: place.line,
    column: place.column,
    places: lines,
  };
}

function plainAssertion(assertion: Assertion): unknown {
  const { place, parameters: _parameters, nests: _nests, ...rest } = assertion;
  return { ...rest, parameters: plainParameters(assertion), line: place.line, column: place.column };
}

/** An evaluator may hold evaluators itself. */
export function plainParameters(assertion: Assertion): unknown {
  const { nests, parameters } = assertion;
  if (nests === undefined) return parameters;
  return { ...parameters, [nests]: membersOf(assertion).map(plainAssertion) };
}

function plainPlace({ line, column }: { readonly line: number; readonly column: number }): unknown {
  return { line, column };
}
