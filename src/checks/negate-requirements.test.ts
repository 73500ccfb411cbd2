import { expect, test } from 'vitest';
import type { ReplyRequirements } from '../base/model/reply-requirements.ts';
import { negateRequirements } from './negate-requirements.ts';

const refused = (wanted: Omit<ReplyRequirements, 'about'>) => {
  const { about, ...rest } = negateRequirements({ about: ['output'], ...wanted });
  expect(about).toEqual(['output']);
  return rest;
};

test.each<[Omit<ReplyRequirements, 'about'>, ReplyRequirements['unwanted']]>([
  [{}, []],
  [{ output: 'yes' }, [{ text: 'yes', replaces: true }]],
  [{ output: '' }, [{ text: '', replaces: true }]],
  [{ json: { value: { a: [1] } } }, [{ text: '{"a":[1]}', replaces: true }]],
  [
    { texts: [{ text: 'a' }, { text: 'b', at: 'start' }] },
    [
      { text: 'a', replaces: false },
      { text: 'b', replaces: true },
    ],
  ],
  [{ memory_rule: { path: 'a.b', says: { equals: 1 } } }, [{ memory: { path: 'a.b', value: 1 } }]],
  [{ memory_rule: { path: 'a', says: { exists: true } } }, [{ memory: { path: 'a', value: 'text' } }]],
  [{ memory_rule: { path: 'a', says: { exists: false } } }, []],
  [{ memory_rule: { path: 'a', says: { matches: 'x' } } }, []],
  [{ memory_rule: { path: undefined, says: { equals: {} } } }, []],
])('%j breaks its negation', (wanted, unwanted) => {
  expect(refused(wanted).unwanted).toEqual(unwanted);
});

test('rules are negated, and a rule about memory that was negated is not negated any more', () => {
  const rule = { type: 'contains', text: 'x' } as never;
  expect(refused({ rule }).rule).toEqual({ type: 'not', rule });
  expect(refused({}).rule).toBeUndefined();
  const memory_rule = { path: 'a', says: { exists: true } };
  expect(refused({ memory_rule }).memory_rule).toEqual({ ...memory_rule, negate: true });
  expect(refused({ memory_rule: { ...memory_rule, negate: true } }).memory_rule).toEqual({
    ...memory_rule,
    negate: false,
  });
  expect(refused({}).memory_rule).toBeUndefined();
});
