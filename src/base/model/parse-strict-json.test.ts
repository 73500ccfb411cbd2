import { describe, expect, test } from 'vitest';
import { parseStrictJson } from './parse-strict-json.ts';

describe('parseStrictJson', () => {
  test.each([
    ['{"score":0.1,"score":1}', 'score'],
    ['{"score":0.1,"sc\\u006fre":1}', 'score'],
    ['{"a":[{"b":1},{"c":{"":1,"d":[],"":2}}]}', ''],
    ['{"a":{"x":1},"b":["a",{}],"a":1}', 'a'],
    ['[1,{"__proto__":1,"__proto__":2}]', '__proto__'],
    [String.raw`{"a\"":1,"b":"{\"a\":1,\"a\":2}","a\"":2}`, String.raw`a\"`],
  ])('refuses %s', (text, key) => {
    expect(() => parseStrictJson(text)).toThrow(`"${key}" twice`);
  });

  test.each([
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1},"a","a"]',
    '{"a":"a","b":["a","b"],"A":","}',
    '"a"',
    ' {} ',
  ])('reads %s', (text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
  });

  test('refuses invalid JSON', () => {
    expect(() => parseStrictJson('{"a":NaN}')).toThrow(SyntaxError);
  });
});
