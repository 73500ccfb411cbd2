import { LIMITS } from '../limits.ts';
import type { SyntaxProblem } from '../syntax-problem.ts';
import {
  findOpenBracket,
  findOpenQuote,
  firstIndicator,
  indentOf,
  lineAround,
  lineBefore,
  secondColon,
  unindentedBlock,
} from './syntax-clues.ts';

export interface RawYamlError {
  readonly reason: string;
  readonly offset: number;
}

export const TOO_DEEP = {
  code: 'too_deep',
  message: `nested more than ${LIMITS.depth} levels deep`,
  hint: 'flatten the data',
} as const;

type Explanation = readonly [message: string, hint?: string, offset?: number];
type Explainer = (text: string, error: RawYamlError) => Explanation | undefined;

/** Translates the parser's message: what is wrong, where, and what to do. */
export function explainSyntaxError(text: string, error: RawYamlError): SyntaxProblem {
  if (error.reason.startsWith('nesting exceeded')) return { ...TOO_DEEP, offset: error.offset };
  for (const explain of EXPLAINERS) {
    const explanation = explain(text, error);
    if (explanation === undefined) continue;
    const [message, hint, offset = error.offset] = explanation;
    return { code: 'yaml_syntax', message, hint, offset };
  }
  return {
    code: 'yaml_syntax',
    message: error.reason,
    hint: 'put the value in quotes if it is text',
    offset: error.offset,
  };
}

/** The first explanation that applies is used: the most reliable ones come first. */
const EXPLAINERS: readonly Explainer[] = [
  badCharacter,
  tab,
  openQuote,
  textAfterQuote,
  flowCollection,
  badEscape,
  strayBracket,
  openBraces,
  indicator,
  blockText,
  colonInValue,
  keyWithoutColon,
  indentation,
];

function badCharacter(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  if (!/null byte|non-printable|valid JSON character/.test(reason)) return undefined;
  const name = `U+${(text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return [
    `the character ${name} is not allowed in YAML`,
    'remove it, or write it as an escape in double quotes, such as "\\u0000"',
  ];
}

/** `input: {{name}} hi`: to YAML, an object inside of an object. */
function openBraces(text: string, { offset }: RawYamlError): Explanation | undefined {
  const here = lineAround(text, offset);
  for (const line of [here, lineBefore(text, here.start)]) {
    const at = /:\s+(?=\{\{)/.exec(line.text);
    if (at === null) continue;
    const found = line.start + at.index + at[0].length;
    return ['a value that starts with "{{" needs quotes', 'put the whole value in quotes', found];
  }
  return undefined;
}

function tab(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  const line = lineAround(text, offset);
  if (!reason.includes('tab characters') && !/^ *\t/.test(line.text)) return undefined;
  const at = text.indexOf('\t', line.start);
  return ['a tab cannot indent YAML', 'indent with spaces', at === -1 ? offset : at];
}

function openQuote(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  if (!/quoted scalar|deficient|flow collection|multiline key|end of the stream|bad indentation/.test(reason))
    return undefined;
  const open = findOpenQuote(text, offset);
  return open === undefined
    ? undefined
    : ['a quote that is not closed', `add the closing ${text[open]}`, open];
}

function textAfterQuote(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  const { start } = lineAround(text, offset);
  const [, quote, gap] = /(["'])( *)$/.exec(text.slice(start, offset)) ?? [];
  if (quote === undefined || text[offset] === ':' || !/bad indentation|end of the stream or/.test(reason))
    return undefined;
  if (gap !== '' || !/[\p{L}\p{N}]/u.test(text[offset] ?? ''))
    return ['text after the closing quote', 'put the whole value in one pair of quotes'];
  const hint =
    quote === "'"
      ? "inside single quotes an apostrophe is written twice: 'it''s'"
      : 'inside double quotes a double quote is written \\"';
  return ['the quotes end here, in the middle of the text', hint, offset - 1];
}

function flowCollection(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  const isOther = text[offset] === '}' || text[offset] === ']';
  if (reason.includes('missed comma') && !(isOther && findOpenBracket(text, offset) !== undefined))
    return ['a comma is missing before this', 'items inside [ ] and { } are separated by commas'];
  if (reason.includes("found ','")) return ['a comma with nothing before it', 'remove it'];
  if (!/missed comma|flow collection|deficient indentation/.test(reason)) return undefined;
  const open = findOpenBracket(text, offset);
  return open === undefined
    ? undefined
    : [`a "${text[open]}" that is not closed`, `add the closing ${text[open] === '[' ? ']' : '}'}`, open];
}

function badEscape(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  if (reason.includes('hexadecimal'))
    return [
      '\\x, \\u and \\U need hexadecimal digits',
      'a backslash itself is written \\\\ in double quotes',
      text.lastIndexOf('\\', offset),
    ];
  if (!reason.includes('unknown escape')) return undefined;
  const hint =
    "in double quotes a backslash is written \\\\; in single quotes ('...') it is a plain character";
  return ['an unknown escape in double quotes', hint, text[offset - 1] === '\\' ? offset - 1 : offset];
}

function strayBracket(text: string, { offset }: RawYamlError): Explanation | undefined {
  const bracket = text[offset] ?? '';
  return bracket === ']' || bracket === '}'
    ? [`a "${bracket}" that nothing opened`, 'remove it, or put the value in quotes']
    : undefined;
}

function indicator(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  if (reason.includes('line break is expected'))
    return [
      'text on the line of "|" or ">"',
      'start the text on the next line, indented deeper; or put the value in quotes',
    ];
  if (
    !/bad indentation|name of an? (?:anchor|alias)|\btag\b|properties|expected ':'|end of the stream or/.test(
      reason,
    )
  )
    return undefined;
  const at = firstIndicator(text, offset);
  return at === undefined
    ? undefined
    : [`a value cannot start with "${text[at]}" here`, 'put the value in quotes', at];
}

function blockText(text: string, { offset }: RawYamlError): Explanation | undefined {
  const at = unindentedBlock(text, offset);
  return at === undefined
    ? undefined
    : ['the text under "|" or ">" is not indented', 'indent it deeper than its key', at];
}

function colonInValue(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  const line = lineAround(text, offset);
  const colon = secondColon(line.text);
  if (colon === undefined || !/mapping entry|multiline key|end of the stream/.test(reason)) return undefined;
  return ['": " inside a value without quotes', 'put the value in quotes', line.start + colon];
}

function keyWithoutColon(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  const before = lineBefore(text, offset);
  const dash = /^\s*-(?=[^\s-])/.exec(before.text);
  if (dash !== null)
    return [
      'a "-" without a space after it',
      'write "- " before each item of a list',
      before.start + dash[0].length - 1,
    ];
  const isWord =
    /^[\s-]*[\w.$]+\s*$/.test(before.text) &&
    indentOf(before.text) === indentOf(lineAround(text, offset).text);
  if (
    (isWord || /^[\s-]*[\w.$]+:\S/.test(before.text)) &&
    /multiline key|sequence entry|mapping entry/.test(reason)
  ) {
    return [
      'a key without ": " after it',
      'write it as "key: value", with a space after the colon',
      before.start + indentOf(before.text),
    ];
  }
  return /key-value separator|expected ':'|multiline key/.test(reason)
    ? ['a key without ": " after it', 'write it as "key: value", with a space after the colon']
    : undefined;
}

function indentation(text: string, { reason, offset }: RawYamlError): Explanation | undefined {
  if (!/indentation|end of the stream or a document separator/.test(reason)) return undefined;
  const line = lineAround(text, offset);
  const hint =
    'keys of one object start in the same column; a string over several lines that contains ": " needs quotes';
  return [
    'this line does not fit the indentation of the lines above',
    hint,
    line.start + Math.max(0, line.text.search(/\S/)),
  ];
}
