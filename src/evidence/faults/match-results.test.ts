import { expect, test } from 'vitest';
import { matchResults } from './match-results.ts';

const call = (id?: string, tool = 'search') => ({ id, tool });
const result = (id?: string, tool?: string) => ({ id, tool, text: '' });
const match = (
  found: readonly ReturnType<typeof result>[],
  asked: readonly ReturnType<typeof call>[],
  repeated: readonly ReturnType<typeof call>[] = [],
) => matchResults({ found, repeated }, asked);

test('results are matched to calls by id, in any order', () => {
  expect(match([result('b'), result('a')], [call('a'), call('b', 'other')])).toEqual([1, 0]);
});

test('a reused id belongs to the last call', () => {
  const asked = [call('a'), call('a'), call('a')];
  expect(match([result('a'), result('a'), result('a')], asked)).toEqual([0, 1, 2]);
  // A conversation that began anew.
  expect(match([result('a')], asked)).toEqual([2]);
});

test('a result from before the attempt belongs to no call', () => {
  expect(match([result('old'), result('a')], [call('a')], [call('old'), call('a')])).toEqual([undefined, 0]);
  expect(match([result(undefined, 'search'), result(undefined, 'search')], [call(undefined)])).toEqual([
    undefined,
    0,
  ]);
  expect(match([result('old')], [])).toEqual([undefined]);
});

test('without ids, results are matched by tool name, also with the name of an MCP server', () => {
  const asked = [call(undefined), call(undefined, 'other'), call(undefined, 'mcp__web__search')];
  expect(
    match([result(undefined, 'search'), result(undefined, 'other'), result(undefined, 'search')], asked),
  ).toEqual([0, 1, 2]);
});

test('ids that a framework invented are matched through the calls repeated in the request', () => {
  const repeated = [call('x1'), call('x2', 'other')];
  expect(match([result('x1'), result('x2')], [call(undefined), call(undefined, 'other')], repeated)).toEqual([
    0, 1,
  ]);
  // It replaced the ids of the model.
  expect(match([result('x1'), result('x2')], [call('m1'), call('m2', 'other')], repeated)).toEqual([0, 1]);
});

test('a result of a tool that was not called belongs to no call', () => {
  expect(match([result('x', 'other')], [call('a')])).toEqual([undefined]);
  expect(match([result('x')], [call('a')])).toEqual([undefined]);
});
