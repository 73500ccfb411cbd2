import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { createViewProject, killStarted, type RunningView, startView } from './view-project.ts';

const project = createViewProject({ 'secret.txt': 'do not show' });
let runId: string;
let view: RunningView;

beforeAll(async () => {
  runId = await project.run();
  view = await startView(project.path);
});

afterAll(killStarted);
afterAll(async () => {
  await view.stop();
  project.remove();
});

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request exactly as it is given: nothing is corrected, added or followed. */
function ask({ path = '/api/runs', method = 'GET', headers = {} }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: view.port, path, method, headers, agent: false });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.end();
  });
}

/** Sends bytes as they are, and answers with everything that comes back. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(view.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

const bearer = (): OutgoingHttpHeaders => ({ Authorization: `Bearer ${view.token}` });
const host = (name: string): string => `${name}:${view.port}`;

describe('access', () => {
  test('the first printed line is the address, with the token', () => {
    const [line] = view.printed.stdout.split('\n');
    expect(line).toBe(`http://127.0.0.1:${view.port}/?token=${view.token}`);
    expect(view.token).toMatch(/^[\w-]{32}$/);
  });

  test('the token becomes a cookie that no script sees and no other site sends', async () => {
    const { status, headers } = await ask({ path: `/?token=${view.token}` });
    expect([status, headers.location]).toEqual([303, '/']);
    expect(headers['set-cookie']).toEqual([
      `assay_${view.port}=${view.token}; HttpOnly; SameSite=Strict; Path=/`,
    ]);
    const cookie = `other=1; assay_${view.port}=${view.token}`;
    expect(await ask({ headers: { Cookie: cookie } })).toMatchObject({ status: 200 });
  });

  test.each([
    ['nothing', {}],
    ['a wrong token', { Authorization: 'Bearer wrong' }],
    ['the beginning of the token', { Authorization: () => `Bearer ${view.token.slice(0, -1)}` }],
    ['the cookie of another port', { Cookie: () => `assay_1=${view.token}` }],
    ['a wrong cookie', { Cookie: () => `assay_${view.port}=wrong` }],
    ['another scheme', { Authorization: () => `Basic ${view.token}` }],
  ])('with %s the answer only says where to find the token', async (_, given) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'function' ? value() : value]),
    );
    for (const path of ['/', '/api/runs', `/api/runs/${runId}`, '/assets/page.js', '/nowhere']) {
      const { status, text } = await ask({ path, headers });
      expect([status, text]).toEqual([401, expect.stringContaining('`assay view` printed')]);
    }
  });

  test('a token in the query works only for the page', async () => {
    expect(await ask({ path: `/api/runs?token=${view.token}` })).toMatchObject({ status: 401 });
    expect(await ask({ path: '/?token=wrong' })).toMatchObject({ status: 401 });
  });
});

describe('even with a token, a request is refused', () => {
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('but not with the host %s', async (name) => {
    expect(await ask({ headers: { ...bearer(), Host: host(name) } })).toMatchObject({ status: 200 });
  });

  test.each([
    ['a name that leads here', () => host('evil.example')],
    ['another port', () => `127.0.0.1:${view.port + 1}`],
    ['no port', () => '127.0.0.1'],
    ['a name that only begins well', () => host('127.0.0.1.evil.example')],
    ['an address of the network', () => host('192.168.0.7')],
  ])('with the host %s', async (_, name) => {
    const { status, text } = await ask({ headers: { ...bearer(), Host: name() } });
    expect(status).toBe(403);
    expect(text).not.toContain(runId);
  });

  test.each([
    ['another site', () => 'https://evil.example'],
    ['another port', () => 'http://127.0.0.1:1'],
    ['no origin at all', () => 'null'],
    ['the same place by https', () => `https://${host('127.0.0.1')}`],
  ])('with the origin %s', async (_, origin) => {
    expect(await ask({ headers: { ...bearer(), Origin: origin() } })).toMatchObject({ status: 403 });
  });

  test('but not with its own origin', async () => {
    const headers = { ...bearer(), Origin: `http://${host('127.0.0.1')}`, 'Sec-Fetch-Site': 'same-origin' };
    expect(await ask({ headers })).toMatchObject({ status: 200 });
  });

  test.each(['cross-site', 'same-site', 'whatever'])('with Sec-Fetch-Site: %s', async (site) => {
    const headers = { ...bearer(), 'Sec-Fetch-Site': site };
    expect(await ask({ headers })).toMatchObject({ status: 403 });
    expect(await ask({ path: `/?token=${view.token}`, headers })).toMatchObject({ status: 403 });
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])(
    'with the method %s',
    async (method) => {
      const { status, headers } = await ask({ method, headers: bearer() });
      expect([status, headers.allow]).toEqual([405, 'GET']);
    },
  );

  test('with a body, or with a URL or headers that are too long', async () => {
    const lines = `Host: ${host('127.0.0.1')}\r\nAuthorization: Bearer ${view.token}\r\n`;
    for (const body of ['Content-Length: 1000000000000', 'Transfer-Encoding: chunked'])
      expect(await send(`GET /api/runs HTTP/1.1\r\n${lines}${body}\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /);
    expect(await ask({ path: `/${'x'.repeat(5000)}`, headers: bearer() })).toMatchObject({ status: 414 });
    expect(await ask({ headers: { ...bearer(), X: 'x'.repeat(20_000) } })).toMatchObject({ status: 431 });
  });

  test('as a proxy request, or if it is not HTTP', async () => {
    const lines = `Host: ${host('127.0.0.1')}\r\nAuthorization: Bearer ${view.token}\r\nConnection: close\r\n\r\n`;
    expect(await send(`GET http://evil.example/api/runs HTTP/1.1\r\n${lines}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await send('\u0016\u0003\u0001 hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await send(`GET /api/runs HTTP/1.1\r\n${lines}`)).toMatch(/^HTTP\/1.1 200 /);
    const withoutHost = lines.replace(/^Host: .*\r\n/, '');
    expect(await send(`GET /api/runs HTTP/1.1\r\n${withoutHost}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await send(`GET /api/runs HTTP/1.0\r\n${withoutHost}`)).toMatch(/^HTTP\/1.1 403 /);
    // Of two names, each reader takes another one.
    expect(await send(`GET /api/runs HTTP/1.1\r\nHost: evil.example\r\n${lines}`)).toMatch(/^HTTP\/1.1 403 /);
    const after = `GET /api/runs HTTP/1.1\r\n${lines.replace(/\r\n\r\n$/, '\r\nHost: evil.example\r\n\r\n')}`;
    expect(await send(after)).toMatch(/^HTTP\/1.1 403 /);
  });

  test('if it is sent too slowly', async () => {
    const answer = await send(`GET /api/runs HTTP/1.1\r\nHost: ${host('127.0.0.1')}\r\nX-Slow: `);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  }, 30_000);
});

describe('every response', () => {
  test('has the same security headers, and nothing for other origins', async () => {
    const paths = ['/', '/api/runs', `/api/runs/${runId}/results`, `/api/runs/${runId}/events`, '/nowhere'];
    const refused = [{ path: '/' }, { headers: { ...bearer(), Host: 'evil.example' } }];
    for (const asked of [...paths.map((path) => ({ path, headers: bearer() })), ...refused]) {
      const { headers } = await ask(asked);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/index.html/../../cli.cjs',
    '//secret.txt',
    '/api/runs/..',
    '/api/runs/../runs',
    '/api/runs/..%2f..%2fsecret.txt',
    '/api/runs/%2e%2e%2f%2e%2e',
    '/api/runs/%00',
    '/api/runs/%',
    '/api/runs/',
    '/api//runs',
    '/api/runs/RUN%2fresults',
    '/api/runs/RUN/../../../secret.txt',
    '/api/runs/RUN/results/..%2f0',
    '/api/runs/RUN/results/0/..',
    '/api/runs/RUN/results/1e1',
    '/api/runs/__proto__',
    '/api/runs/constructor/results',
    '/api/constructor',
    '/api/compare?a=..&b=..',
  ])('is 404 for %s', async (path) => {
    const { status, text } = await ask({ path: path.replace('RUN', runId), headers: bearer() });
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toContain('do not show');
  });

  test('writes nothing but the cache of digests', () => {
    expect(readdirSync(join(project.path, '.assay')).sort()).toEqual([
      '.gitignore',
      'cache',
      'runs',
      'sequence',
    ]);
    expect(readdirSync(join(project.path, '.assay/cache'))).toEqual(['view']);
    expect(existsSync(join(project.path, '.assay/runs', runId, 'live.json'))).toBe(false);
  });
});

describe('other machines', () => {
  test.each(['0.0.0.0', '::', '192.168.0.7', 'example.com'])(
    'have no access on %s without a token',
    async (name) => {
      const { exitCode, stdout, stderr } = await runCli(['view', '--port', '0', '--host', name], {
        cwd: project.path,
      });
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`listening on ${name} gives other machines access`);
      expect(stderr).toContain('--token');
    },
  );

  test('need a token of sufficient length', async () => {
    const { exitCode, stderr } = await runCli(['view', '--token', 'short'], { cwd: project.path });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--token takes 16 to 200')]);
  });

  test('have access with it, by the address they connected to, not by another name', async () => {
    const token = 'a-token-of-my-own-1234';
    const open = await startView(project.path, ['--host', '0.0.0.0', '--token', token]);
    const get = (name: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { Host: `${name}:${open.port}`, Authorization: `Bearer ${token}` };
        request({ host: '127.0.0.2', port: open.port, path: '/api/runs', headers })
          .on('response', (response) => resolve(response.resume().statusCode!))
          .on('error', reject)
          .end();
      });
    try {
      expect(open.address).toBe(`http://127.0.0.1:${open.port}/?token=${token}`);
      expect([await get('127.0.0.2'), await get('evil.example'), await get('127.0.0.3')]).toEqual([
        200, 403, 403,
      ]);
    } finally {
      await open.stop();
    }
  });
});
