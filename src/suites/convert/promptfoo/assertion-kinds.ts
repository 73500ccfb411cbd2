import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../../base/model/json.ts';
import { asText, asTexts } from './assertion-values.ts';
import { parseYaml } from './parse-yaml.ts';

/** What an assertion says, without `not-` and with its value filled in. */
interface Said {
  readonly value: Json | undefined;
  readonly threshold: number | undefined;
}

/** The evaluator for it, or why there is none. */
export type Made =
  | {
      readonly evaluator: JsonObject;
      /** What `not-` becomes; default: the evaluator with `negate`. */
      readonly negated?: JsonObject | { readonly why: string };
    }
  | { readonly why: string };

type Kind = (said: Said) => Made;

const text =
  (type: string): Kind =>
  ({ value }) => {
    const wanted = asText(value);
    if (wanted === undefined || wanted === '')
      return { why: 'it has no text to search for, which promptfoo does not allow either' };
    return { evaluator: { type, value: wanted } };
  };

const texts =
  (type: string): Kind =>
  ({ value }) => {
    const wanted = asTexts(value);
    if (wanted === undefined || wanted.length === 0) return { why: 'it has no strings to search for' };
    return { evaluator: { type, value: wanted } };
  };

/** Letters are compared as JavaScript's lower case: it changes the result only for letters like ß. */
function lowercase(kind: Kind): Kind {
  return (said) => {
    const made = kind(said);
    return 'why' in made ? made : { evaluator: { ...made.evaluator, lowercase: true } };
  };
}

const rubric: Kind = ({ value, threshold }) => {
  const sentences =
    typeof value === 'string' ? [value] : isJsonList(value ?? null) ? (value as readonly Json[]) : [];
  if (sentences.length === 0 || !sentences.every((each) => typeof each === 'string' && each.trim() !== ''))
    return { why: 'it has no sentence to judge' };
  if (threshold === undefined || threshold <= 0 || threshold > 1)
    return { evaluator: { type: 'rubric', rubrics: sentences }, negated: TURN_ROUND };
  // A judge gives whole points from 0 to 10.
  const points = Math.ceil(Number((threshold * 10).toFixed(6)));
  return {
    evaluator: {
      type: 'rubric',
      rubrics: sentences.map((sentence, index) => ({
        id: `rubric-${index + 1}`,
        score_ranges: { '0': `This does not hold: ${sentence as string}`, [String(points)]: sentence },
        required_min_score: points,
      })),
      required: threshold,
    },
    negated: TURN_ROUND,
  };
};

const TURN_ROUND = { why: 'a judge is not turned round: write the sentence the other way round' };

const noCounterpart =
  (why: string): Kind =>
  () => ({ why });

const EMBEDDINGS = noCounterpart('Assay does not compare embeddings: judge the meaning with a `rubric`');
const OVERLAP = noCounterpart('Assay does not count common words: use `contains_all`, or a `rubric`');
const MARKUP = noCounterpart('Assay has no check for this syntax: use `regex`, or write a custom evaluator');
const CONTEXT = noCounterpart('it has its own prompt: write what you expect as a `rubric`');
const TRACE = noCounterpart(
  'Assay does not read these spans here: use `execution_metrics` or `tool_trajectory`',
);
const CALLS = noCounterpart('tool calls are separate evidence: use `tool_trajectory`');
const COMPARED = noCounterpart('it compares the answers of several providers: use `assay compare`');
const OUTSIDE = noCounterpart('it calls a service: write a custom evaluator');

/** The assertions of promptfoo that are not code. */
export const ASSERTION_KINDS: Readonly<Record<string, Kind>> = {
  equals: ({ value }) => {
    if (value === undefined) return { why: 'it has no value' };
    if (typeof value === 'object') return { evaluator: { type: 'is_json', schema: { const: value } } };
    return { evaluator: { type: 'equals', value: String(value) } };
  },
  contains: text('contains'),
  icontains: lowercase(text('icontains')),
  'starts-with': (said) =>
    typeof said.value === 'string'
      ? text('starts_with')(said)
      : { why: 'its value is not a string, which promptfoo does not allow either' },
  'contains-any': texts('contains_any'),
  'contains-all': texts('contains_all'),
  'icontains-any': lowercase(texts('icontains_any')),
  'icontains-all': lowercase(texts('icontains_all')),
  regex: ({ value }) => {
    if (typeof value !== 'string' || value === '') return { why: 'it has no pattern' };
    try {
      void new RegExp(value);
    } catch (error) {
      return { why: (error as Error).message };
    }
    return { evaluator: { type: 'regex', value, dialect: 'js' } };
  },
  'is-json': isJson,
  'word-count': wordCount,
  latency: ({ threshold }) =>
    threshold === undefined ? { why: 'it has no threshold' } : { evaluator: { type: 'latency', threshold } },
  cost: ({ threshold }) =>
    threshold === undefined
      ? { why: 'it has no threshold' }
      : { evaluator: { type: 'cost', budget: threshold } },
  'llm-rubric': rubric,
  'model-graded-closedqa': rubric,
  'g-eval': ({ value, threshold = 0.7 }) => rubric({ value, threshold }),
  'trajectory:tool-used': toolUsed,
  'trajectory:tool-sequence': toolSequence,
  'trajectory:tool-args-match': toolArguments,
  'contains-json': noCounterpart(
    'Assay does not search for JSON in text: use `is_json`, which reads JSON in code fences',
  ),
  levenshtein: noCounterpart('Assay does not count edits: use `equals` or `regex`'),
  factuality: noCounterpart('it has its own prompt: use `expected_output` with an `llm_judge`'),
  'model-graded-factuality': noCounterpart(
    'it has its own prompt: use `expected_output` with an `llm_judge`',
  ),
  'answer-relevance': CONTEXT,
  'context-faithfulness': CONTEXT,
  'context-recall': CONTEXT,
  'context-relevance': CONTEXT,
  'conversation-relevance': CONTEXT,
  'agent-rubric': CONTEXT,
  'search-rubric': CONTEXT,
  'trajectory:goal-success': CONTEXT,
  'is-refusal': noCounterpart('Assay keeps no list of refusals: use a `rubric`'),
  similar: EMBEDDINGS,
  'similar:cosine': EMBEDDINGS,
  'similar:dot': EMBEDDINGS,
  'similar:euclidean': EMBEDDINGS,
  bleu: OVERLAP,
  gleu: OVERLAP,
  meteor: OVERLAP,
  'rouge-n': OVERLAP,
  'contains-html': MARKUP,
  'is-html': MARKUP,
  'contains-sql': MARKUP,
  'is-sql': MARKUP,
  'contains-xml': MARKUP,
  'is-xml': MARKUP,
  'trace-error-spans': TRACE,
  'trace-span-count': TRACE,
  'trace-span-duration': TRACE,
  'trajectory:step-count': TRACE,
  'tool-call-f1': CALLS,
  'is-valid-function-call': CALLS,
  'is-valid-openai-function-call': CALLS,
  'is-valid-openai-tools-call': CALLS,
  'skill-used': CALLS,
  'select-best': COMPARED,
  'max-score': COMPARED,
  human: noCounterpart('people do not judge in a run'),
  classifier: OUTSIDE,
  guardrails: OUTSIDE,
  moderation: OUTSIDE,
  pi: OUTSIDE,
  webhook: OUTSIDE,
  perplexity: noCounterpart('agents report no log probabilities'),
  'perplexity-score': noCounterpart('agents report no log probabilities'),
  'finish-reason': noCounterpart('agents report no finish reason'),
  ruby: noCounterpart('custom evaluators are JavaScript, TypeScript or Python'),
};

function isJson({ value: said }: Said): Made {
  // A schema may be YAML in a text.
  const value = typeof said === 'string' && said.trim() !== '' ? parseYaml(said) : said;
  if (value === undefined || value === '') return { evaluator: { type: 'is_json' } };
  return isJsonObject(value)
    ? { evaluator: { type: 'is_json', schema: value } }
    : { why: 'its schema is not an object: write it out, or name a file' };
}

/** Words are what stands between white space. */
function wordCount({ value }: Said): Made {
  const isRange = isJsonObject(value ?? null);
  const bound = (key: string): number | undefined =>
    wholeNumber(isRange ? ownValue(value as JsonObject, key) : value);
  const [min, max] = [bound('min'), bound('max')];
  if (
    (min === undefined && max === undefined) ||
    (isRange && Object.keys(value as object).some((key) => key !== 'min' && key !== 'max'))
  )
    return { why: 'it has no number of words' };
  const low = min ?? 0;
  const pattern =
    low > 0
      ? String.raw`^\s*\S+(?:\s+\S+){${low - 1},${max === undefined ? '' : max - 1}}\s*$`
      : max === 0
        ? String.raw`^\s*$`
        : String.raw`^\s*(?:\S+(?:\s+\S+){0,${max === undefined ? '' : max - 1}}\s*)?$`;
  return { evaluator: { type: 'regex', value: pattern, dialect: 'js' } };
}

function wholeNumber(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number <= 10_000
    ? number
    : undefined;
}

const NO_OPPOSITE = { why: 'a trajectory is not turned round: use `forbidden` or `maximums`' };
const PATTERN_OF_TOOLS = { why: 'a pattern of tool names has no counterpart: name the tools' };

function toolName(step: Json): string | undefined {
  const name = isJsonObject(step) ? ownValue(step, 'name') : step;
  const isPlain =
    !isJsonObject(step) || Object.keys(step).every((key) => ['name', 'type', 'min', 'max'].includes(key));
  return isPlain && isPlainName(name) ? name : undefined;
}

/** In promptfoo every name of a tool is a pattern. */
function isPlainName(name: Json | undefined): name is string {
  return typeof name === 'string' && name !== '' && !/[*?]/.test(name);
}

function toolUsed({ value }: Said): Made {
  const steps = isJsonList(value ?? null) ? (value as readonly Json[]) : [value ?? null];
  const names = steps.map(toolName);
  if (names.length === 0 || names.some((name) => name === undefined)) return PATTERN_OF_TOOLS;
  const single = steps.length === 1 && isJsonObject(steps[0]!) ? steps[0] : undefined;
  const [min, max] = ['min', 'max'].map((key) => (single === undefined ? undefined : ownValue(single, key)));
  const minimums = Object.fromEntries(names.map((name) => [name!, typeof min === 'number' ? min : 1]));
  const maximums = typeof max === 'number' ? { maximums: { [names[0]!]: max } } : {};
  const isAny = min === undefined && max === undefined;
  return {
    evaluator: { type: 'tool_trajectory', minimums, ...maximums, ignore_case: true },
    negated: isAny
      ? { type: 'tool_trajectory', forbidden: names as readonly string[], ignore_case: true }
      : NO_OPPOSITE,
  };
}

function toolSequence({ value }: Said): Made {
  const steps = isJsonObject(value ?? null) ? ownValue(value as JsonObject, 'steps') : value;
  const mode = isJsonObject(value ?? null)
    ? (ownValue(value as JsonObject, 'mode') ?? 'in_order')
    : 'in_order';
  const names = isJsonList(steps ?? null) ? (steps as readonly Json[]).map(toolName) : [];
  if (names.length === 0 || names.some((name) => name === undefined)) return PATTERN_OF_TOOLS;
  if (mode !== 'in_order' && mode !== 'exact') return { why: 'promptfoo has no such mode' };
  const expected = names.map((name) => ({ tool: name! }));
  return { evaluator: { type: 'tool_trajectory', mode, expected, ignore_case: true }, negated: NO_OPPOSITE };
}

function toolArguments({ value }: Said): Made {
  if (!isJsonObject(value ?? null)) return { why: 'it has no tool and no arguments' };
  const { name, args, mode = 'partial', ...others } = value as JsonObject;
  if (!isPlainName(name) || !isJsonObject(args ?? null) || Object.keys(others).length > 0)
    return PATTERN_OF_TOOLS;
  return {
    evaluator: {
      type: 'tool_trajectory',
      mode: 'any_order',
      expected: [{ tool: name, args: args!, args_match: mode === 'partial' ? 'deep_partial' : mode }],
      ignore_case: true,
    },
    negated: NO_OPPOSITE,
  };
}
