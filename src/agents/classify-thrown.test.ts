import { expect, test } from 'vitest';
import { passingFailure } from './classify-thrown.ts';

const withCause = (cause: unknown) => Object.assign(new TypeError('fetch failed'), { cause });

test.each([
  ['a busy server', { status: 429 }, true],
  ['a server that fails', Object.assign(new Error('x'), { status: 503 }), false],
  ['the AI SDK', { statusCode: 500, responseHeaders: {} }, false],
  ['the AI SDK after its own retries', { lastError: { statusCode: 429 } }, true],
  ['axios', { code: 'ERR_BAD_RESPONSE', response: { status: 502 } }, false],
  ['a reset connection', { code: 'ECONNRESET' }, false],
  ['fetch on a reset connection', withCause({ code: 'UND_ERR_SOCKET' }), false],
  ['a nested cause', withCause(withCause({ code: 'ETIMEDOUT' })), false],
])('%s is worth a retry', (_, error, isRateLimit) => {
  expect(passingFailure(error)).toMatchObject({ isRateLimit });
});

test.each([
  ['an error of the agent', new TypeError('x is not a function')],
  ['a wrong key', { status: 401 }],
  ['a bad request with a cause that is not', { status: 400, cause: { code: 'ECONNRESET' } }],
  ['no more money', { status: 429, code: 'insufficient_quota' }],
  ['a missing file', { code: 'ENOENT' }],
  ['a success that is thrown', { status: 200 }],
  ['a text', '429'],
  ['nothing', undefined],
])('%s is not worth a retry', (_, error) => {
  expect(passingFailure(error)).toBeUndefined();
});

test('a cycle of causes does not loop forever', () => {
  const error: { cause?: unknown } = {};
  error.cause = error;
  expect(passingFailure(error)).toBeUndefined();
});

test('Retry-After of the server is read', () => {
  expect(passingFailure({ status: 429, headers: new Headers({ 'retry-after': '2' }) })).toEqual({
    isRateLimit: true,
    retryAfterMs: 2000,
  });
  expect(passingFailure({ statusCode: 503, responseHeaders: { 'retry-after-ms': '50' } })).toEqual({
    isRateLimit: false,
    retryAfterMs: 50,
  });
});
