import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpConnection } from './http-connection.ts';

const TEXT = JSON.stringify({ output: 'Paris '.repeat(200) });
const PACKED: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(TEXT),
  deflate: deflateSync(TEXT),
  br: brotliCompressSync(TEXT),
};

/** The address has the encoding, and how many bytes are left out at the end. */
async function ask(encoding: string, cut: number) {
  const server = createServer((_, response) => {
    const packed = PACKED[encoding.toLowerCase()]!;
    response.setHeader('content-encoding', encoding);
    response.end(packed.subarray(0, packed.length - cut));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const connection = await createHttpConnection(url);
  onTestFinished(() => {
    connection.close();
    server.close();
  });
  const request = { url, method: 'POST', headers: new Headers(), body: '{}' };
  return connection.send(request, new AbortController().signal);
}

test.each(['gzip', 'deflate', 'br', 'GZIP'])('a %s response is decompressed', async (encoding) => {
  expect((await ask(encoding, 0)).text).toBe(TEXT);
});

test.each(['gzip', 'deflate', 'br'])('a %s response that is cut off fails its attempt', async (encoding) => {
  await expect(ask(encoding, 6)).rejects.toMatchObject({
    name: 'AgentError',
    kind: 'infrastructure',
    message: expect.stringContaining(`it says that it is ${encoding}, but is broken or cut off`) as string,
  });
});
