import { search } from '../../python-re/index.ts';
import { sampleMatch } from '../../python-re/sample-match.ts';
import { compile, PatternError } from '../../python-re/index.ts';
import { findText } from '../../text-language/find-text.ts';
import { includesText } from '../../includes-text.ts';
import { isJsonList, jsonTypeOf } from '../../../model/json.ts';
import type { TextRule } from '../../../model/text-rule.ts';
import { refine } from '../../../schema/refine.ts';
import { anyJson, text } from '../../../schema/values.ts';
import { SAMPLES, type Matcher } from '../matcher.ts';

export const regex: Matcher = {
  name: '$regex',
  doc: "A text in which Python 3.11's `re.search` finds this pattern.",
  example: { $regex: '^AB-\\d+$' },
  schema: refine(text({ label: 'Python pattern' }), (_authored, reader, pattern) => {
    try {
      compile(pattern);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      reader.error({ code: 'pattern', message: `Python's re refuses this pattern: ${error.message}` });
    }
  }),
  accepts: () => ['string'],
  holds: (argument, actual) => typeof actual === 'string' && search(argument as string, actual) !== null,
  textRule: (argument) => ({ type: 'pattern', pattern: argument as string }),
  satisfying: (argument) =>
    [sampleMatch(argument as string), textFor(regex.textRule!(argument)!)].filter(isText),
  breaking: (argument) => [textFor({ type: 'not', rule: regex.textRule!(argument)! }), 1].filter(isGiven),
};

export const contains: Matcher = {
  name: '$contains',
  doc: 'A text with this text in it, or a list with an item that equals or matches this.',
  example: { $contains: 'Berlin' },
  schema: anyJson(),
  inner: 'value',
  accepts: (argument) => (typeof argument === 'string' ? ['string', 'array'] : ['array']),
  holds(argument, actual, compare) {
    if (isJsonList(actual)) return actual.some((item) => compare(argument, item));
    return typeof argument === 'string' && typeof actual === 'string' && includesText(actual, argument);
  },
  textRule: (argument) =>
    typeof argument === 'string' ? { type: 'literal', text: argument, at: 'anywhere' } : undefined,
  satisfying: (argument, sample) => [
    ...(typeof argument === 'string' ? [argument] : []),
    ...sample(argument)
      .slice(0, 3)
      .map((item) => [item]),
  ],
  breaking: () => [
    [],
    ...SAMPLES.filter((value) => ['string', 'number', 'array'].includes(jsonTypeOf(value))),
  ],
};

function textFor(rule: TextRule): string | undefined {
  const found = findText([rule]);
  return typeof found === 'string' ? undefined : found.text;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined;
}
