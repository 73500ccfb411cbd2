import { expect, test } from 'vitest';
import type { Json } from '../../base/model/json.ts';
import type { FieldRule } from './compare-field.ts';
import { fieldWeaknesses } from './field-weaknesses.ts';

const codes = (fields: readonly Partial<FieldRule>[], expected?: Json): readonly string[] =>
  fieldWeaknesses(
    fields.map((field) => ({ path: 'a', match: 'exact', ...field }) as FieldRule),
    expected,
  ).map(({ code, message, hint }) => {
    expect(message).toContain(fields[0]!.path ?? 'a');
    expect(hint).not.toBe('');
    return code;
  });

test('a field that is compared twice is reported', () => {
  expect(codes([{ path: 'a' }, { path: 'b' }], { a: 1, b: 1 })).toEqual([]);
  expect(codes([{ path: 'a' }, { path: 'a' }, { path: 'a' }])).toEqual([
    'duplicate_check',
    'duplicate_check',
  ]);
});

test('a field that the expected answer lacks is reported as never compared, unless it is required', () => {
  expect(codes([{ required: false }], { b: 1 })).toEqual(['not_compared']);
  expect(codes([{ required: true }], { b: 1 })).toEqual([]);
  expect(codes([{}], { b: 1 })).toEqual([]);
  expect(codes([{ required: false }], { a: null })).toEqual([]);
  expect(codes([{ required: false }])).toEqual([]);
});

test('an ambiguous date is reported', () => {
  expect(codes([{ match: 'date' }], { a: '03/04/2025' })).toEqual(['ambiguous_date']);
  expect(codes([{ match: 'date' }], { a: '13/04/2025' })).toEqual([]);
  expect(codes([{ match: 'date' }], { a: 3 })).toEqual([]);
  expect(codes([{ match: 'date', formats: ['DD/MM/YYYY'] }], { a: '03/04/2025' })).toEqual([]);
  expect(codes([{ match: 'exact' }], { a: '03/04/2025' })).toEqual([]);
});

test.each<[Json, Partial<FieldRule>, boolean]>([
  [10, { tolerance: 9.9 }, false],
  [10, { tolerance: 10 }, true],
  [-10, { tolerance: 10 }, true],
  ['1,000', { tolerance: 1000 }, true],
  [10, {}, false],
  [0, { tolerance: 5 }, false],
  ['ten', { tolerance: 50 }, false],
  // One more or less than a count of 1 is meant so.
  [1, { tolerance: 1 }, false],
  [1, { tolerance: 1.5 }, true],
  [0.5, { tolerance: 1 }, true],
  [2, { tolerance: 1 }, false],
  [10, { tolerance: 0.99, relative: true }, false],
  [10, { tolerance: 1, relative: true }, true],
  [1, { tolerance: 1, relative: true }, true],
  [1000, { tolerance: 5, relative: true }, true],
])('%j with %j lets 0 pass: %s', (wanted, field, isLoose) => {
  expect(codes([{ match: 'numeric_tolerance', ...field }], { a: wanted })).toEqual(
    isLoose ? ['loose_tolerance'] : [],
  );
  expect(codes([{ match: 'exact', ...field }], { a: wanted })).toEqual([]);
});

test('a tolerance that is a share is shown as one', () => {
  const [doubt] = fieldWeaknesses([{ path: 'a', match: 'numeric_tolerance', tolerance: 5, relative: true }], {
    a: 7,
  });
  expect(doubt).toMatchObject({
    message: expect.stringMatching(/5 \(500%\).* 7\b/) as string,
    hint: expect.stringContaining('0.05') as string,
  });
  const [plain] = fieldWeaknesses([{ path: 'a', match: 'numeric_tolerance', tolerance: 8 }], { a: 7 });
  expect(plain?.message).not.toContain('%');
});
