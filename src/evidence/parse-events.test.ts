import { describe, expect, test } from 'vitest';
import { parseJsonLines, parseServerSentEvents } from './parse-events.ts';

describe('server-sent events', () => {
  test.each([
    ['events with empty lines between', 'data: {"a":1}\n\ndata: {"a":2}\n\n'],
    ['CRLF', 'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n'],
    ['CR', 'data: {"a":1}\r\rdata: {"a":2}\r\r'],
    ['comments, ids and retries', ': keep-alive\n\nid: 1\nretry: 5\ndata: {"a":1}\n\n:\ndata:{"a":2}\n\n'],
    ['data over several lines', 'data: {"a":\ndata: 1}\n\ndata: {"a":2}\n\n'],
    ['[DONE]', 'data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n'],
    ['no empty line at the end', 'data: {"a":1}\n\ndata: {"a":2}'],
    ['a byte order mark', '\uFEFFdata: {"a":1}\n\ndata: {"a":2}\n\n'],
    ['events without data', 'event: ping\n\ndata: {"a":1}\n\ndata:\n\ndata: {"a":2}\n\n'],
  ])('%s', (_, text) => {
    expect(parseServerSentEvents(text)).toMatchObject({ events: [{ a: 1 }, { a: 2 }], isBroken: false });
  });

  test("the event's name is its type if the data has no type", () => {
    const text =
      'event: delta\ndata: {"a":1}\n\nevent: x\ndata: {"type":"own"}\n\nevent: message\ndata: {"b":2}\n\ndata: 3\n\n';
    expect(parseServerSentEvents(text).events).toEqual([
      { type: 'delta', a: 1 },
      { type: 'own' },
      { b: 2 },
      3,
    ]);
  });

  test('an incomplete event is a broken end, and the events before it are kept', () => {
    expect(parseServerSentEvents('data: {"a":1}\n\ndata: {"a":')).toMatchObject({
      events: [{ a: 1 }],
      isBroken: true,
    });
  });

  test('an event that is not JSON is reported wherever it is', () => {
    expect(parseServerSentEvents('data: oops\n\ndata: {"a":1}\n\n')).toMatchObject({
      events: [{ a: 1 }],
      isBroken: true,
    });
  });

  test.each([
    ['data: {"a":1}\n\ndata: {"a":', { isCut: true, isDone: false }],
    ['data: oops\n\ndata: [DONE]\n\n', { isCut: false, isDone: true }],
  ])('%j: whether the end arrived and whether it is complete', (text, expected) => {
    expect(parseServerSentEvents(text)).toMatchObject({ isBroken: true, ...expected });
  });

  test('integers stay exact', () => {
    expect(parseServerSentEvents('data: 12345678901234567890\n\n').events).toEqual([12345678901234567890n]);
  });
});

describe('JSON lines', () => {
  test.each([
    ['one value per line', '{"a":1}\n{"a":2}\n'],
    ['CRLF and empty lines', '\n{"a":1}\r\n\r\n{"a":2}'],
    ['a byte order mark', '\uFEFF{"a":1}\n{"a":2}'],
  ])('%s', (_, text) => {
    expect(parseJsonLines(text)).toEqual({ events: [{ a: 1 }, { a: 2 }], isBroken: false });
  });

  test('an incomplete line is a broken end', () => {
    expect(parseJsonLines('{"a":1}\n{"a":')).toEqual({ events: [{ a: 1 }], isBroken: true, isCut: true });
  });

  test('empty text has no events', () => {
    expect(parseJsonLines(' \n')).toEqual({ events: [], isBroken: false });
  });
});
