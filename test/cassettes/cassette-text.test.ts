import { expect, test } from 'vitest';
import {
  canonicalRequest,
  canonicalText,
  inCanonicalOrder,
} from '../../src/evidence/cassettes/canonical-request.ts';
import { createCleanText, ignoresEverything } from '../../src/base/match/clean-text.ts';
import type { Cassette } from '../../src/evidence/cassettes/cassette.ts';
import { keptRecordings } from '../../src/evidence/cassettes/kept-recordings.ts';
import {
  hasOldMark,
  hideSecrets,
  markSecrets,
  sameButForNames,
} from '../../src/evidence/cassettes/hidden-text.ts';
import { createRedactor, redactorOf, type Redactor } from '../../src/base/match/redact-secrets.ts';
import { parseCassette } from '../../src/evidence/cassettes/parse-cassette.ts';
import { printCassette } from '../../src/evidence/cassettes/print-cassette.ts';
import type { Exchange } from '../../src/evidence/exchange.ts';
import type { JsonObject } from '../../src/base/model/json.ts';
import * as fc from '../seeded-fast-check.ts';

const asIs = (text: string): string => text;
const call = (request: JsonObject, path = '/v1/chat/completions') => ({
  method: 'POST',
  path,
  request,
  step: 1,
  isModelCall: true,
});
const textOf = (request: JsonObject, path?: string): string =>
  canonicalText(canonicalRequest(call(request, path), asIs)!);

test('any cassette is read back from its file unchanged', () => {
  const lines = fc.array(fc.string(), { maxLength: 3 }).map((each) => each.join('\n'));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 0, -1.5, 'x'),
      lines,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('$lines', '$object', 'a', 'role', 'id', 'messages'), tie('value'), {
        maxKeys: 3,
      }),
    ),
  })).value;
  const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: value });
  const request = fc.record({
    to: fc.constantFrom('POST /chat/completions', 'POST /responses'),
    body: fc.record({
      model: fc.constantFrom('a', 'b'),
      messages: fc.array(message, { maxLength: 4 }),
      other: value,
    }),
  });
  const recording = fc.record({
    step: fc.integer({ min: 1, max: 3 }),
    request,
    response: fc.oneof(
      value.map((body) => ({ status: 200, headers: { 'content-type': 'application/json' }, body })),
      fc
        .array(value, { maxLength: 3 })
        .map((all) => ({ status: 200, headers: {}, events: all.map((data) => ({ data })) })),
      lines.map((text) => ({
        status: 500,
        headers: {},
        text,
        broken: true as const,
        time: { at: 0, first: 1, total: 2 },
      })),
    ),
  });
  const repeats = fc
    .array(
      fc.record({
        agent: fc.array(recording, { maxLength: 4 }),
        judge: fc.array(recording, { maxLength: 2 }),
      }),
      { maxLength: 3 },
    )
    .map((all) => all.map((each, index) => ({ repeat: index + 1, ...each })));
  fc.assert(
    fc.property(repeats, (all) => {
      const ordered = all.map(({ repeat, agent, judge }) => ({
        repeat,
        ...Object.fromEntries(
          Object.entries({ agent, judge }).map(([part, list]) => [
            part,
            list.map((each) => ({
              ...each,
              request: { ...each.request, body: inCanonicalOrder(each.request.body as JsonObject) },
            })),
          ]),
        ),
      }));
      const cassette = { file: 'a.yaml', test: 't', target: 'x', repeats: ordered } as unknown as Cassette;
      const text = printCassette(cassette);
      expect(JSON.parse(JSON.stringify(parseCassette(text)))).toEqual(JSON.parse(JSON.stringify(cassette)));
      expect(printCassette(parseCassette(text))).toBe(text);
    }),
  );
});

test('protocol ids are numbered; ids in data are not', () => {
  const request = (id: string, order: string, bookkeeping: object = {}): JsonObject => ({
    model: 'm',
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: `{"id":"${order}"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: 'ok' },
    ],
    ...bookkeeping,
  });
  expect(textOf(request('call_1', '7'))).toBe(textOf(request('call_2', '7')));
  expect(textOf(request('call_1', '7'))).toBe(
    textOf(request('call_2', '7', { user: 'ada', metadata: { run: '9' } })),
  );
  expect(textOf(request('call_1', '7'))).not.toBe(textOf(request('call_1', '8')));
  const anthropic = (id: string, order: string): JsonObject => ({
    model: 'm',
    max_tokens: 5,
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: { id: order } }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: [{ type: 'text', text: 'ok', cache_control: { type: 'ephemeral' } }],
          },
        ],
      },
    ],
  });
  expect(textOf(anthropic('toolu_1', '7'), '/v1/messages')).toBe(
    textOf(anthropic('toolu_2', '7'), '/v1/messages'),
  );
  expect(textOf(anthropic('toolu_1', '7'), '/v1/messages')).not.toBe(
    textOf(anthropic('toolu_1', '8'), '/v1/messages'),
  );
  // Two results in the wrong order are another conversation.
  const pair = (first: string, second: string): JsonObject => ({
    model: 'm',
    input: [
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
      { type: 'function_call_output', call_id: first, output: '1' },
      { type: 'function_call_output', call_id: second, output: '2' },
    ],
  });
  expect(textOf(pair('a', 'b'), '/responses')).not.toBe(textOf(pair('b', 'a'), '/responses'));
  const after = (id: string): JsonObject => ({ model: 'm', previous_response_id: id, input: 'yes' });
  expect(textOf(after('resp_1'), '/responses')).not.toBe(textOf(after('resp_2'), '/responses'));
  expect(textOf({ contents: [] }, '/v1beta/models/a:generateContent')).not.toBe(
    textOf({ contents: [] }, '/v1beta/models/b:generateContent'),
  );
});

test('overlapping calls are written in an order that does not depend on timing', () => {
  const made = (starts: Readonly<Record<string, readonly [number, number]>>) =>
    Object.entries(starts)
      .sort(([, [a]], [, [b]]) => a - b)
      .map(([name, [started_ms, ended_ms]], index) => ({
        request: {
          to: 'POST /chat/completions',
          body: { messages: [...name].map((content) => ({ role: 'user', content })) },
        },
        exchange: {
          seq: index + 1,
          step: 1,
          started_ms,
          ended_ms,
          method: 'POST',
          path: '/',
          status: 200,
          response_headers: {},
          response: name,
        } as Exchange,
      }));
  const order = (starts: Parameters<typeof made>[0]): readonly unknown[] =>
    keptRecordings(made(starts), redactorOf([])).recordings.map(({ response }) => response.body);
  // Two conversations at once, a and b, of two calls each, and a call at the end.
  const slowA = { a: [0, 30], b: [0.5, 10], bb: [11, 29], aa: [31, 40], c: [50, 60] } as const;
  const slowB = { b: [0, 30], a: [0.5, 10], aa: [11, 29], bb: [31, 40], c: [50, 60] } as const;
  expect(order(slowA).at(-1)).toBe('c');
  expect(order({ ...slowA, aa: [25, 40] })).toEqual(order({ ...slowB, bb: [25, 40] }));
});

test('text that a pattern matches is left out everywhere, and an empty match changes nothing', () => {
  expect(createCleanText(['\\d+', 'x*'])('a1b22cxx')).toBe('abc');
  expect(createCleanText(['^'])('abc')).toBe('abc');
  expect(createCleanText([])('abc')).toBe('abc');
});

test('a hidden secret equals only the same secret', () => {
  const env = { A_KEY: 'sk-secret-1', B_KEY: 'sk-secret-2', C_KEY: 'sk-secret-2' };
  const hiding =
    (redactor: Redactor, salt = 'a') =>
    (content: string): string => {
      const { to, body } = canonicalRequest(call({ messages: [{ role: 'user', content }] }), asIs)!;
      return `${to}\n${hideSecrets(body, markSecrets(redactor, salt)).json}`;
    };
  const hidden = hiding(createRedactor(env, [], ['sk-nameless-1', 'sk-nameless-2']));
  const recorded = hidden('key sk-secret-1.');
  expect(recorded).toContain('key [redacted:A_KEY].');
  expect(hidden('key sk-secret-2.')).toContain('key [redacted:B_KEY|C_KEY].');
  for (const other of ['sk-secret-2', 'sk-nameless-1', 'other', '', '[redacted]'])
    expect(sameButForNames(recorded, hidden(`key ${other}.`)), other).toBe(false);
  // The value of a variable may change, and others may have the same value.
  const rotated = hiding(createRedactor({ A_KEY: 'sk-rotated-9', B_KEY: 'sk-rotated-9' }));
  expect(sameButForNames(recorded, rotated('key sk-rotated-9.'))).toBe(true);
  expect(sameButForNames(recorded, rotated('key sk-rotated-9!'))).toBe(false);
  // One without a variable is known by its hash, which is another in another test.
  expect(hidden('sk-nameless-1')).not.toBe(hidden('sk-nameless-2'));
  expect(hidden('sk-nameless-1')).toMatch(/\[redacted:#[0-9a-f]{8}\]/);
  expect(hidden('sk-nameless-1')).not.toBe(
    hiding(createRedactor({}, [], ['sk-nameless-1']), 'b')('sk-nameless-1'),
  );
  // The words themselves are no secret.
  expect(hasOldMark(hidden('mail: [redacted] end'))).toBe(false);
  expect(hasOldMark(recorded.replace(':A_KEY', ''))).toBe(true);
});

test('patterns that leave nothing of a request are known', () => {
  for (const pattern of ['.*', '(?s).+', '[\\s\\S]*', '\\S+', '\\w+', '.', '[^x]+'])
    expect(ignoresEverything([pattern]), pattern).toBe(true);
  for (const pattern of ['\\d+', '\\d{4}-\\d\\d-\\d\\d', 'req-\\w+', '[a-z]+', '^', '\\s+'])
    expect(ignoresEverything([pattern]), pattern).toBe(false);
  expect(ignoresEverything([])).toBe(false);
});

test('text that is ignored still counts in names, and only cache hints are left out', () => {
  const clean = createCleanText(['\\d{4}-\\d\\d-\\d\\d']);
  const text = (request: JsonObject): string => canonicalText(canonicalRequest(call(request), clean)!);
  const dated = (model: string, day: string): JsonObject => ({
    model,
    messages: [{ role: 'user', content: `Today is ${day}.` }],
  });
  expect(text(dated('m-2024-05-13', '2026-01-01'))).toBe(text(dated('m-2024-05-13', '2026-01-02')));
  expect(text(dated('m-2024-05-13', '2026-01-01'))).not.toBe(text(dated('m-2025-11-20', '2026-01-01')));
  const hinted = (hint: unknown): JsonObject =>
    ({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: hint }] }],
    }) as JsonObject;
  expect(text(hinted({ type: 'ephemeral' }))).toBe(
    text({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }),
  );
  const argued = (argument: string): JsonObject => ({
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'f', input: { cache_control: argument } }],
      },
    ],
  });
  expect(text(argued('no-store'))).not.toBe(text(argued('public')));
});

test('a deployment counts as a model, and a reference as the item that the provider keeps', () => {
  const azure = (name: string): string =>
    textOf({ messages: [] }, `/openai/deployments/${name}/chat/completions?api-version=1`);
  expect(azure('small')).not.toBe(azure('large'));
  const referring = (id: string): string =>
    textOf({ model: 'm', input: [{ type: 'item_reference', id }] }, '/responses');
  expect(referring('msg_1')).not.toBe(referring('msg_2'));
  const bare = (id: string): string => textOf({ model: 'm', input: [{ id }] }, '/responses');
  expect(bare('msg_1')).not.toBe(bare('msg_2'));
  const document = (id: string): string =>
    textOf({ messages: [{ role: 'user', content: [{ type: 'document', id }] }] });
  expect(document('doc-a')).not.toBe(document('doc-b'));
  expect(textOf({ messages: [] }, '/models/small/v1/chat/completions')).not.toBe(
    textOf({ messages: [] }, '/models/large/v1/chat/completions'),
  );
});
