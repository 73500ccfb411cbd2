import { expect, test } from 'vitest';
import type { Assertion } from '../../base/model/assertion.ts';
import type { Test } from '../../base/model/test.ts';
import { fingerprint, type VerdictSettings } from './fingerprint.ts';

const place = { file: 'a.eval.yaml', line: 1, column: 1 };
const ASSERTION: Assertion = {
  form: 'evaluator',
  kind: 'composite',
  name: 'all',
  weight: 1,
  required: false,
  negate: false,
  parameters: {},
  place,
};
const STEP = {
  input_messages: [{ role: 'user', content: 'hi' }],
  expected_messages: [{ role: 'assistant', content: 'hello' }],
  assertions: [ASSERTION],
  place,
  places: { input_messages: [], expected_messages: [], inside: () => ({ ...place, path: '' }) },
} as const;
const TEST: Test = { id: 'greets', steps: [STEP], assertions: [], tags: [], place };
const FAULT = { on: 'model', call: 1, do: 429, place } as const;
const SETTINGS: VerdictSettings = { target: 'agent', threshold: 0.8 };

const withStep = (more: object): Partial<Test> => ({ steps: [{ ...STEP, ...more }] });
const withAssertion = (more: object): Partial<Test> => withStep({ assertions: [{ ...ASSERTION, ...more }] });

const withMembers = (evaluators: readonly Assertion[]): Partial<Test> =>
  withAssertion({ parameters: { evaluators }, nests: 'evaluators' });

/** Everything that a verdict depends on. */
const CHANGES: readonly (readonly [string, Partial<Test>])[] = [
  ['id', { id: 'greets2' }],
  ['memory', { memory: { a: 1 } }],
  ['threshold', { threshold: 0.5 }],
  ['expected_outcome', { expected_outcome: 'It greets back' }],
  ['a fault', { faults: [FAULT] }],
  ['another fault', { faults: [{ ...FAULT, do: 500 }] }],
  ['a fault of another call', { faults: [{ ...FAULT, call: 2 }] }],
  ['a fault of a tool', { faults: [{ ...FAULT, on: 'tool search', do: { reply: 'gone' } }] }],
  ['a second step', { steps: [STEP, STEP] }],
  ['an assertion on the whole test', { assertions: [ASSERTION] }],
  ['input', withStep({ input_messages: [{ role: 'user', content: 'ho' }] })],
  ['a role', withStep({ input_messages: [{ role: 'system', content: 'hi' }] })],
  ['expected_messages', withStep({ expected_messages: [] })],
  ['fewer assertions', withStep({ assertions: [] })],
  ['form', withAssertion({ form: 'claim' })],
  ['kind', withAssertion({ kind: 'contains' })],
  ['name', withAssertion({ name: 'every' })],
  ['weight', withAssertion({ weight: 2 })],
  ['required', withAssertion({ required: true })],
  ['negate', withAssertion({ negate: true })],
  ['a parameter', withAssertion({ parameters: { value: 'x' } })],
  ['a list for a text', withAssertion({ parameters: { value: ['x'] } })],
  ['an object for a list', withAssertion({ parameters: { value: { 0: 'x' } } })],
  ['null', withAssertion({ parameters: { value: null } })],
  ['true', withAssertion({ parameters: { value: true } })],
  ['false', withAssertion({ parameters: { value: false } })],
  ['a number', withAssertion({ parameters: { value: 1 } })],
  ['a text that looks like it', withAssertion({ parameters: { value: '1' } })],
  ['a member', withMembers([ASSERTION])],
  ['the weight of a member', withMembers([{ ...ASSERTION, weight: 3 }])],
];

test('any change that may change the verdict changes the fingerprint, each to a different one', () => {
  const prints = [
    fingerprint(TEST, SETTINGS),
    ...CHANGES.map(([, change]) => fingerprint({ ...TEST, ...change }, SETTINGS)),
    fingerprint(TEST, { ...SETTINGS, target: 'other' }),
    fingerprint(TEST, { ...SETTINGS, threshold: 0.9 }),
    fingerprint(TEST, { ...SETTINGS, strict: true }),
    fingerprint(TEST, { ...SETTINGS, checks: 'abc' }),
  ];
  const seen = new Map<string, number>();
  for (const [index, print] of prints.entries()) {
    const names = ['the test', ...CHANGES.map(([name]) => name), 'target', 'threshold', 'strict', 'checks'];
    expect(seen.get(print), `${names[index]} is the same as ${names[seen.get(print) ?? 0]}`).toBeUndefined();
    seen.set(print, index);
  }
});

test('the position of a test, and fields that affect no verdict, do not change the fingerprint', () => {
  const elsewhere = { ...place, line: 99 };
  const moved = { ...TEST, place: elsewhere, ...withStep({ place: elsewhere }) };
  expect(fingerprint(moved, SETTINGS)).toBe(fingerprint(TEST, SETTINGS));
  expect(fingerprint({ ...TEST, description: 'other words', tags: ['slow'] }, SETTINGS)).toBe(
    fingerprint(TEST, SETTINGS),
  );
});

test('texts that are split at different places have different fingerprints', () => {
  const of = (...values: readonly string[]): string =>
    fingerprint({ ...TEST, ...withAssertion({ parameters: { value: values } }) }, SETTINGS);
  expect(new Set([of('ab', 'c'), of('a', 'bc'), of('abc'), of('abc', '')]).size).toBe(4);
});

test('the position of an assertion does not count, also inside another one', () => {
  const elsewhere = { ...ASSERTION, place: { ...place, line: 7 } };
  const prints = [ASSERTION, elsewhere].flatMap((assertion) =>
    [withStep({ assertions: [assertion] }), withMembers([assertion])].map((change) =>
      fingerprint({ ...TEST, ...change }, SETTINGS),
    ),
  );
  expect(prints.slice(2)).toEqual(prints.slice(0, 2));
});
