import { findFenced } from '../../match/find-json.ts';
import { jsonDiff, type JsonDifference } from '../../match/json-diff.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { boolean } from '../../schema/values.ts';
import { madeCalls, plainCalls, unknownCalls, unknownPart } from '../made-calls.ts';
import { givenContent, replyContent } from '../message-content.ts';
import { unmeasured } from '../unmeasured.ts';
import { messageRequirements } from '../message-requirements.ts';
import { diffToolCalls, expectedToolCalls, unreportedParts } from './match-tool-calls.ts';

export const match = defineEvaluator({
  kind: 'match',
  doc: 'The reply equals `expected_messages`: text exactly, structured content as JSON, tool calls in order.',
  example: {},
  reads: ['output', 'tools'],
  states: { at: 'answer' },
  isBinary: true,
  fields: { partial: { schema: boolean(), doc: 'Compare only the fields that are listed. Default: false.' } },
  evaluate: ({ partial }, evidence) => compareReply(evidence, partial === true),
  weaknesses({ partial }, { expected_messages }) {
    const { value } = messageRequirements(expected_messages).json ?? {};
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
    return partial === true && isEmpty
      ? [
          {
            code: 'always_holds',
            message: 'the expected answer lists nothing to compare',
            hint: 'list what must be there, or remove `partial`',
          },
        ]
      : [];
  },
  oracle({ partial }, { expected_messages }) {
    const wanted = messageRequirements(expected_messages);
    return partial === true || wanted.json === undefined
      ? wanted
      : { ...wanted, json: { ...wanted.json, isExact: true } };
  },
});

function compareReply(evidence: Evidence, partial: boolean): AssertionOutcome {
  const messages = evidence.expected_messages.filter(({ role }) => role === 'assistant');
  const contents = messages.map(givenContent).filter((content) => content !== undefined);
  const calls = expectedToolCalls(messages);
  if (contents.length === 0 && calls.length === 0) {
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
  if (calls.length > 0 && made === undefined) return unmeasured(unknownCalls(evidence.reply));
  const differences = [
    ...diffContents(contents, actual, partial),
    ...(calls.length === 0 ? [] : diffToolCalls(calls, made!, partial)),
  ];
  const unreported = calls.length === 0 ? [] : unreportedParts(calls, made!);
  if (unreported.length > 0 && unreported.length === differences.length) {
    const { part } = unreported[0]!;
    return unmeasured(
      unknownPart(
        part,
        unreported.filter((one) => one.part === part).map(({ tool }) => tool),
      ),
    );
  }
  return {
    score: differences.length === 0 ? 1 : 0,
    message:
      differences.length === 0
        ? 'the reply is as expected'
        : `the reply differs: ${describeFirst(differences)}`,
    expected: shown(contents, calls),
    actual: shown(actual, calls.length === 0 ? [] : plainCalls(made!)),
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
    return jsonDiff(content, readable(content, actual[index]!), { partial, root: root(index) });
  });
  const extra = actual.slice(expected.length).map((content, index): JsonDifference => {
    return { kind: 'extra', path: root(expected.length + index), actual: content };
  });
  return [...paired.flat(), ...extra];
}

/** Text is compared as text; where something structured is expected, the text of the reply is read as JSON. */
function readable(expected: Json, actual: Json): Json {
  if (typeof expected === 'string' || typeof actual !== 'string') return actual;
  const found = findFenced(actual);
  return found.kind === 'one' ? found.value : actual;
}

function shown(contents: readonly Json[], calls: readonly Json[]): Json {
  const content = contents.length === 1 ? contents[0]! : contents;
  if (calls.length === 0) return content;
  return contents.length === 0 ? calls : ({ content, tool_calls: calls } satisfies JsonObject);
}

function describeFirst(differences: readonly JsonDifference[]): string {
  const others = differences.length - 1;
  return `${describe(differences[0]!)}${others === 0 ? '' : `, and ${others} more`}`;
}

function describe({ kind, path }: JsonDifference): string {
  return `${path} is ${kind}`;
}
