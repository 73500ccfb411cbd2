import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pack, tryUnpack } from './packed.ts';
import { readResult } from './result-pieces.ts';
import type { WorkJob, WorkQueue } from './queue-server.ts';

test('what Assay did not write is nothing', () => {
  for (const text of ['', 'x', '{bad', pack(null), pack('text'), pack(7)])
    expect(tryUnpack(text)).toBeUndefined();
  expect(tryUnpack(pack({ a: 1 }))).toEqual({ a: 1 });
});

test('a few megabytes do not unpack to gigabytes', () => {
  const bomb = `j${deflateRawSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 }).toString('base64')}`;
  expect(bomb.length).toBeLessThan(4_000_000);
  expect(tryUnpack(bomb)).toBeUndefined();
});

test('a malformed result is no result', async () => {
  const queue = { getJobLogs: () => Promise.resolve({ logs: [], count: 0 }) } as unknown as WorkQueue;
  const record = { id: 'a', file: 'f', test: 't', target: 'x', fingerprint: 'p', started_at: 's' };
  const whole = { ...record, verdict: 'passed', steps: [], assertions: [] };
  const read = (returnvalue: unknown): ReturnType<typeof readResult> =>
    readResult({ id: '1', returnvalue } as unknown as WorkJob, queue);
  const bad: unknown[] = [
    undefined,
    null,
    7,
    '{bad',
    '{}',
    '{"by":"x","count":1e9}',
    '{"by":"x","count":-1}',
    'null',
    pack({}),
    pack({ finished: null, duration_ms: 1 }),
    pack({ finished: [null], duration_ms: 1 }),
    pack({ finished: [{ record, findings: [] }], duration_ms: 1 }),
    pack({ finished: [{ record: whole }], duration_ms: 1 }),
    pack({ finished: [{ record: { ...whole, verdict: 'fine' }, findings: [] }], duration_ms: 1 }),
  ];
  for (const value of bad) expect(await read(value)).toBeUndefined();
  const good = { finished: [{ record: whole, findings: [] }], duration_ms: 1 };
  expect(await read(pack(good))).toEqual(good);
});
