import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import { secretForms } from '../../../test/security/secret-forms.ts';
import { createRedactor, redactorOf } from './redact-secrets.ts';
import { codedSecretPattern } from './secret-pattern.ts';

const SECRET = 'sk-test/1234+abcd?é';
const { text, value } = createRedactor({
  OPENAI_API_KEY: SECRET,
  HOME: '/home/someone/long',
  SHORT_TOKEN: 'abc',
});

describe('secrets', () => {
  test('are replaced when plain, URL-encoded, JSON-escaped or in base64 at any offset', () => {
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

  test('are replaced when Assay shortened the text in the middle of one, if 8 characters of it are left', () => {
    for (let length = 8; length < SECRET.length; length++) {
      expect(text(`a ${SECRET.slice(0, length)}… b`)).toBe('a [redacted]… b');
      expect(text(`a …${SECRET.slice(-length)} b`)).toBe('a …[redacted] b');
      expect(value({ a: [`${SECRET.slice(0, length)}…`] })).toEqual({ a: ['[redacted]…'] });
    }
    for (const other of ['sk-test…', `${SECRET.slice(0, 12)} …`, `${SECRET.slice(0, 12)}x…`, '…?é'])
      expect(text(other)).toBe(other);
    const many = `${SECRET.slice(0, 10)}…`.repeat(100_000);
    expect(text(many)).toBe('[redacted]…'.repeat(100_000));
  });

  test('the quick first search misses nothing that the pattern finds', () => {
    const secrets = fc.string({
      unit: fc.constantFrom(...'abXY019_-.~/+=%?&"\\ \né😀'),
      minLength: 8,
      maxLength: 30,
    });
    fc.assert(
      fc.property(secrets, fc.string({ maxLength: 3 }), fc.nat(200), (secret, before, wrapAt) => {
        const redactor = redactorOf([secret]);
        const pattern = new RegExp(codedSecretPattern(secret), 'g');
        const base64 = Buffer.from(`${before}${secret}yyy`).toString('base64');
        const width = 1 + (wrapAt % 80);
        const wrapped = base64.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n');
        const forms = [...secretForms(secret), base64, wrapped, JSON.stringify(wrapped)];
        for (const form of forms.map((each) => `${before}${each}after`))
          expect(redactor.text(form)).toBe(form.replaceAll(pattern, '[redacted]'));
      }),
      { numRuns: 80 },
    );
  });

  test('if one secret is part of another, nothing of the longer one is left', () => {
    const [short, begins, inside] = ['sk-1234567890', 'sk-1234567890-and-more', 'x-sk-1234567890-y'];
    for (const order of [
      [short, begins, inside],
      [inside, begins, short],
    ]) {
      const redactor = redactorOf(order);
      for (const secret of order)
        expect(redactor.text(`(${secret}) (${encodeURIComponent(secret)})`)).toBe(
          '([redacted]) ([redacted])',
        );
    }
  });

  test('secrets are found in escapes by character number, and other escapes stay', () => {
    const coded = secretForms(SECRET).filter((form) => /^(?:&|\\)/.test(form));
    expect(coded.length).toBeGreaterThan(3);
    for (const form of coded) expect(text(`x ${form} y`)).toBe('x [redacted] y');
    expect(text('a &#115;ong, \\x73 and \\u0073')).toBe('a &#115;ong, \\x73 and \\u0073');
  });

  test('other variables and short values are left alone', () => {
    expect(text('/home/someone/long abc')).toBe('/home/someone/long abc');
  });

  test('values and keys are redacted at any depth, and unchanged objects stay the same object', () => {
    expect(value({ a: [{ [SECRET]: `Bearer ${SECRET}` }] })).toEqual({
      a: [{ '[redacted]': 'Bearer [redacted]' }],
    });
    const clean = { a: [1, 'two', { three: null }] };
    expect(value(clean)).toBe(clean);
  });
});
