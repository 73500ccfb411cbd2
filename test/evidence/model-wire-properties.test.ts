import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/evidence/exchange.ts';
import { createWireTracer, traceOfExchanges } from '../../src/evidence/wire/trace-of-exchanges.ts';
import { useOfExchange } from '../../src/evidence/wire/use-of-exchange.ts';
import type { Json } from '../../src/base/model/json.ts';
import { isJsonObject } from '../../src/base/model/json.ts';
import * as fc from '../seeded-fast-check.ts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'evidence', 'model-wire');

const RECORDINGS: readonly (readonly Exchange[])[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => JSON.parse(readFileSync(join(FOLDER, name, 'exchanges.json'), 'utf8')).exchanges);

const STREAMS = RECORDINGS.flat().filter(
  ({ response_text: text, aborted }) => text !== undefined && aborted !== true,
);

const someRecording = fc.constantFrom(...RECORDINGS);
const someStream = fc.constantFrom(...STREAMS);

test('a stream cut at any byte is either broken or complete', () => {
  fc.assert(
    fc.property(someStream, fc.double({ min: 0, max: 1, noNaN: true }), (exchange, share) => {
      const bytes = Buffer.from(exchange.response_text ?? '');
      const text = bytes.subarray(0, Math.floor(bytes.length * share)).toString();
      const cut = useOfExchange({ ...exchange, response_text: text, aborted: true });
      const whole = useOfExchange({ ...exchange });
      if (cut?.outcome === 'answered') expect(cut.tool_calls).toEqual(whole?.tool_calls);
      else expect(cut).toMatchObject({ tool_calls: [] });
      if (share < 0.5) expect(cut?.outcome).toBe('broken');
    }),
    { numRuns: 300 },
  );
});

test('splitting a stream at any bytes does not change how it is read', () => {
  fc.assert(
    fc.property(someStream, fc.array(fc.nat()), (exchange, places) => {
      const bytes = Buffer.from(exchange.response_text ?? '');
      const ends = [...places.map((place) => place % bytes.length), bytes.length].sort(
        (one, other) => one - other,
      );
      const decoder = new TextDecoder();
      const pieces = ends.map((end, index) =>
        decoder.decode(bytes.subarray(ends[index - 1] ?? 0, end), { stream: true }),
      );
      const joined = { ...exchange, response_text: pieces.join('') + decoder.decode() };
      expect(traceOfExchanges([joined], exchange.step)).toEqual(traceOfExchanges([exchange], exchange.step));
    }),
    { numRuns: 100 },
  );
});

test('the order in which exchanges arrive does not change a trace', () => {
  const shuffled = someRecording.chain((exchanges) =>
    fc.tuple(fc.constant(exchanges), fc.shuffledSubarray([...exchanges], { minLength: exchanges.length })),
  );
  fc.assert(
    fc.property(shuffled, ([exchanges, mixed]) => {
      for (const step of stepsOf(exchanges)) {
        expect(traceOfExchanges(mixed, step)).toEqual(traceOfExchanges(exchanges, step));
      }
    }),
    { numRuns: 60 },
  );
});

test('traces read after each step add up to the trace of the whole attempt', () => {
  for (const exchanges of RECORDINGS) {
    const tracer = createWireTracer();
    for (const step of stepsOf(exchanges)) {
      for (const exchange of exchanges) if (exchange.step === step) tracer.add(exchange);
      expect(tracer.traceOf(step)).toEqual(traceOfExchanges(exchanges, step));
    }
  }
});

test('nothing that a server or a program sends makes the reader throw', () => {
  const rubbish = fc.constantFrom<Json>(null, 0, -1, '', 'x', true, 10n ** 20n, [], {}, [null], [[]], {
    role: 5,
  });
  fc.assert(
    fc.property(
      someRecording,
      fc.array(fc.tuple(fc.nat(), rubbish), { minLength: 1, maxLength: 8 }),
      (exchanges, changes) => {
        const damaged = exchanges.map((exchange, index) => damage(exchange, changes, index));
        for (const step of stepsOf(exchanges)) {
          expect(traceOfExchanges(damaged, step).calls).toHaveLength(
            exchanges.filter((each) => each.step === step).length,
          );
        }
      },
    ),
    { numRuns: 400 },
  );
});

function stepsOf(exchanges: readonly Exchange[]): readonly number[] {
  return [...new Set(exchanges.map(({ step }) => step))];
}

/** Puts each change at some place of the request and of the response. */
function damage(exchange: Exchange, changes: readonly (readonly [number, Json])[], shift: number): Exchange {
  let { request, response }: { request?: Json | undefined; response?: Json | undefined } = exchange;
  let text = exchange.response_text;
  for (const [place, value] of changes) {
    request = request === undefined ? undefined : replaceAt(request, place + shift, value);
    response = response === undefined ? undefined : replaceAt(response, place + shift * 7, value);
    if (text !== undefined && text !== '')
      text = text.slice(0, place % text.length) + text.slice((place % text.length) + 3);
  }
  const { request: _, response: __, response_text: ___, ...rest } = exchange;
  return {
    ...rest,
    ...(isJsonObject(request) ? { request } : {}),
    ...(response === undefined ? {} : { response }),
    ...(text === undefined ? {} : { response_text: text }),
  };
}

/** Walks down by the digits of the place. */
function replaceAt(node: Json, place: number, value: Json): Json {
  if (typeof node !== 'object' || node === null) return value;
  const keys = Object.keys(node);
  if (keys.length === 0) return value;
  const key = keys[place % keys.length]!;
  const rest = Math.floor(place / keys.length);
  const changed = replaceAt((node as Record<string, Json>)[key]!, rest, value);
  return Array.isArray(node) ? node.with(Number(key), changed) : { ...node, [key]: changed };
}
