import { expect, test } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import type { Test } from '../../base/model/test.ts';
import { placedRecord } from './placed-record.ts';

const ROW = { file: 'cities.csv', line: 2, column: 1 };
const TEST: Test = {
  id: 't',
  description: 'Greets',
  steps: [],
  assertions: [],
  tags: ['fast'],
  metadata: { owner: 'ada' },
  row: { ...ROW, templateEnd: 9 },
  place: { file: 'a.test.yaml', line: 3, column: 5 },
};
const RECORD = attemptRecord({
  description: 'Greets',
  tags: ['fast'],
  metadata: { owner: 'ada' },
  row: ROW,
});

test('a record of a test that is the same stays the same object', () => {
  expect(placedRecord(RECORD, TEST)).toBe(RECORD);
  const { row: _row, metadata: _metadata, ...plain } = TEST;
  const record = attemptRecord({ description: 'Greets', tags: ['fast'] });
  expect(placedRecord(record, plain)).toBe(record);
});

test.each([
  ['description', { description: 'Greets back' }],
  ['tags', { tags: [] }],
  ['metadata', { metadata: { owner: 'bob' } }],
  ['no metadata', { metadata: undefined }],
] as const)('a record gets what its test says now: %s', (_name, change) => {
  expect(placedRecord(RECORD, { ...TEST, ...change })).toEqual({ ...RECORD, ...change });
});

test.each([{ line: 3 }, { column: 2 }, { file: 'towns.csv' }])(
  'a record of a row that moved gets the new place: %o',
  (change) => {
    const row = { ...ROW, ...change };
    const moved = { ...TEST, row: { ...row, templateEnd: 9 } };
    expect(placedRecord(RECORD, moved).row).toEqual(row);
  },
);

test('a finding of a row that moved names the new place', () => {
  const finding = {
    severity: 'warning',
    code: 'c',
    path: '',
    file: 'a.test.yaml',
    line: 3,
    column: 5,
  } as const;
  const said = (message: string) => [{ ...finding, message }];
  const record = { ...RECORD, findings: said('slow (row cities.csv:2)') };
  const row = { ...ROW, line: 20 };
  const moved = placedRecord(record, { ...TEST, row: { ...row, templateEnd: 9 } });
  expect(moved).toEqual({ ...record, row, findings: said('slow (row cities.csv:20)') });
});

test('a record loses the row of a test that has none any more, and gets one that is new', () => {
  const { row: _row, ...without } = TEST;
  expect(placedRecord(RECORD, without).row).toBeUndefined();
  expect(placedRecord({ ...RECORD, row: undefined }, TEST).row).toEqual(ROW);
});
