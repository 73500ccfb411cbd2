import type { ApprovalAnswer } from '../../base/model/approval.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import { formatPath, type PathSegment, type Place } from '../../base/model/place.ts';
import type { MessageList, MessagePlaces, Step, Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { byType } from '../../base/schema/by-type.ts';
import type { Field } from '../../base/schema/object.ts';
import type { Reader, Source } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import { claimMap, strictClaim } from './claims.ts';

/** The checks of a step: `assert` as a map of claims or a list of evaluators, or the strict block `expected`. */
export function checkFields(kinds: AssertionKinds) {
  return {
    assert: {
      schema: byType({ object: claimMap(kinds), array: kinds.evaluatorList }),
      doc: 'What must be true: a map of claims, or a list of evaluators.',
    },
    expected: { schema: strictClaim(kinds), doc: 'Output, tools and memory must be exactly these.' },
  } as const satisfies Readonly<Record<string, Field<unknown>>>;
}

interface Checks {
  readonly assert?: readonly Assertion[];
  readonly expected?: readonly Assertion[];
}

/** `assert` wins over `expected`, unless it is empty. */
export function chooseChecks(
  authored: Json,
  { assert, expected }: Checks,
  reader: Reader,
): readonly Assertion[] {
  const stated = isJsonObject(authored) ? ownValue(authored, 'assert') : undefined;
  const isEmpty = stated === undefined || stated === null || Object.keys(stated).length === 0;
  if (isEmpty) return expected ?? [];
  if (given(authored, 'expected')) {
    reader.warning({
      code: 'expected_ignored',
      message: '`expected` is not checked because `assert` is present too',
      hint: 'keep one of them',
      at: ['expected'],
      onKey: true,
    });
  }
  return assert ?? [];
}

/** A step may only lead to the next one, but its author should know that nothing checks its reply. */
export function warnAboutUncheckedSteps(steps: readonly Step[], reader: Reader): void {
  for (const [index, step] of steps.entries()) {
    if (step.assertions.length > 0) continue;
    const message = `step ${index + 1} checks nothing`;
    reader.warning({
      code: 'step_without_checks',
      message,
      hint: 'add `assert` to it',
      at: ['steps', index],
    });
  }
}

/** Nothing comes after the first tool call: claims of later steps would never be checked. */
export function refuseLaterSteps(
  stopAfter: Test['stop_after'],
  steps: readonly Step[],
  reader: Reader,
): void {
  if (stopAfter !== undefined && steps.length > 1)
    reader.error({
      code: 'stop_after_steps',
      message: '`stop_after` ends the test at the first tool call, so it can have one step only',
      hint: 'make a test of each step',
      at: ['stop_after'],
      onKey: true,
    });
}

interface StepParts {
  readonly approval?: ApprovalAnswer | undefined;
  readonly input_messages: readonly Message[];
  readonly expected_messages: readonly Message[];
  readonly assertions: readonly Assertion[];
}

/** A step from `authored`, the object at the reader. */
export function createStep(authored: JsonObject, parts: StepParts, reader: Reader): Step {
  const { input_messages, expected_messages, assertions, approval } = parts;
  const places = new StepMessagePlaces(authored, parts, reader);
  const step = { input_messages, expected_messages, assertions, place: reader.place(), places };
  return approval === undefined ? step : { ...step, approval };
}

const AUTHORED_NAMES = {
  input_messages: ['input_messages', 'input'],
  expected_messages: ['expected_messages', 'expected_output'],
} as const;

class StepMessagePlaces implements MessagePlaces {
  private readonly authored: JsonObject;
  private readonly parts: StepParts;
  private readonly source: Source;
  private readonly path: readonly PathSegment[];

  constructor(authored: JsonObject, parts: StepParts, reader: Reader) {
    this.authored = authored;
    this.parts = parts;
    this.source = reader.source;
    this.path = reader.path.slice();
  }

  get input_messages(): readonly Place[] {
    return this.placesOf('input_messages');
  }

  get expected_messages(): readonly Place[] {
    return this.placesOf('expected_messages');
  }

  inside(list: MessageList, index: number, below: readonly PathSegment[]): Place & { readonly path: string } {
    const path = [...this.pathOf(list, index), ...below];
    return { ...this.placeOf(path), path: formatPath(path) };
  }

  private placesOf(list: MessageList): readonly Place[] {
    return this.parts[list].map((_, index) => this.placeOf(this.pathOf(list, index)));
  }

  private placeOf(path: readonly PathSegment[]): Place {
    const { line, column } = this.source.locate(path, 'value');
    return { file: this.source.file, line, column };
  }

  /** A shorthand (text, one message, an object) is itself the only message. */
  private pathOf(list: MessageList, index: number): readonly PathSegment[] {
    const name = AUTHORED_NAMES[list].find((candidate) => given(this.authored, candidate)) ?? list;
    const isList = this.authored[name] === (this.parts[list] as Json);
    return isList ? [...this.path, name, index] : [...this.path, name];
  }
}
