import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/evidence/dialects/registry.ts';
import { recognise } from '../../src/evidence/recognise.ts';
import type { Trace } from '../../src/evidence/trace.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../src/base/model/json.ts';
import * as fc from '../seeded-fast-check.ts';
import { damage, DAMAGES, holds, places, valueAtPath, type Path } from './mutilate.ts';
import { ORDINARY_REPLIES } from './ordinary-replies.ts';
import { RECORDINGS, type ExpectedCall, type ExpectedTrace, type Recording } from './recordings.ts';

const named = RECORDINGS.map((recording) => [recording.id, recording] as const);

describe('what frameworks, APIs and coding agents return', () => {
  test.each(named)('%s is read correctly', (_, { value, input, expected }) => {
    const { dialect, ...trace } = recognise(value, { input })!;
    expect(dialect).not.toBe('');
    expect(toExpected(trace, expected)).toEqual(expected);
  });

  test.each(named)('%s is recognised by exactly one dialect', (_, { value }) => {
    expect(recognisers(value)).toHaveLength(1);
  });

  test.each(named)('%s is not changed by reading, and reads the same twice', (_, { value, input }) => {
    const before = JSON.stringify(value);
    expect(recognise(value, { input })).toEqual(recognise(value, { input }));
    expect(JSON.stringify(value)).toBe(before);
  });
});

describe('unknown values', () => {
  test.each(ORDINARY_REPLIES)('%s is not recognised', (_, value) => {
    expect(recognisers(value)).toEqual([]);
  });
});

test('values of all kinds are not recognised', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(recognisers(value as Json)).toEqual([]);
    }),
  );
});

describe('damaged values', () => {
  test.each(named)('%s is never read by two dialects and never makes one throw', (_, { value, input }) => {
    const paths = places(value);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...DAMAGES)), { minLength: 1, maxLength: 3 }),
        (damages) => {
          let damaged = value;
          for (const [at, how] of damages) {
            const left = damages.length === 1 ? paths : places(damaged);
            if (left.length > 0) damaged = damage(damaged, left[at % left.length]!, how);
          }
          expect(recognisers(damaged).length).toBeLessThanOrEqual(1);
          recognise(damaged, { input });
        },
      ),
      { numRuns: 25 },
    );
  });

  const withCalls = named.filter(([, { expected }]) => (expected.tool_calls ?? []).length > 0);

  test.each(withCalls)('%s never loses tool calls when other parts are damaged', (_, recording) => {
    const { calls, results } = relatedPlaces(recording);
    expect(calls).not.toEqual([]);
    for (const path of thinOut(places(recording.value))) {
      for (const how of DAMAGES) {
        const isTaken = calls.some(
          (call) => touches(path, call) || (how === 'truncate' && isBehind(call, path)),
        );
        // A text where the results of tools were is a message of the user.
        const isOtherwise = how === 'text' && results.some((result) => holds(path, result));
        if (isTaken || isOtherwise) continue;
        const trace = recognise(damage(recording.value, path, how), { input: recording.input });
        if (trace?.tool_calls?.length === 0) expect.fail(`${path.join('.')} (${how}): no tools`);
      }
    }
  });
});

function recognisers(value: Json): readonly string[] {
  return DIALECTS.filter((dialect) => dialect.recognises(value)).map(({ name }) => name);
}

/** The parts of a trace that an expectation names, in its form. */
function toExpected(trace: Trace, expected: ExpectedTrace): ExpectedTrace {
  const { gap, tool_calls: calls, token_usage: usage } = trace;
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(expected)) read[key] = trace[key as keyof Trace] ?? null;
  if (isJsonList(expected.tool_calls as Json) && calls !== undefined) {
    read['tool_calls'] = calls.map((call, index) =>
      pickCall(call as unknown as Json, expected.tool_calls![index]),
    );
  }
  if (isJsonObject(expected.token_usage as Json) && usage !== undefined) {
    read['token_usage'] = pick({ cached: 0, reasoning: 0, ...usage }, Object.keys(expected.token_usage!));
  }
  if (typeof expected.gap === 'string' && `${gap?.at} ${gap?.form}`.includes(expected.gap))
    read['gap'] = expected.gap;
  return read;
}

function pickCall(call: Json, expected: ExpectedCall | undefined): unknown {
  if (expected === undefined || !isJsonObject(call)) return call;
  const { result, ...fields } = expected;
  const picked = pick(call, Object.keys(fields));
  return result === undefined || Object.hasOwn(call, 'output') ? picked : { ...picked, result };
}

function pick(object: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, (object as Record<string, unknown>)[key]]));
}

/** Where a value holds a call, which is an object that names one of the tools, and where the result of one. */
function relatedPlaces({
  value,
  expected,
}: Recording): Readonly<Record<'calls' | 'results', readonly Path[]>> {
  const told = expected.tool_calls ?? [];
  const tools = new Set(told.map(({ tool }) => bareName(tool)));
  const ids = new Set(told.flatMap(({ id }) => id ?? []));
  const objects = [[], ...places(value)].filter((path) => isJsonObject(valueAtPath(value, path)));
  const fields = (path: Path): readonly [string, Json][] =>
    Object.entries(valueAtPath(value, path) as JsonObject);
  return {
    calls: objects.filter((path) =>
      fields(path).some(([key, each]) => {
        return (
          typeof each === 'string' && NAMES.has(key) && (tools.has(bareName(each)) || BUILT_IN.has(each))
        );
      }),
    ),
    results: objects.filter((path) =>
      fields(path).some(([, each]) => typeof each === 'string' && ids.has(each)),
    ),
  };
}

function bareName(name: string): string {
  return name.replace(/^mcp__\w+?__/, '').replace(/^tool-/, '');
}

const NAMES: ReadonlySet<string> = new Set(['name', 'toolName', 'tool_name', 'toolCallName', 'tool', 'type']);
const BUILT_IN: ReadonlySet<string> = new Set(['command_execution', 'web_search_call']);

/** Damage there may take the call away. */
function touches(path: Path, call: Path): boolean {
  return holds(path, call) || holds(call, path);
}

/** Whether a place is in the same list as another, or inside of what is, and comes later. */
function isBehind(later: Path, earlier: Path): boolean {
  const index = earlier.at(-1);
  const at = later[earlier.length - 1];
  return (
    typeof index === 'number' && typeof at === 'number' && at >= index && holds(earlier.slice(0, -1), later)
  );
}

/** Some hundred places tell as much as some thousand. */
function thinOut(paths: readonly Path[]): readonly Path[] {
  const step = Math.ceil(paths.length / 40);
  return paths.filter((_, index) => index % step === 0);
}
