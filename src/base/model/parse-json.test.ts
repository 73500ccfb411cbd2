import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { printJson } from './print-json.ts';
import { parseJson } from './parse-json.ts';

describe('parseJson', () => {
  test('keeps integers that a double cannot hold', () => {
    expect(parseJson('[9007199254740993, -12345678901234567890, 9007199254740991]')).toEqual([
      9007199254740993n,
      -12345678901234567890n,
      9007199254740991,
    ]);
  });

  test('keeps everything around a large integer', () => {
    const text = String.raw`{"a\"[1": [true, false, null, -0.5e3, "}\\", "\ud800"], "n" : 12345678901234567890, "o": {}, "l": [ ]}`;
    expect(parseJson(text)).toEqual({
      'a"[1': [true, false, null, -500, '}\\', '\ud800'],
      n: 12345678901234567890n,
      o: {},
      l: [],
    });
  });

  test.each(['%s', ' %s', '[%s]', '[1,%s]', '[\n%s\n]', '{"2e733":%s}', '{"a": %s}'])(
    'finds a large number in %j',
    (around) => {
      expect(printJson(parseJson(around.replace('%s', '-12345678901234567890')))).toContain(
        '-12345678901234567890',
      );
      expect(() => parseJson(around.replace('%s', '1.5e999'))).toThrow('is too large');
      expect(() => parseJson(around.replace('%s', '2E+400'))).toThrow('is too large');
    },
  );

  test('long digits in a fraction or a string stay unchanged', () => {
    expect(parseJson('[0.1234567890123456, "12345678901234567890"]')).toEqual([
      0.1234567890123456,
      '12345678901234567890',
    ]);
  });

  test.each(['NaN', '[Infinity]', '-Infinity', '1e999', '[-1E+400]', '{"a":1', '', "{'a': 1}", '[1,]', '01'])(
    'refuses %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  test('__proto__ is an ordinary key for both parsers', () => {
    for (const text of ['{"__proto__": {"x": 1}}', '{"__proto__": {"x": 12345678901234567890}}']) {
      const value = parseJson(text) as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  test('nesting has a limit, and brackets in strings do not count', () => {
    expect(() => parseJson(nested(1000))).not.toThrow();
    expect(() => parseJson(nested(1001))).toThrow('nested more than 1000 levels deep');
    expect(() => parseJson(nested(100_000))).toThrow('nested more than 1000 levels deep');
    expect(parseJson(JSON.stringify('['.repeat(5000)))).toHaveLength(5000);
  });

  test('reads back whatever printJson prints', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary' }),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .map((value) => (Object.is(value, -0) ? 0 : value)),
        fc.constantFrom(null, true, false),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(printJson(parseJson(printJson(value)))).toBe(printJson(value));
      }),
    );
  });
});

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
