import { describe, expect, test } from 'vitest';
import { AgentError } from './agent-error.ts';
import type { RawReply } from './raw-reply.ts';
import { readPrintedReply } from './read-printed-reply.ts';

function read(text: string): RawReply {
  return readPrintedReply(text, { verb: 'printed', printed: '' });
}

function problemOf(text: string): string {
  try {
    return `no problem: ${JSON.stringify(read(text))}`;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'contract' });
    return (error as AgentError).message.split('\n')[0]!;
  }
}

const REPLY = '{"output":"Sorry","tools_used":["rm"]}';
const PRETTY = JSON.stringify(JSON.parse(REPLY), null, 2);
const VALUE = { output: 'Sorry', tools_used: ['rm'] };

describe('a reply object', () => {
  test.each([
    REPLY,
    PRETTY,
    ` \n${REPLY}\r\n`,
    `\uFEFF${REPLY}`,
    '{"text":"Sorry"}',
    '{"output_messages":[]}',
  ])('is the whole output: %j', (text) => {
    const { reply, printed, warning } = read(text);
    expect([typeof reply, printed, warning]).toEqual(['object', '', undefined]);
  });

  test.each([
    ['Loading model...\n', '', '1 line before its reply'],
    ['', '\nbye\n', '1 line after its reply'],
    ['one\ntwo\n\n', '\nthree', '2 lines before its reply and 1 line after it'],
    ['Loading 10%\rLoading 100%\r', '\r\n', '2 lines before its reply'],
    ['\u001B[32mready\u001B[0m\n\u001B[1m', '\u001B[0m\n', '1 line before its reply'],
    ['[INFO] up {a}\n{starting}\n', '\n', '2 lines before its reply'],
    ['{"level":"info","msg":"up"}\n', '', '1 line before its reply'],
    ['{"level":"info"}', '', '1 line before its reply'],
    ['```json\n', '\n```\n', '1 line before its reply and 1 line after it'],
    ['[1, 2]\n  ', '  \n', '1 line before its reply'],
  ])('is found between %j and %j', (before, after, where) => {
    for (const own of [REPLY, PRETTY, PRETTY.replaceAll('\n', '\r\n')]) {
      const { reply, printed, warning } = read(before + own + after);
      expect(reply).toEqual(VALUE);
      expect(warning).toMatchObject({ code: 'mixed_output', message: `the agent printed ${where}` });
      for (const word of ['Loading', 'bye', 'three', 'info', 'ready', 'starting'])
        expect(printed.includes(word)).toBe((before + after).includes(word));
      expect(printed).not.toContain('Sorry');
    }
  });

  test('is the reply even if an error was printed next to it', () => {
    for (const text of [`{"error":"once"}\n${REPLY}`, `${REPLY}\n{}\n{"error":"late"}`])
      expect(read(text).reply).toEqual(VALUE);
  });

  test('is kept apart from stderr', () => {
    expect(readPrintedReply(`log\n${REPLY}\n`, { verb: 'printed', printed: 'err\n' }).printed).toBe(
      'log\nerr\n',
    );
  });

  test('may contain objects that look like replies', () => {
    const inner = { output: 'x', memory: { last: { output: 'y' } }, output_messages: [] };
    const text = JSON.stringify(inner, null, 1).replaceAll('\n ', '\n');
    expect(read(`log\n${text}`).reply).toEqual(inner);
  });
});

test.each([
  [`${REPLY}\n${REPLY}`, 'what the agent printed contains 2 reply objects'],
  ['{"type":"start"}\n{"type":"delta","delta":"Hi"}', 'a form that Assay does not know (start, delta)'],
  [
    'log\n{"event":"begin"}\nlog\n{"event":"end","answer":"Hi"}\n',
    'a form that Assay does not know (begin, end)',
  ],
  [`${REPLY}${REPLY}`, 'what the agent printed contains 2 reply objects'],
  [`${PRETTY}\nlog\n{"text":"b"}\nlog\n{"text":"c"}`, 'what the agent printed contains 3 reply objects'],
  ['{"output":"Sor', 'what the agent printed ends in the middle of a JSON object: {"output":"Sor'],
  ['Loading\n{"output":"Sorry","tools_used":["r', 'what the agent printed ends in the middle'],
  ['{"price":', 'what the agent printed ends in the middle'],
  ['{', 'what the agent printed ends in the middle'],
  ['{"answer":"Sor\n', 'what the agent printed ends in the middle'],
  ['log\n{"price": 5,\r\n', 'what the agent printed ends in the middle'],
  ['{"answer":"Sor\nshutting down\n', 'what the agent printed ends in the middle'],
  ['{\n  "price": 5,\nKilled\n', 'what the agent printed ends in the middle'],
  ['log\n{\n  "answer": tr', 'what the agent printed ends in the middle'],
  ['[{"output":"x"},', 'what the agent printed ends in the middle'],
  [`${REPLY}\n{"output":"again`, 'what the agent printed ends in the middle'],
  ['{"output":"Sor\n{shutting down}\n', 'what the agent printed starts like a reply, but is not valid JSON'],
  ['{"output": NaN}', 'what the agent printed starts like a reply, but is not valid JSON: {"output": NaN}'],
  ["{'output': 'Sorry', 'tools_used': ['rm']}", 'what the agent printed starts like a reply'],
  ["log\n{ output: 'Sorry', tools_used: [ 'rm' ] }", 'what the agent printed starts like a reply'],
  ["{\n  output: 'Sorry',\n  tools_used: [ 'rm' ]\n}", 'what the agent printed starts like a reply'],
  ['{"id": 1, "output": "x",}', 'what the agent printed starts like a reply'],
  ['', 'the agent exited with code 0 and printed nothing'],
  [' \r\n\n', 'the agent exited with code 0 and printed nothing'],
  ['{}', 'what the agent printed is an empty object'],
  ['Loading\n{}\n', 'what the agent printed is an empty object'],
  ['{"error":"boom"}', 'what the agent printed contains only an error: {"error":"boom"}'],
  ['log\n{"error":{"message":"no"},"status":500}', 'what the agent printed contains only an error'],
  [
    '{"errors":[{"message":"no"}],"request_id":"1","data":null}',
    'what the agent printed contains only an error',
  ],
  ['{"error":"boom"}\nbye\n', 'what the agent printed contains only an error: {"error":"boom"}'],
  ['log\n{\n  "error": "boom"\n}\nlog\n{"level":"info"}', 'what the agent printed contains only an error'],
  ['{}\nbye', 'what the agent printed is an empty object'],
  ['{"Error":"boom","code":1,"status":500,"type":"x"}', 'what the agent printed contains only an error'],
  ['{"errorMessage":"boom","errorType":"x"}', 'what the agent printed contains only an error'],
  [
    '{"error_message":"boom","model":"m","usage":{"total":1},"data":{},"request_id":"1"}',
    'what the agent printed contains only an error',
  ],
  ['{"errors":["boom"],"data":[],"model":"m"}\nbye', 'what the agent printed contains only an error'],
  ['{"success":false,"message":"no quota"}', 'what the agent printed contains only an error'],
  [
    '{"answer":"x","tools_used":["rm"]}',
    'what the agent printed has no `output`, `text` or `output_messages`',
  ],
])('%j is a contract error', (text, problem) => {
  expect(problemOf(text)).toContain(problem);
});

describe('any other text is the answer', () => {
  test.each([
    'Hello',
    '{name}, hello',
    '"x"',
    '[1]',
    '[INFO] [a',
    '{"temperature": 21}',
    '{"error": null, "price": 3}',
    '{"error": "E42", "price": 3}',
    '{"status": "error", "code": 500}',
    '{"memory": "8 GB", "cost_usd": 3}',
    'Use\n{ a: 1 }\nor {b}',
    'Use\n{"a": 1}\nand done',
    '{"level":"info"}\n{"level":"warn"}\nThe answer is 4.',
    '{"note": NaN}',
    'It says\n```json\n{"error":"boom"}\n```\nbecause the key is wrong.',
    '{"error":"E42","data":{"price":3}}\nbye',
    '{"data":{}}',
    '{"type":"circle","r":2}',
    'Send\n```json\n{"type":"a"}\n{"type":"b"}\n```\nand wait.',
    '{{input}}',
  ])('%j', (text) => {
    expect(read(`${text}\n`)).toEqual({ reply: text, printed: '', warning: undefined });
  });

  test.each([
    [`INFO ${REPLY}`, 'broken_reply'],
    [`${REPLY} and more`, 'broken_reply'],
    ['{"ouput": "x"}', 'no_output'],
    ['{"answer": 42}', 'no_output'],
  ])('is the answer, with a warning: %j', (text, code) => {
    expect(read(text)).toMatchObject({ reply: text, warning: { code } });
  });
});

test('endless open brackets are read in reasonable time or refused', () => {
  for (const line of ['[1,', '{"a":[', '[', '{', '{"a":1}', '[1],'])
    for (const end of ['', '\nx']) {
      const text = `${line}\n`.repeat(30_000) + end;
      expect(() => {
        try {
          read(text);
        } catch (error) {
          if (!(error instanceof AgentError)) throw error;
        }
      }).not.toThrow();
    }
});

test('a tool call before a recognised line is not lost', () => {
  const call = '{"type":"tool_call","name":"delete_account","args":{}}';
  const message = '{"id":"m2","role":"assistant","parts":[{"type":"text","text":"done"}]}';
  expect(() => readPrintedReply(`${call}\n${message}\n`, { verb: 'printed', printed: '' })).toThrow(
    'contains a tool call (tool_call) outside its reply',
  );
});
