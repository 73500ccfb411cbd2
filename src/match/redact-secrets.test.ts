import * as fc from '../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { createRedactor } from './redact-secrets.ts';

const SECRET = 'sk-test/1234+abcd?é';
const { text, value } = createRedactor({
  OPENAI_API_KEY: SECRET,
  HOME: '/home/someone/long',
  SHORT_TOKEN: 'abc',
});

describe('secrets', () => {
  test('plain, URL-encoded, JSON-escaped and base64 in any position are replaced', () => {
    for (const form of [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')])
      expect(text(`x ${form} y`)).not.toContain(form);
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (before, after) => {
        const shown = text(Buffer.from(before + SECRET + after).toString('base64'));
        expect(Buffer.from(shown.replaceAll('[redacted]', ''), 'base64').toString()).not.toContain(SECRET);
        expect(shown).toContain('[redacted]');
      }),
    );
  });

  test('other variables and short values are left alone', () => {
    expect(text('/home/someone/long abc')).toBe('/home/someone/long abc');
  });

  test('values are redacted at any depth, keys too, and untouched ones stay the same object', () => {
    expect(value({ a: [{ [SECRET]: `Bearer ${SECRET}` }] })).toEqual({
      a: [{ '[redacted]': 'Bearer [redacted]' }],
    });
    const clean = { a: [1, 'two', { three: null }] };
    expect(value(clean)).toBe(clean);
  });
});
