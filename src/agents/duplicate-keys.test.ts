import { expect, test } from 'vitest';
import { compileReply } from './http-reply.ts';
import { parseBatch } from './parse-batch.ts';
import { readPrintedReply } from '../evidence/reply/read-printed-reply.ts';

const TWICE = '{"id":"a","output":"Paris","tools_used":["rm"],"tools_used":[]}';
const ESCAPED = String.raw`{"id":"a","output":"Paris","tools_used":["rm"],"tools\u005fused":[]}`;
const DEEP = '{"id":"a","output":"x","tool_calls":[{"tool":"rm","input":{"tools_used":1,"tools_used":2}}]}';
const ONCE = '{"id":"a","output":"\\"output\\":1","memory":{"id":1,"output":2}}';

const print = (text: string) => readPrintedReply(text, { verb: 'printed', printed: '' }).reply;
const respond = (contentType: string, places?: Readonly<Record<string, string>>) => (text: string) =>
  compileReply(places, 'a')({ status: 200, contentType, text }, {}).reply;

test.each([
  ['a program', print],
  ['a program that logs', (text: string) => print(`log\n${text}\nbye`)],
  ['JSON over HTTP', respond('application/json')],
  ['text over HTTP', respond('text/plain')],
  ['a mapped response', respond('application/json', { output: 'output' })],
  ['a batch', (text: string) => parseBatch({ text, printed: '' }).get('a')!.reply],
])('a duplicate key is a contract error: %s', (_, read) => {
  for (const text of [TWICE, ESCAPED, DEEP])
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        kind: 'contract',
        message: expect.stringContaining('it has the key "tools_used" twice in one object') as string,
      }),
    );
  expect(read(ONCE)).toMatchObject({ output: expect.any(String) as string });
});

test('a log line may have a duplicate key', () => {
  expect(print('{"msg":"a","msg":"b"}\n{"output":"x"}')).toEqual({ output: 'x' });
});
