import { expect, it } from 'vitest';
import { parseDocument } from '../../src/suites/formats/document.ts';
import { dialectOf, parseSuiteText } from '../../src/suites/formats/parse-suite.ts';
import { openStepTestList } from '../../src/suites/formats/step-test-list.ts';
import { readYamlList } from '../../src/suites/formats/yaml-list.ts';
import { cutYamlList } from '../../src/suites/formats/yaml/cut-list.ts';
import { NO_ROW_FILES } from '../../src/suites/formats/templates/row-files.ts';
import { knownFormats } from '../../src/suites/load/known-formats.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Json } from '../../src/base/model/json.ts';
import type { PathSegment } from '../../src/base/model/place.ts';
import type { Test } from '../../src/base/model/test.ts';
import type { Source } from '../../src/base/schema/reader.ts';
import { effort } from '../effort.ts';
import * as fc from '../seeded-fast-check.ts';

const FILE = 'list.test.yaml';

interface Reading {
  readonly value: Json;
  readonly findings: readonly Finding[];
  readonly places: unknown;
}

/** What the text comes to when it is cut wherever it can be; undefined when it has to be read as a whole. */
function readInPieces(text: string): (Reading & { readonly pieces: number }) | undefined {
  const pieces = cutYamlList(text, 1);
  if (pieces === undefined) return undefined;
  const { items, source, findings } = readYamlList(FILE, text, pieces);
  const value: Json[] = [];
  for (const item of items()) {
    if (item === undefined) return undefined;
    value.push(item);
  }
  return { value, findings, places: placesOf(value, source), pieces: pieces.length };
}

function readWhole(text: string): Reading {
  const document = parseDocument(FILE, text, dialectOf);
  if (!('source' in document)) return { value: null, findings: document.findings, places: [] };
  const { value, source, findings } = document;
  return { value, findings, places: placesOf(value, source) };
}

/** Of everything in the list; the list itself has none while it is read item by item. */
function placesOf(value: Json, source: Source): unknown {
  const places: unknown[] = [];
  const visit = (below: Json, path: readonly PathSegment[]): void => {
    if (path.length > 0) places.push([path, source.locate(path, 'key'), source.locate(path, 'value')]);
    if (Array.isArray(below)) for (const [index, item] of below.entries()) visit(item, [...path, index]);
    else if (typeof below === 'object' && below !== null)
      for (const [key, item] of Object.entries(below)) visit(item, [...path, key]);
  };
  visit(value, []);
  return places;
}

function compare(text: string): number {
  const inPieces = readInPieces(text);
  if (inPieces === undefined) return 0;
  const { pieces, ...reading } = inPieces;
  expect(reading, text).toEqual(readWhole(text));
  return pieces;
}

const VALID = [
  '- input: hello\n  assert: {output.includes: "a"}',
  '- input: hello\n  input: again',
  '- id: x\n  steps:\n    - input: 010\n    - input: yes',
  '- "input": |\n    text\n\n\n    - no item\n   \n    # no comment\n    --- x',
  '- input: |+\n    kept\n\n\n',
  '- input: >-\n    folded\n      - deeper\n\n    text\n# a comment that ends it',
  '- input: |2\n     two blanks',
  "- 'input': 'in\n\n   quotes -\n   - no item ''\n  '",
  '- input: "a\n    - b \\\n    # no comment\n  \\u2028"',
  '- input: plain\n    over lines\n    - no item',
  '- input:\n  - a\n  -\n  - - b\n    - ',
  '- input: [1,\n    - 2, {a: b,\n   c}]',
  '- {input: 1, "b": , ? c}',
  '- {\n  input: 2\n  }',
  '- plain text',
  '- "text"',
  '-',
  '- ',
  '-\n  input: x',
  '-   input: far\n    b: 1',
  '- - input: x\n  - y',
  '- ? input\n  : x',
  '- ? |\n    a block as key\n',
  '- !!str 1',
  '- input: !!int "3"\n  b: !unknown x',
  '- input: .inf\n  date: 2020-01-01\n  1: x\n  ~: y',
  '- input: 1:30\n  b: 😀 x: y\n',
  '- 😀: 1\n  input: 2',
  '- input: a # comment\n# at the left\n  # deeper\n  b: c',
  '- input: &anchor x',
  '- input: *anchor',
  '- <<: {a: 1}\n  input: x',
  '- input: .*Berlin.* & more',
  '- input: |\n    the end has no break',
  '- steps: 1',
  '- |\n  a block',
  '- >\n\n  a block',
  '- : empty key',
] as const;

const BROKEN = [
  '---',
  '--- ',
  '...',
  '--- x',
  '%YAML 1.2',
  'input: x',
  '  input: less',
  ' - x',
  '\t- x',
  '- "open',
  "- 'open",
  '- [open',
  '- {open: ',
  ']',
  '"',
  '-x',
  '- a: b: c',
  '- a:\n\t- b',
  '- %x',
  '- `x',
  '- a\n b: c',
  '- input: "deficient\nindent"',
  '- x\u0085- y',
  '- x\u2028- y',
  '- x\r- y',
  '- x\r...',
  '- \u0000',
  '\uFEFF- x',
  '- !!map x',
  '# comment',
  '   # comment',
  '   ',
  '',
] as const;

it('reading a YAML list piece by piece gives the same as reading it at once', () => {
  let cut = 0;
  const part = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...VALID) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('\n', '\n', '\r\n'),
      fc.constantFrom('', '\n', '---\n', '# comment\n\n---\n', ' # comment\n'),
      fc.boolean(),
      (parts, lineBreak, head, hasEnd) => {
        const text = head + parts.join('\n') + (hasEnd ? '\n' : '');
        if (compare(text.replaceAll('\n', lineBreak)) > 1) cut++;
      },
    ),
    { numRuns: 3000 },
  );
  expect(cut).toBeGreaterThan(effort({ short: 75, long: 300 }));
});

it('reads at once what only looks like a list', () => {
  const lines = fc.array(fc.constantFrom(...VALID.flatMap((item) => item.split('\n')), ...BROKEN), {
    maxLength: 7,
  });
  let cut = 0;
  fc.assert(
    fc.property(lines, (all) => {
      if (compare(`- input: 1\n${all.join('\n')}\n- input: 2\n`) > 1) cut++;
    }),
    { numRuns: 3000 },
  );
  expect(cut).toBeGreaterThan(effort({ short: 7, long: 30 }));
});

it('leaves documents with features of the whole list to the other reader', () => {
  const items = (item: string): string => `- input: first\n- ${item}\n- input: last\n`;
  for (const text of [
    items('&a x'),
    items('*a'),
    items('{<<: {}}'),
    items('x\u2028'),
    `--- !!seq\n${items('x')}`,
    `%YAML 1.1\n---\n${items('x')}`,
    `${items('x')}---\n${items('x')}`,
    `${items('x')}...\n`,
    '- x: 1\n- y: 2\n',
    '[\n- x\n]\n',
    '  - input: x\n  - input: y\n',
    'evalcases:\n- input: x\n',
    '',
  ])
    expect(readInPieces(text), text).toBeUndefined();
  expect(readInPieces(items('x'))?.pieces).toBe(3);
});

/** More than a piece holds. */
const COMMENT = `# ${'-'.repeat(70_000)}\n`;
const TESTS = [
  '- id: a\n  input: 010\n  assert: {output.includes: yes}\n',
  '- input: |\n    héllo 😀\n  assert:\n    output.matchez: x\n    output.matches: (\n',
  '- id: a\n  steps:\n    - input: x\n      assert: {memory.a: 1}\n    - input: x\n    - input: x\n',
  '- input: ""\n  expected: {output: x, memory: {n: 0}}\n',
  '- input: x\n  assert: {memory.n: .nan}\n',
  '- input: x\n  assert: {tools_used: []}\n  tags: 1\n',
];

const CONTEXT = { schemas: knownFormats().stepTest, rowFiles: NO_ROW_FILES };

function readTests(text: string): { tests: string; findings: readonly Finding[] } | undefined {
  const reading = openStepTestList({ path: FILE, text }, CONTEXT)?.read();
  const tests: Test[] = [];
  for (let next = reading?.next(); next !== undefined; next = reading!.next()) {
    if (next.done === true) return next.value && { tests: JSON.stringify(tests), findings: next.value };
    tests.push(next.value);
  }
  return undefined;
}

it('returns the tests and findings of a long file one by one', () => {
  const long = Array.from({ length: 18 }, (_, index) => COMMENT + TESTS[index % TESTS.length]!).join('');
  for (const text of [long, `\uFEFF${long}`, long.replaceAll('\n', '\r\n')]) {
    const { suite, findings } = parseSuiteText({ path: FILE, text }, knownFormats());
    expect(readTests(text)).toEqual({ tests: JSON.stringify(suite!.tests), findings });
    expect(new Set(findings.map(({ code }) => code)).size).toBeGreaterThan(6);
  }
  expect(readTests(`${long}- input: &a x\n`)).toBeUndefined();
  expect(readTests(TESTS.join(''))).toBeUndefined();
});
