import { answerDiff, readAnswer, shownAnswer } from '../../base/match/answer-diff.ts';
import { describeDifferences, describeMatcherFailure } from '../../base/match/describe-difference.ts';
import type { JsonDifference } from '../../base/match/json-diff.ts';
import { firstMatcher } from '../../base/match/matchers/read-matcher.ts';
import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Message } from '../../base/model/message.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { boolean } from '../../base/schema/values.ts';
import { madeCalls, plainCalls, unknownCalls, unknownPart } from '../made-calls.ts';
import { givenContent, replyContent } from '../message-content.ts';
import { unmeasured } from '../unmeasured.ts';
import { messageRequirements } from '../message-requirements.ts';
import { diffToolCalls, expectedToolCalls, shownCalls, unreportedParts } from './match-tool-calls.ts';

export const match = defineEvaluator({
  kind: 'match',
  doc: 'The reply equals `expected_messages`: text exactly, structured content as JSON, tool calls in order.',
  example: {},
  reads: ['output', 'tools'],
  states: { at: 'answer' },
  isBinary: true,
  partialScore: () => 0,
  fields: {
    partial: {
      schema: boolean(),
      doc: 'Compare only the fields that are listed, at least one. Default: false.',
    },
  },
  evaluate: ({ partial }, evidence) => compareReply(evidence, partial === true),
  weaknesses({ partial }, { expected_messages }) {
    const { value } = messageRequirements(expected_messages).json ?? {};
    return partial === true && isEmpty(value)
      ? [{ code: 'always_holds', message: LISTS_NOTHING, hint: LIST_SOMETHING }]
      : [];
  },
  oracle({ partial }, { expected_messages }) {
    const wanted = messageRequirements(expected_messages);
    return partial === true || wanted.json === undefined || hasMatchers(expected_messages)
      ? wanted
      : { ...wanted, json: { ...wanted.json, isExact: true } };
  },
});

const LISTS_NOTHING = 'the expected answer lists nothing to compare';
const LIST_SOMETHING = 'list what must be there, or remove `partial`';

function isEmpty(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** More than one value is accepted. */
function hasMatchers(expected_messages: readonly Message[]): boolean {
  return expected_messages.some((message) => firstMatcher(givenContent(message)) !== undefined);
}

function compareReply(evidence: Evidence, partial: boolean): AssertionOutcome {
  const messages = evidence.expected_messages.filter(({ role }) => role === 'assistant');
  const contents = messages.map(givenContent).filter((content) => content !== undefined);
  const calls = expectedToolCalls(messages);
  if (contents.length === 0 && calls === undefined) {
    return unmeasured(
      'there is no expected answer to compare with: `expected_messages` has no message of the assistant',
    );
  }
  const actual = actualContents(evidence, contents.length);
  if (actual === undefined) {
    return unmeasured(
      `${contents.length} messages of the assistant are expected, but the agent did not report its messages`,
    );
  }
  const made = madeCalls(evidence.reply);
  if (calls !== undefined && made === undefined) return unmeasured(unknownCalls(evidence.reply));
  const differences = [
    ...diffContents(contents, actual, partial),
    ...(calls === undefined ? [] : diffToolCalls(calls, made!, partial)),
  ];
  const unreported = calls === undefined ? [] : unreportedParts(calls, made!);
  const unknown = unreported.filter(({ isDifference }) => isDifference).length;
  if (unreported.length > 0 && unknown === differences.length) {
    const { part } = unreported[0]!;
    return unmeasured(
      unknownPart(
        part,
        unreported.filter((one) => one.part === part).map(({ tool }) => tool),
      ),
    );
  }
  if (partial && differences.length === 0 && calls === undefined && contents.every(isEmpty))
    return unmeasured(`${LISTS_NOTHING}: ${LIST_SOMETHING}`);
  return {
    score: differences.length === 0 ? 1 : 0,
    message:
      differences.length === 0
        ? 'the reply is as expected'
        : calls === undefined
          ? undefined
          : describeDifferences(differences),
    expected: shown(
      differences.length === 0 ? contents : shownContents(contents, actual, partial),
      calls === undefined || differences.length === 0 ? calls : shownCalls(calls, made!, partial),
    ),
    actual: shown(
      actual.map((content, index) =>
        index < contents.length ? readAnswer(contents[index]!, content) : content,
      ),
      calls === undefined ? undefined : plainCalls(made!),
    ),
    misses: differences.slice(0, SHOWN).map(describe),
    details: {
      differences: differences.slice(0, SHOWN),
      difference_count: differences.length,
    },
  };
}

const SHOWN = 50;

/**
 * A single expected answer is compared with what the agent said last, whatever it said on the way; several of them with
 * everything it said.
 */
function actualContents(evidence: Evidence, expectedCount: number): readonly Json[] | undefined {
  if (expectedCount === 0) return [];
  if (expectedCount === 1) return [replyContent(evidence)];
  return evidence.reply.output_messages
    ?.filter(({ role }) => role === 'assistant')
    .map(givenContent)
    .filter((content) => content !== undefined);
}

function diffContents(
  expected: readonly Json[],
  actual: readonly Json[],
  partial: boolean,
): readonly JsonDifference[] {
  const isOne = expected.length === 1;
  const root = (index: number): string => (isOne ? 'content' : `content[${index}]`);
  const paired = expected.map((content, index): readonly JsonDifference[] => {
    if (index >= actual.length) return [{ kind: 'missing', path: root(index), expected: content }];
    return answerDiff(content, actual[index]!, { partial, root: root(index) });
  });
  const extra = actual.slice(expected.length).map((content, index): JsonDifference => {
    return { kind: 'extra', path: root(expected.length + index), actual: content };
  });
  return [...paired.flat(), ...extra];
}

/** A matcher that holds is shown as what it met. */
function shownContents(
  expected: readonly Json[],
  actual: readonly Json[],
  partial: boolean,
): readonly Json[] {
  return expected.map((content, index) =>
    index < actual.length ? shownAnswer(content, actual[index]!, { partial }) : content,
  );
}

function shown(contents: readonly Json[], calls: readonly Json[] | undefined): Json {
  const content = contents.length === 1 ? contents[0]! : contents;
  if (calls === undefined) return content;
  return contents.length === 0 ? calls : ({ content, tool_calls: calls } satisfies JsonObject);
}

function describe(difference: JsonDifference): string {
  return describeMatcherFailure(difference) ?? `${difference.path} is ${difference.kind}`;
}
