import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import { isClaimKey } from './claim-keys.ts';
import { CASE_LISTS } from './eval-file.ts';
import { parseDocument } from './document.ts';

/** The beginning of a file, possibly all of it. */
export interface FileHead {
  readonly path: string;
  readonly text: string;
  readonly isWhole: boolean;
  /** A file beside it may contain what its lines leave out. */
  readonly hasSidecar: boolean;
}

/**
 * Whether a file that nobody named contains tests. Other tools use `tests`, `steps` and `input` too, and data has
 * ids: this looks for a test that could run, with an input and something to check.
 */
export function looksLikeSuite(head: FileHead): boolean {
  const { path, text, isWhole } = head;
  if (OWN_REPORT.test(text)) return false;
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return isCaseLine(head);
  if (!MAY_HOLD_TESTS.test(text)) return false;
  const cut = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  const document = parseDocument(path, cut, 'core');
  return 'source' in document ? isSuite(document.value) : hasWordsOfSuite(text);
}

/** What the reporters `json` and `jsonl` write has tests in it, but they are results. */
const OWN_REPORT = /^\s*\{\s*"(?:run_id"|id".*"fingerprint"|finding")\s*:/;

/** A key of a suite at the beginning of a line, a list item or an object. */
const MAY_HOLD_TESTS = /(?:^|[{,-])[ \t]*["']?(?:evalcases|tests|cases|steps|input)["']?[ \t]*:/m;

function isSuite(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isStepTest);
  if (!isJsonObject(value)) return false;
  const shared = { hasChecks: hasAny(value, SHARED_CHECKS), hasInput: hasAny(value, ['prompts']) };
  return isStepTest(value) || CASE_LISTS.some((name) => holdsCases(ownValue(value, name), name, shared));
}

interface Shared {
  readonly hasChecks: boolean;
  readonly hasInput: boolean;
}

function holdsCases(cases: Json | undefined, name: string, shared: Shared): boolean {
  if (!Array.isArray(cases)) return false;
  // No other tool is known to use this word.
  if (name === 'evalcases') return cases.some(isJsonObject);
  return cases.some((item) => isCase(item, shared));
}

function isCase(value: Json, { hasChecks, hasInput }: Shared): boolean {
  if (!isJsonObject(value)) return false;
  const id = ownValue(value, 'id');
  return (
    typeof id === 'string' && (hasInput || hasAny(value, INPUTS)) && (hasChecks || hasAny(value, CHECKS))
  );
}

function isStepTest(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const steps = ownValue(value, 'steps');
  return isStep(value) || (Array.isArray(steps) && steps.some(isStep));
}

/** Many unit tests have lists of `input` and `expected` as data, so both must be as in a step. */
function isStep(value: Json): boolean {
  if (!isJsonObject(value) || typeof ownValue(value, 'input') !== 'string') return false;
  const claims = ownValue(value, 'assert') ?? null;
  if (Array.isArray(claims))
    return claims.some((item) => isJsonObject(item) && typeof ownValue(item, 'type') === 'string');
  if (isJsonObject(claims) && Object.keys(claims).some(isClaimKey)) return true;
  const expected = ownValue(value, 'expected') ?? null;
  return isJsonObject(expected) && typeof ownValue(expected, 'output') === 'string';
}

const INPUTS = ['input', 'input_messages', 'steps'];
const SHARED_CHECKS = ['evaluators', 'evaluator', 'execution'];
const CHECKS = [
  ...SHARED_CHECKS,
  'expected_outcome',
  'outcome',
  'criteria',
  'assertions',
  'assert',
  'rubrics',
];

function hasAny(value: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => (ownValue(value, name) ?? null) !== null);
}

function isCaseLine({ text, isWhole, hasSidecar }: FileHead): boolean {
  const [line = ''] = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1);
  if (!line.startsWith('{')) return false;
  // The first line is longer than what was read.
  if (!isWhole && !text.includes('\n')) return hasWordsOfSuite(line);
  const parsed = tryParseJson(line) ?? null;
  return isCase(parsed, { hasChecks: hasSidecar, hasInput: false });
}

/** For a text that cannot be parsed, because it was cut or is broken. */
function hasWordsOfSuite(text: string): boolean {
  if (hasKey(text, ['evalcases', String.raw`output\.(?:includes|matches|equals)`])) return true;
  return hasKey(text, ['id']) && hasKey(text, INPUTS) && hasKey(text, CHECKS);
}

function hasKey(text: string, names: readonly string[]): boolean {
  return new RegExp(`(?:^|[{,\\s-])["']?(?:${names.join('|')})["']?[ \\t]*:`, 'm').test(text);
}
