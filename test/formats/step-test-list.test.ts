import { expect, it } from 'vitest';
import { parseSuiteText } from '../../src/suites/formats/parse-suite.ts';
import { openJsonList } from '../../src/suites/formats/json-list.ts';
import { openStepTestList } from '../../src/suites/formats/step-test-list.ts';
import { readStrictJson } from '../../src/suites/formats/strict-json.ts';
import { NO_ROW_FILES } from '../../src/suites/formats/templates/row-files.ts';
import { knownFormats } from '../../src/suites/load/known-formats.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Test } from '../../src/base/model/test.ts';
import { effort } from '../effort.ts';
import * as fc from '../seeded-fast-check.ts';

/** Blanks behind a text make it long, and change nothing else. */
const PADDING = ' '.repeat(1_000_001);

interface Outcome {
  readonly tests: string;
  readonly findings: readonly Finding[];
}

const CONTEXT = { schemas: knownFormats().stepTest, rowFiles: NO_ROW_FILES };

function readWhole(text: string): Outcome {
  const { suite, findings } = parseSuiteText({ path: 'list.test.json', text }, knownFormats());
  return { tests: print(suite?.tests ?? []), findings };
}

function readOneByOne(text: string): Outcome | undefined {
  const list = openStepTestList({ path: 'list.test.json', text }, CONTEXT);
  if (list === undefined) return undefined;
  const tests: Test[] = [];
  const reading = list.read();
  for (;;) {
    const next = reading.next();
    if (next.done === true) return next.value && { tests: print(tests), findings: next.value };
    tests.push(next.value);
  }
}

function print(tests: readonly Test[]): string {
  return JSON.stringify(tests, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

const step = fc.constantFrom<object>(
  { input: 'hello', assert: { 'output.includes': 'hello', tools_used: [] } },
  { input: 'héllo 😀\n', assert: { 'memory.a.b': 1, 'output.matches': '.*' } },
  { input: '', expected: { output: 'x', memory: { n: 0 } } },
  { input: 'x', assert: { 'output.matchez': 'y' } },
  { input: 7, assert: { 'output.matches': '(' } },
  { assert: {} },
);
const item = fc.oneof(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), steps: fc.array(step, { maxLength: 3 }) }),
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    tags: fc.constantFrom(['x'], 'x', [1]),
  }),
  step,
  fc.constantFrom<unknown>(null, 3, [], {}, { tests: [] }, { steps: 1 }, { id: '', input: 'x' }),
);

it('reading a list test by test gives the same as reading it at once', () => {
  let listed = 0;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), fc.nat(2), fc.boolean(), (items, indent, hasMark) => {
      const text = `${hasMark ? '\uFEFF' : ''}${JSON.stringify(items, undefined, indent)}`;
      const whole = readWhole(text);
      expect(readOneByOne(text)).toBeUndefined();
      const oneByOne = readOneByOne(text + PADDING);
      if (oneByOne === undefined) return;
      listed++;
      expect(oneByOne).toEqual(whole);
    }),
    { numRuns: 60 },
  );
  expect(listed).toBeGreaterThan(effort({ short: 7, long: 30 }));
});

it('leaves texts that JSON.parse reads differently to the other reader', () => {
  const bad = [
    '[{"input": 1, "input": 2}]',
    '[12345678901234567890]',
    `[${'['.repeat(199)}${']'.repeat(199)}, ${'['.repeat(200)}${']'.repeat(200)}]`,
  ];
  for (const text of bad) expect(openJsonList(text)).toBeUndefined();
  expect(openJsonList(`[${'['.repeat(199)}${']'.repeat(199)}]`)?.length).toBe(1);
});

it('accepts only lists', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ' ',
      '"',
      '"a"',
      ':',
      '1',
      'null',
      '\\',
      '\n',
      '\u00a0',
      '{"a":[1,"]"]}',
      '[1,2]',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, fc.boolean(), (parts, isWrapped) => {
      const text = isWrapped ? `[${parts.join('')}]` : parts.join('');
      const list = openJsonList(text);
      if (list === undefined) return;
      const read = readStrictJson(text);
      const items = Array.from({ length: list.length }, (_, index) => list.item(index));
      expect('value' in read && read.value).toEqual(items);
    }),
    { numRuns: 3000 },
  );
});
