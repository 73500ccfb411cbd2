import { messageRequirements } from '../../../checks/message-requirements.ts';
import { firstMatcher } from '../../../base/match/matchers/read-matcher.ts';
import type { Json, JsonObject } from '../../../base/model/json.ts';
import type { AttemptRecord } from '../../../base/model/record.ts';
import type { RecordedToolCall } from '../../../base/model/reply.ts';
import type { ReplyPart, ReplyRequirements } from '../../../base/model/reply-requirements.ts';
import { holdsFully, type PlacedAssertion } from '../assertion-results.ts';
import type { CheckableAssertion, CheckableTest } from '../checkable-test.ts';
import { callCandidates, leftForLastStep } from './oracle-calls.ts';
import { oracleMemory } from './oracle-memory.ts';
import { outputCandidates, type Spoken } from './oracle-output.ts';
import { EMPTY_REPLY, type OracleReply } from './oracle-reply.ts';

/** A way to answer a test, and its result. */
export interface Answered {
  readonly replies: readonly OracleReply[];
  readonly record: AttemptRecord;
  /** It is what the test itself gives as the expected answer. */
  readonly isExpectedAnswer: boolean;
}

/**
 * Looks for replies that satisfy every assertion of a test. Output and tools of each step change independently
 * until they do: what satisfies its assertions stays.
 */
export async function findOracle(
  checkable: CheckableTest,
  assertions: readonly PlacedAssertion[],
  attempt: (replies: readonly OracleReply[]) => Promise<AttemptRecord>,
): Promise<readonly Answered[]> {
  const steps = checkable.test.steps.map((_, step) => new StepAnswers(checkable, step));
  const answered: Answered[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const replies = answers(checkable, steps);
    const record = await attempt(replies);
    const isExpectedAnswer = round === 0 && steps.some(({ hasExpectedAnswer }) => hasExpectedAnswer);
    answered.push({ replies, record, isExpectedAnswer });
    const failed = assertions.filter((own) => own.weight > 0 && !holdsFully(record, own));
    if (failed.length === 0) break;
    let isChanged = false;
    for (const [index, step] of steps.entries())
      for (const part of ['output', 'tools'] as const)
        if (failed.some((own) => isAbout(own, part, { step: index, last: steps.length - 1 })))
          isChanged = step.change(part) || isChanged;
    if (!isChanged) break;
  }
  return answered;
}

const MOST_ROUNDS = 40;

/**
 * The whole test looks at the output of its last step, and at the tools of all steps, of which the last can be
 * changed.
 */
function isAbout(
  { step, wanted }: PlacedAssertion,
  part: ReplyPart,
  at: { readonly step: number; readonly last: number },
): boolean {
  return wanted.about.includes(part) && (step ?? at.last) === at.step;
}

function answers(checkable: CheckableTest, steps: readonly StepAnswers[]): readonly OracleReply[] {
  const replies: OracleReply[] = [];
  for (const step of steps) {
    const before = replies.at(-1)?.memory ?? checkable.test.memory ?? {};
    replies.push(
      step.reply(
        before,
        replies.flatMap(({ calls }) => calls),
      ),
    );
  }
  return replies;
}

/** The ways to answer one step. */
class StepAnswers {
  readonly hasExpectedAnswer: boolean;
  private readonly own: readonly ReplyRequirements[];
  /** What the whole test requires of its last step. */
  private readonly whole: readonly ReplyRequirements[];
  private readonly answer: ReplyRequirements;
  private readonly outputs: Ways<Spoken>;
  private calls: Ways<readonly RecordedToolCall[]> | undefined;

  constructor({ test, steps, whole }: CheckableTest, step: number) {
    this.own = wantedOf(steps[step]!);
    this.whole = step === steps.length - 1 ? wantedOf(whole) : [];
    this.answer = messageRequirements(test.steps[step]!.expected_messages);
    const hasOutput = this.answer.output !== undefined || this.answer.json !== undefined;
    // A value that was made for a matcher is not what its author expects.
    const isGiven = firstMatcher(test.steps[step]!.expected_messages as unknown as Json) === undefined;
    this.hasExpectedAnswer = isGiven && (hasOutput || this.hasExpectedCalls());
    this.outputs = new Ways(this.spoken(hasOutput), SILENCE);
  }

  reply(before: JsonObject, earlier: readonly RecordedToolCall[]): OracleReply {
    const all = [...this.own, ...this.whole];
    this.calls ??= new Ways(this.made(earlier), []);
    const rules = all.flatMap(({ memory_rule: rule }) => rule ?? []);
    return {
      ...EMPTY_REPLY,
      ...this.outputs.current,
      calls: this.calls.current,
      memory: oracleMemory(before, rules),
    };
  }

  /** Takes the next way; false if there is none, and the first one is used again. */
  change(part: 'output' | 'tools'): boolean {
    return part === 'output' ? this.outputs.change() : (this.calls?.change() ?? false);
  }

  private *spoken(hasOutput: boolean): Generator<Spoken> {
    if (hasOutput) yield [...outputCandidates([this.answer])][0]!;
    yield* outputCandidates([...this.own, ...this.whole]);
    if (hasOutput) yield* outputCandidates([this.answer]);
  }

  private *made(earlier: readonly RecordedToolCall[]): Generator<readonly RecordedToolCall[]> {
    if (this.hasExpectedCalls()) yield* callCandidates([this.answer]);
    yield* callCandidates([...this.own, ...this.whole.map((wanted) => leftForLastStep(wanted, earlier))]);
  }

  private hasExpectedCalls(): boolean {
    return (this.answer.calls ?? []).length > 0;
  }
}

/** Assertions of weight 0 may require something else. */
function wantedOf(assertions: readonly CheckableAssertion[]): readonly ReplyRequirements[] {
  return assertions.filter(({ weight }) => weight > 0).map(({ wanted }) => wanted);
}

const SILENCE: Spoken = { said: [], output: '' };

/** Ways to do something, created on demand. */
class Ways<T> {
  current: T;
  private readonly first: T;
  private readonly rest: Iterator<T>;
  private isEmpty = false;

  constructor(ways: Iterable<T>, none: T) {
    this.rest = ways[Symbol.iterator]();
    const { value, done } = this.rest.next();
    this.first = done === true ? none : (value as T);
    this.current = this.first;
  }

  change(): boolean {
    const { value, done } = this.isEmpty ? { value: undefined, done: true } : this.rest.next();
    this.isEmpty ||= done === true;
    this.current = done === true ? this.first : (value as T);
    return done !== true;
  }
}
