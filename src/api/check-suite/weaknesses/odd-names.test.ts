import { expect, test } from 'vitest';
import type { CallRule } from '../../../base/model/reply-requirements.ts';
import type { Test } from '../../../base/model/test.ts';
import type { PlacedAssertion } from '../assertion-results.ts';
import { OddNames } from './odd-names.ts';

let line = 0;
const place = () => ({ file: 'a.yaml', line: ++line, column: 1 });

function uses(
  names: OddNames,
  id: string,
  given: {
    readonly tools?: readonly string[];
    readonly path?: string;
    readonly memory?: object;
    readonly rule?: CallRule;
  },
): void {
  const wanted = {
    about: [],
    call_rule: given.rule ?? (given.tools === undefined ? undefined : { order: given.tools }),
    memory_rule: given.path === undefined ? undefined : { path: given.path, says: { exists: true } },
  };
  names.add({ id, memory: given.memory } as unknown as Test, [
    { assertion: { place: place() }, wanted } as unknown as PlacedAssertion,
  ]);
}

/** The usual name is used by two tests, the other by one. */
function oddOf(odd: string, usual: string): boolean {
  const names = new OddNames();
  for (const id of ['one', 'two']) uses(names, id, { tools: [usual] });
  uses(names, 'three', { tools: [odd] });
  const found = names.odd();
  if (found.length > 0) expect(found).toMatchObject([{ kind: 'tool', name: odd, usual, test: 'three' }]);
  return found.length > 0;
}

test.each([
  // Two letters swapped.
  ['serach_flights', 'search_flights', true],
  ['serach', 'search', true],
  ['nmae', 'name', true],
  ['nma', 'nam', false],
  // One left out, doubled or wrong, inside of a long word.
  ['serch', 'search', true],
  ['searrch', 'search', true],
  ['seerch', 'search', true],
  ['nme', 'name', false],
  ['naame', 'name', false],
  // At its beginning or end it may be another word.
  ['earch', 'search', false],
  ['searchs', 'search', false],
  ['searc', 'search', false],
  ['research', 'search', false],
  // More than one slip, or another number.
  ['serchh', 'search', false],
  ['sxaxrch', 'search', false],
  ['search1', 'search2', false],
  ['sea1ch', 'sea2ch', false],
  // Other separators and cases are the same name.
  ['searchFlights', 'search_flights', true],
  ['search-flights', 'search_flights', true],
  ['searchflights', 'search_flights', true],
  ['SEARCH_FLIGHTS', 'search_flights', true],
  // In one word of several.
  ['search_flihgts', 'search_flights', true],
  ['serach_flihgts', 'search_flights', false],
  ['search_all_flights', 'search_flights', false],
  ['book', 'search', false],
])('%s for %s: %s', (odd, usual, isOdd) => {
  expect(oddOf(odd, usual)).toBe(isOdd);
});

test('a name that two tests use is not a typo; nor is a name similar to one that only one test uses', () => {
  const names = new OddNames();
  for (const id of ['one', 'two']) uses(names, id, { tools: ['search'] });
  for (const id of ['three', 'four']) uses(names, id, { tools: ['serach'] });
  expect(names.odd()).toEqual([]);
  const once = new OddNames();
  uses(once, 'one', { tools: ['search', 'search'] });
  uses(once, 'one', { tools: ['search'] });
  uses(once, 'two', { tools: ['serach'] });
  expect(once.odd()).toEqual([]);
});

test('names are found in every part of a rule', () => {
  for (const rule of [
    { sequence: ['serach'] },
    { order: ['serach'] },
    { least: { serach: 1 } },
    { most: { serach: 1 } },
    { only: ['serach'] },
  ]) {
    const names = new OddNames();
    for (const id of ['one', 'two']) uses(names, id, { tools: ['search'] });
    uses(names, 'three', { rule });
    expect(names.odd()).toHaveLength(1);
  }
});

test('paths in memory are names too, and initial memory is not a typo', () => {
  const path = (memory?: object) => {
    const names = new OddNames();
    for (const id of ['one', 'two']) uses(names, id, { path: 'user.address' });
    uses(names, 'three', { path: 'user.adress', memory: memory ?? {} });
    uses(names, 'four', { tools: ['user.address'] });
    return names.odd();
  };
  expect(path()).toMatchObject([
    { kind: 'memory path', name: 'user.adress', usual: 'user.address', test: 'three' },
  ]);
  expect(path({ user: { adress: 1 } })).toEqual([]);
});

test('at most two thousand names are kept', () => {
  const names = new OddNames();
  for (let index = 0; index < 2000; index++) uses(names, 'one', { tools: [`tool_${index}`] });
  for (const id of ['one', 'two']) uses(names, id, { tools: ['search'] });
  uses(names, 'three', { tools: ['serach'] });
  expect(names.odd()).toEqual([]);
});
