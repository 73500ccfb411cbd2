import { expect, test } from 'vitest';
import { loadYaml } from './load-yaml.ts';

/** Typical mistakes. The caret stands under what its author did, which is often not where the parser stopped. */
const MISTAKES: [mistake: string, text: string, message: string, hint?: string][] = [
  ['a tab as indentation', 'a:\n\t- b\n^', 'a tab cannot indent YAML', 'indent with spaces'],
  ['a tab inside', 'a:\n  - b: 1\n\t  c: 2\n^', 'a tab cannot indent YAML'],
  ['a tab under |', 'a: |\n\t\tb\n^', 'a tab cannot indent YAML'],
  [
    'a double quote left open',
    'a:\n  - b: "hello\n       ^\n    c: x',
    'a quote that is not closed',
    'add the closing "',
  ],
  ['a single quote left open', "a: 'hello\n   ^\nb: x", 'a quote that is not closed', "add the closing '"],
  ['a quote left open at the end', 'a: "hello\n   ^', 'a quote that is not closed'],
  ['a quote left open before quoted lines', 'a: "x\n   ^\nb: "y"\nc: "z"', 'a quote that is not closed'],
  ['a quote left open before a key', '- "id: a\n  ^\n  b: c\n', 'a quote that is not closed'],
  ['a mistake below a text over several lines', 'a: "x\n  y"\nb:z\n^\nc: 1', 'a key without ": " after it'],
  [
    'an apostrophe in single quotes',
    "a: 'it's fine'\n      ^\nb: 1",
    'the quotes end here, in the middle of the text',
    "inside single quotes an apostrophe is written twice: 'it''s'",
  ],
  [
    'quotes in double quotes',
    'a: "say "hi" now"\n        ^',
    'the quotes end here, in the middle of the text',
    'inside double quotes a double quote is written \\"',
  ],
  [
    'text after quotes',
    'a: "hello" world\n           ^',
    'text after the closing quote',
    'put the whole value in one pair of quotes',
  ],
  ['two quoted values', 'a: "hello", "world"\n          ^', 'text after the closing quote'],
  [
    'a colon in a value',
    'a: Say: hi\n      ^',
    '": " inside a value without quotes',
    'put the value in quotes',
  ],
  [
    'a colon at the end of a value',
    '- b: Answer this:\n                ^\n  c: d',
    '": " inside a value without quotes',
  ],
  ['a colon in an item', '- id: a: b\n       ^', '": " inside a value without quotes'],
  [
    'no blank after a colon, first',
    '- id:a\n  ^\n  b: c',
    'a key without ": " after it',
    'write it as "key: value", with a space after the colon',
  ],
  ['no blank after a colon', 'a: 1\nb:x\n^\nc: 2', 'a key without ": " after it'],
  ['no colon', 'a: 1\nb\n^\nc: 2', 'a key without ": " after it'],
  [
    'no blank after a dash',
    'a:\n  -id: a\n  ^\n   b: x',
    'a "-" without a space after it',
    'write "- " before each item of a list',
  ],
  [
    'indented too far',
    '- id: a\n   b: x\n   ^',
    'this line does not fit the indentation of the lines above',
    'keys of one object start in the same column',
  ],
  [
    'indented too little',
    'a:\n  - id: a\n   b: x\n   ^',
    'this line does not fit the indentation of the lines above',
  ],
  [
    'a key where an item is due',
    'a:\n  - b\n  c: d\n  ^',
    'this line does not fit the indentation of the lines above',
  ],
  [
    'a text over several lines with a colon',
    'a: b c\n   d: e\n   ^',
    'this line does not fit the indentation of the lines above',
    'needs quotes',
  ],
  [
    'a text under | that is not indented',
    '- a: |\n  hello\n  ^\n  world',
    'the text under "|" or ">" is not indented',
    'indent it deeper than its key',
  ],
  [
    'text behind |',
    'a: | hello\n     ^',
    'text on the line of "|" or ">"',
    'start the text on the next line',
  ],
  ['a list left open', 'a:\n  b: [x, y\n     ^\n  c: z', 'a "[" that is not closed', 'add the closing ]'],
  ['an object left open', 'a: {b: 1\n   ^\nc: z', 'a "{" that is not closed', 'add the closing }'],
  [
    'one bracket too many',
    'a: [b]]\n      ^',
    'a "]" that nothing opened',
    'remove it, or put the value in quotes',
  ],
  ['a list left open in an object', 'a: {b: [c }\n       ^', 'a "[" that is not closed', 'add the closing ]'],
  [
    'a missing comma',
    '{"a": "1"\n "b": 2}\n ^',
    'a comma is missing before this',
    'items inside [ ] and { } are separated by commas',
  ],
  ['two commas', 'a: [b,, c]\n      ^', 'a comma with nothing before it', 'remove it'],
  [
    'a value that begins with @',
    'a: @b c\n   ^',
    'a value cannot start with "@" here',
    'put the value in quotes',
  ],
  ['a value that begins with `', '- `b`\n  ^', 'a value cannot start with "`" here'],
  ['a value that begins with %', 'a: %b\n   ^', 'a value cannot start with "%" here'],
  ['Markdown in bold', 'a: **b** c\n   ^', 'a value cannot start with "*" here'],
  ['a value that begins with &', 'a: & b\n   ^', 'a value cannot start with "&" here'],
  ['a value that begins with ?', 'a: ? b\n   ^', 'a value cannot start with "?" here'],
  ['a list on the line of its key', 'a: - b\n   ^', 'a value cannot start with "-" here'],
  [
    'a backslash in double quotes',
    'a: "C:\\path"\n      ^',
    'an unknown escape in double quotes',
    "in single quotes ('...') it is a plain character",
  ],
  ['a pattern in double quotes', 'a: "\\d+"\n    ^', 'an unknown escape in double quotes'],
  ['a short \\u', 'a: "\\u12"\n    ^', '\\x, \\u and \\U need hexadecimal digits'],
];

test.each(MISTAKES)('%s', (_mistake, drawn, message, hint = '') => {
  const lines = drawn.split('\n');
  const caret = lines.findIndex((line) => /^\s*\^$/.test(line));
  const text = lines.toSpliced(caret, 1).join('\n');
  const { findings } = loadYaml(text, { scalars: 'core' });
  expect(findings.map((finding) => [finding.code, finding.message, finding.line, finding.column])).toEqual([
    ['yaml_syntax', message, caret, lines[caret]!.indexOf('^') + 1],
  ]);
  expect(findings[0]!.hint).toContain(hint);
});

test('the error of a second document points at its dashes', () => {
  expect(loadYaml('a: 1\n\n# c\n--- \nb: 2', { scalars: 'core' }).findings).toMatchObject([
    { code: 'yaml_documents', line: 4, column: 1 },
  ]);
});

test('a template in braces gets a hint', () => {
  expect(loadYaml('a: {{name}}', { scalars: 'core' }).findings).toMatchObject([
    { code: 'yaml_key', hint: expect.stringContaining('in quotes') },
  ]);
});

test("an unexplained problem keeps the parser's message and gets a hint", () => {
  expect(loadYaml('%YAML 3.0\n---\na: 1', { scalars: 'core' }).findings).toMatchObject([
    { code: 'yaml_syntax', message: expect.stringMatching(/YAML/), hint: expect.any(String) },
  ]);
});
