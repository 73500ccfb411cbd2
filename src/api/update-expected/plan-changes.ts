import type { StatedValue } from '../../checks/contract/assertion-kind.ts';
import { valueAtPath } from '../../base/match/json-path.ts';
import { jsonEqual } from '../../base/match/json-equal.ts';
import { jsonMatches } from '../../base/match/json-matches.ts';
import { firstMatcher, isMatcher } from '../../base/match/matchers/read-matcher.ts';
import { findFenced } from '../../base/match/find-json.ts';
import { REPLACEMENT } from '../../base/match/redact-secrets.ts';
import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { PathSegment } from '../../base/model/place.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { FailedAssertion, FailedTest } from './failed-tests.ts';
import { enter, findMap, type FoundNode } from './source-tree.ts';

/** A value of a file to replace, or to add if there is no old one. */
export interface ValueChange {
  readonly path: readonly PathSegment[];
  /** Its path in what the assertion expects. */
  readonly below: readonly PathSegment[];
  readonly value: Json;
  readonly old: Json | undefined;
}

/** The content of a file, as text and as value. */
export interface SourceDocument {
  readonly root: FoundNode;
  readonly value: Json;
  /** The offset of a place in a record. */
  offsetOf(place: { readonly line: number; readonly column: number }): number;
}

/** The changes that make an assertion hold, or why there are none. */
export type Plan = { readonly changes: readonly ValueChange[] } | { readonly refusal: string };

export function planChanges(failed: FailedAssertion, test: FailedTest, document: SourceDocument): Plan {
  const { result, states, step, hasDisagreement } = failed;
  if (test.hasError) return refuse('an attempt of the test could not be measured');
  if (test.row !== undefined) return refuse(OF_ALL_ROWS);
  if (states === undefined) return refuse(`\`${result.kind}\` states no exact value: change it by hand`);
  if (step === undefined) return refuse('it applies to the whole test: change it by hand');
  if (hasDisagreement) return refuse('the attempts of this run disagree about the value');
  const useless = uselessAnswer(failed);
  if (useless !== undefined) return refuse(useless);
  const nothing = missingEvidence(failed);
  if (nothing !== undefined) return refuse(nothing);
  if (printJson(result.actual).includes(REPLACEMENT))
    return refuse('the value contains a secret, and secrets are never written');
  if (result.file !== test.file) return refuse('it is in another file, for all tests');
  const found = findMap(document.root, document.offsetOf(test));
  const stepNode = found === undefined ? undefined : stepOf(found, step);
  if (stepNode === undefined) return refuse('its location in the file was not found');
  const planned = PLANS[states.at]({ result, test: found!, step: stepNode, document });
  if ('refusal' in planned) return planned;
  if (test.has_vars === true && planned.changes.some(isTemplate)) return refuse(TEMPLATE);
  return planned.changes.length === 0 ? refuse('the file already has this value') : planned;
}

/** An empty answer, or the text of an error, is what a broken agent says: it must not become what is expected. */
function uselessAnswer({ result, states }: FailedAssertion): string | undefined {
  const isAnswer = states?.of === 'output' || states?.at === 'answer' || states?.at === 'parts';
  const isText = states?.at === 'value' && states.of === undefined;
  if (!isAnswer && !isText) return undefined;
  const { actual } = result;
  const answer = isJsonObject(actual) && states?.at === 'parts' ? ownValue(actual, 'output') : actual;
  if (answer === '' || (typeof answer === 'string' && answer.trim() === '')) return 'the answer is empty';
  const onlyError = isJsonObject(answer) && Object.keys(answer).join() === 'error';
  const text = typeof answer === 'string' ? answer.trim() : '';
  return onlyError || ERROR_TEXT.test(text) ? 'the answer is the text of an error' : undefined;
}

/** How programs and APIs begin when something went wrong. */
const ERROR_TEXT =
  /^(?:(?:uncaught |fatal |internal |unhandled )*(?:\w*error|\w*exception)(?: \d{3})?\s*(?:[:([]|$)|traceback \(most recent|\{\s*"error"|[45]\d\d (?:[A-Z]\w+\s?)+$|(?:internal server error|too many requests|rate limit exceeded|bad gateway|service unavailable)\b)/i;

/**
 * What a reply does not say must not become an expected value: the claim would hold for every agent that says
 * nothing.
 */
function missingEvidence({ result, states, missing }: FailedAssertion): string | undefined {
  const { actual, expected } = result;
  const differs = (part: 'tools_used' | 'memory'): boolean =>
    !jsonEqual(ownValue(expected as JsonObject, part) ?? null, ownValue(actual as JsonObject, part) ?? null);
  const isAbout = (part: 'tools_used' | 'memory'): boolean =>
    states?.of === part || (states?.at === 'parts' && differs(part));
  if (states?.of === 'memory' && (actual ?? null) === null)
    return 'the reply has nothing at this path of its memory';
  const nothing = missing.find(isAbout);
  if (nothing === undefined) return undefined;
  return nothing === 'memory' ? 'the reply has no memory' : 'the reply does not say which tools were used';
}

function stepOf(test: FoundNode, step: number): FoundNode | undefined {
  const steps = enter(test, 'steps');
  return steps === undefined ? test : enter(steps, step);
}

interface Planning {
  readonly result: FailedAssertion['result'];
  readonly test: FoundNode;
  readonly step: FoundNode;
  readonly document: SourceDocument;
}

const PLANS: Readonly<Record<StatedValue['at'], (planning: Planning) => Plan>> = {
  value: (planning) => (planning.result.form === 'claim' ? planClaim(planning) : planEvaluator(planning)),
  parts: planExpected,
  answer: planMatch,
};

function planClaim({ result, step, document }: Planning): Plan {
  const claims = enter(step, 'assert');
  return planValue(claims === undefined ? undefined : enter(claims, result.name), result.actual!, document);
}

/** Only the parts of the strict block that differ; missing parts are added. */
function planExpected({ result, step, document }: Planning): Plan {
  const block = enter(step, 'expected');
  if (block === undefined || block.isShared) return refuse(SHARED);
  if (typeof valueAtPath(document.value, block.path) === 'string') return refuse(TEMPLATE);
  const changes: ValueChange[] = [];
  for (const part of ['output', 'tools_used', 'memory']) {
    const actual = (result.actual as JsonObject)[part]!;
    if (jsonEqual((result.expected as JsonObject)[part]!, actual)) continue;
    const found = enter(block, part);
    const plan = found === undefined ? planAddition(block, part, actual) : planValue(found, actual, document);
    if ('refusal' in plan) return plan;
    changes.push(...plan.changes.map((change) => ({ ...change, below: [part, ...change.below] })));
  }
  return { changes };
}

function planAddition(block: FoundNode, part: string, value: Json): Plan {
  const matcher = firstMatcher(value);
  return matcher === undefined
    ? { changes: [{ path: [...block.path, part], below: [], value, old: undefined }] }
    : refuse(readAsMatcher(matcher));
}

function readAsMatcher(name: string): string {
  return `the value would be read as the matcher \`${name}\`: write it with {$literal: ...}`;
}

function planEvaluator(planning: Planning): Plan {
  const evaluator = ownEvaluator(planning);
  if (evaluator === undefined) return refuse(OF_ALL_TESTS);
  if (isTrue(evaluator, 'negate', planning.document)) return refuse('it is negated: change it by hand');
  return planValue(enter(evaluator, 'value'), planning.result.actual!, planning.document);
}

/** The expected answer of the test, if it is one text or one structured value. */
function planMatch(planning: Planning): Plan {
  const { result, step, document } = planning;
  // One for all tests still compares with the answer of this test.
  const evaluator = ownEvaluator(planning);
  const says = (key: string): boolean => evaluator !== undefined && isTrue(evaluator, key, document);
  if (says('negate') || says('partial')) return refuse('it is negated or partial: change it by hand');
  const isGiven = (name: string): boolean =>
    (valueAtPath(document.value, [...step.path, name]) ?? null) !== null;
  const name = ['expected_messages', 'expected_output'].find(isGiven);
  const found = name === undefined ? undefined : onlyAnswer(enter(step, name)!, document);
  if (found === undefined)
    return refuse('the expected answer is more than one message or has tool calls: change it by hand');
  const { actual } = result;
  const old = valueAtPath(document.value, found.path);
  if (typeof old === 'string')
    return typeof actual === 'string' ? planValue(found, actual, document) : refuse(NO_TEXT);
  const structured = typeof actual === 'string' ? onlyJson(actual) : actual;
  return typeof structured === 'object' && structured !== null
    ? planValue(found, structured, document)
    : refuse('the expected answer is JSON, but the reply is not');
}

function onlyJson(text: string): Json | undefined {
  const found = findFenced(text);
  return found.kind === 'one' ? found.value : undefined;
}

const NO_TEXT = 'the reply is structured, and the expected answer is text';

/** The content of the only message; the value itself if it is not a message. */
function onlyAnswer(found: FoundNode, { value: root }: SourceDocument): FoundNode | undefined {
  let answer: FoundNode | undefined = found;
  let value = valueAtPath(root, found.path);
  const isMessage = (item: Json | undefined): item is JsonObject =>
    isJsonObject(item) && Object.hasOwn(item, 'role');
  if (Array.isArray(value) && value.some(isMessage)) {
    if (value.length > 1) return undefined;
    answer = enter(found, 0);
    value = value[0] as Json;
  }
  if (!isMessage(value)) return answer;
  if (ownValue(value, 'role') !== 'assistant' || Object.hasOwn(value, 'tool_calls')) return undefined;
  return answer === undefined ? undefined : enter(answer, 'content');
}

/** The evaluator in the file, unless it applies to other tests too. */
function ownEvaluator({ result, test, document }: Planning): FoundNode | undefined {
  return findMap(test, document.offsetOf(result));
}

function isTrue(map: FoundNode, key: string, { value }: SourceDocument): boolean {
  return valueAtPath(value, [...map.path, key]) === true;
}

function planValue(found: FoundNode | undefined, value: Json, document: SourceDocument): Plan {
  if (found === undefined) return refuse('its location in the file was not found');
  if (found.isShared) return refuse(SHARED);
  const old = valueAtPath(document.value, found.path);
  if (old === undefined) return refuse('its location in the file was not found');
  const changes = smallest(found, old, value);
  const matcher = changes.map((change) => firstMatcher(change.old)).find((name) => name !== undefined);
  if (matcher !== undefined) return refuse(`it contains the matcher \`${matcher}\`: change it by hand`);
  const lookalike = firstMatcher(changes.map((change) => change.value));
  if (lookalike !== undefined) return refuse(readAsMatcher(lookalike));
  return {
    changes: changes.map((change) => ({ ...change, below: change.path.slice(found.path.length) })),
  };
}

type PlacedChange = Omit<ValueChange, 'below'>;

/** If both have the same shape, only the parts that differ are changed: comments and style of the rest are kept. */
function smallest(found: FoundNode, old: Json, value: Json): readonly PlacedChange[] {
  // What a matcher accepts is as expected, and stays.
  if (jsonEqual(old, value) || (isMatcher(old) && jsonMatches(old, value))) return [];
  if (isJsonObject(old) && isJsonObject(value) && hasSameKeys(old, value))
    return inside(found, Object.keys(old), { old, value }) ?? [{ path: found.path, value, old }];
  if (Array.isArray(old) && Array.isArray(value) && old.length === value.length && old.length > 0)
    return inside(found, [...old.keys()], { old, value }) ?? [{ path: found.path, value, old }];
  return [{ path: found.path, value, old }];
}

function inside(
  found: FoundNode,
  segments: readonly PathSegment[],
  { old, value }: { readonly old: Json; readonly value: Json },
): readonly PlacedChange[] | undefined {
  const changes: PlacedChange[] = [];
  for (const segment of segments) {
    const inner = enter(found, segment);
    if (inner === undefined || inner.isShared) return undefined;
    changes.push(...smallest(inner, valueAtPath(old, [segment])!, valueAtPath(value, [segment])!));
  }
  return changes;
}

function hasSameKeys(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return (
    keys.length > 0 && keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key))
  );
}

function refuse(refusal: string): Plan {
  return { refusal };
}

/** Whether the value in the file is a template, or the new one would be read as one. */
function isTemplate({ old, value }: ValueChange): boolean {
  return [old, value].some((each) => each !== undefined && printJson(each).includes('{{'));
}

const OF_ALL_ROWS = 'it is the same for all rows of `each`: change it, or the row, by hand';
const TEMPLATE =
  'the value in the file, or the new one, contains `{{`, which stands for a variable: change it by hand';
const SHARED = 'it has an anchor, an alias or a tag, so the same value may be used elsewhere';
const OF_ALL_TESTS = 'it is outside the test and applies to others too: change it by hand';
