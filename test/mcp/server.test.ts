import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CLI, createProject } from '../project.ts';
import { call, closeClients, connect } from './client.ts';

const AGENT = `export const agent = async (input) => {
  if (input === 'wait') await new Promise((resolve) => setTimeout(resolve, 60_000));
  console.log('{"jsonrpc":"2.0","id":1,"result":"forged"}');
  const prices = { Berlin: 74, Lisbon: 89 };
  const city = input.split(' ').at(-1);
  const calls = [{ tool: 'prices', input: { city, row: [] }, output: prices[city] }];
  return { output: 'The flight to ' + city + ' costs ' + prices[city] + ' EUR. ' + (process.env.SHOP_API_KEY ?? ''), tool_calls: calls };
};
`;

const SUITE = `- id: berlin
  input: How much is a flight to Berlin
  assert:
    output.includes: 74 EUR
- id: lisbon
  description: The price in the catalogue
  input: How much is a flight to Lisbon
  assert:
    output.includes: 98 EUR
`;

const CONFIG = `agent: ./agent.mjs
mcp:
  paths: [tests]
  max_cost: 1
`;

let project: ReturnType<typeof createProject>;
let outside: string;

beforeAll(() => {
  project = createProject({
    'agent.mjs': AGENT,
    'assay.config.yaml': CONFIG,
    'tests/prices.test.yaml': SUITE,
    'slow/wait.test.yaml': 'id: wait\ninput: wait\nassert: { output.includes: x }\n',
    'broken.test.yaml': 'id: x\ninput: y\nassert: { output.inclods: z }\n',
  });
  outside = mkdtempSync(join(tmpdir(), 'assay-outside-'));
  writeFileSync(join(outside, 'secret.test.yaml'), 'id: stolen\ninput: x\nassert: { output.includes: x }\n');
  mkdirSync(join(project.path, 'links'));
  symlinkSync(outside, join(project.path, 'links', 'folder'));
  symlinkSync(join(outside, 'secret.test.yaml'), join(project.path, 'links', 'link.test.yaml'));
});
afterEach(closeClients);
afterAll(() => {
  project.remove();
  rmSync(outside, { recursive: true, force: true });
});

test('a client finds a planted failure, reads it, fixes it, and sees that it is fixed', async () => {
  const client = await connect({ cwd: project.path });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['validate', 'list', 'run', 'failures', 'show', 'compare']);
  expect(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name),
  ).toEqual(['run']);

  expect((await call(client, 'list', { paths: ['tests'] })).text).toBe(
    '2 tests\ntests/prices.test.yaml:1 berlin\ntests/prices.test.yaml:5 lisbon The price in the catalogue',
  );
  const first = await call(client, 'run');
  expect(first).toMatchObject({ isError: false });
  expect(first.text).toContain('1 failed, 1 passed (2 tests)');
  const failures = await call(client, 'failures');
  const [, place, wanted] = /^(\S+:\d+) lisbon\n.*expected "(\d+) EUR"/m.exec(failures.text)!;
  expect(place).toBe('tests/prices.test.yaml:9');

  const shown = await call(client, 'show', { test: place });
  expect(shown.text).toContain('"id":"lisbon"');
  // What is wrong may be the agent: where it is, and what its tools were called with and said.
  expect(shown.text).toContain('target default: assay.config.yaml:1');
  expect(shown.text).toContain('  tools:  prices(city: "Lisbon", row: []) → 89');
  expect(shown.text.length).toBeLessThan(1500);
  const [, got] = /output: The flight to Lisbon costs (\d+) EUR/.exec(shown.text)!;
  // As a coding agent would edit the file.
  const file = join(project.path, 'agent.mjs');
  writeFileSync(file, readFileSync(file, 'utf8').replace(got!, wanted!));

  expect((await call(client, 'validate', { paths: ['tests'] })).text).toBe(
    '1 files, 2 tests: 0 errors, 0 warnings',
  );
  const second = await call(client, 'run', { last_failed: true });
  expect(second.text).toMatch(/1 passed \(1 test\) in .*, exit code 0/);
  expect((await call(client, 'run', { paths: ['tests/prices.test.yaml:5'], repeats: 5 })).text).toContain(
    '1 passed (1 test)',
  );
  expect((await call(client, 'run', { paths: ['tests'], grep: '^berlin$' })).text).toContain(
    '1 passed (1 test)',
  );
  // A test that the latest run left out: the run before has it.
  expect((await call(client, 'show', { test: 'tests/prices.test.yaml:5' })).text).toMatch(
    /^passed in run [^]*\.\.\. and 2 more attempts in this run$/m,
  );
  const [run] = /\d{8}T[\d-]+-\w+/.exec(failures.text)!;
  expect(failures.text).not.toContain('assay report');
  await call(client, 'run', { paths: ['tests'] });
  expect((await call(client, 'compare', { before: run })).text).toMatch(
    /Fixes[^]*prices\.test\.yaml:5 lisbon/,
  );
  const itself = await call(client, 'compare', { before: 'latest' });
  expect(itself.text).toMatch(
    /would be compared with itself\nhint: name an earlier run: the latest are \S+, /,
  );
  expect((await call(client, 'failures', { run: 'x' })).text).toContain(run);

  // A run without tests does not hide behind the green one before it.
  const none = await call(client, 'run', { grep: 'no such test' });
  expect(none.text).toContain('no test ran (0 tests)');
  const [empty] = /\d{8}T[\d-]+-\w+/.exec(none.text)!;
  expect((await call(client, 'failures')).text).toMatch(
    new RegExp(`^no test ran in the newest run, ${empty}; this is the run before it\n[^]*2 passed`),
  );
  expect((await call(client, 'failures', { run: empty })).text).toMatch(/^error no_tests/);
});

test('paths out of the project are refused, also through links and patterns', async () => {
  const client = await connect({ cwd: project.path });
  const ways = [
    join(outside, 'secret.test.yaml'),
    '../x.test.yaml',
    'tests/../../x',
    '/etc/passwd',
    'links/folder',
    'links/folder/secret.test.yaml',
    'links/folder/secret.test.yaml:1',
    'links/link.test.yaml',
    '{..,tests}/**/*.yaml',
    `${outside}/*.yaml`,
    'a\0b',
  ];
  for (const name of ['validate', 'list', 'run'])
    for (const path of ways) {
      const { text, isError } = await call(client, name, { paths: [path] });
      expect(text, `${name} ${path}`).toMatch(/outside the project/);
      expect(isError, `${name} ${path}`).toBe(true);
    }
  // What a pattern inside of the project leads to is refused where it is found.
  for (const name of ['validate', 'list', 'run', 'show'])
    expect(
      (await call(client, name, name === 'show' ? { test: 'links/**' } : { paths: ['links/**'] })).text,
    ).toMatch(/^(?![^]*stolen)[^]*leads out of the project/);
  for (const run of ['../../x', outside, '/', '-x', '--config=x'])
    for (const [name, input] of [
      ['failures', { run }],
      ['show', { test: 'tests/prices.test.yaml:1', run }],
      ['compare', { before: run }],
    ] as const)
      expect(await call(client, name, input), `${name} ${run}`).toMatchObject({ isError: true });
  expect(await call(client, 'compare', { before: join(outside, 'x.json') })).toMatchObject({ isError: true });
});

test('only what the config allows runs, and a refusal says what to add to the config', async () => {
  const client = await connect({ cwd: project.path });
  const slow = await call(client, 'run', { paths: ['slow'] });
  expect(slow).toMatchObject({ isError: true });
  expect(slow.text).toMatch(
    /slow\/wait\.test\.yaml may not be run from here\nhint: allowed is: tests; .*`mcp\.paths`/,
  );
  // Arguments are never options.
  for (const path of ['--allow-scripts', '--agent=evil.mjs', '-t'])
    expect(await call(client, 'run', { paths: [path] })).toMatchObject({ isError: true });
  expect((await call(client, 'run', { grep: '--agent=evil.mjs' })).text).toContain('no test');
  // An argument that does not exist would leave a run without its limit.
  for (const input of [{ path: 'tests/prices.test.yaml:5' }, { test: 'berlin' }, { grep: 'a\0b' }])
    expect(await call(client, 'run', input)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Input validation error: .*(?:"path"|"test"|NUL)/) as unknown,
    });

  const bare = createProject({
    'agent.mjs': AGENT,
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'a.test.yaml': SUITE,
  });
  const refused = await call(await connect({ cwd: bare.path }), 'run');
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toContain('mcp:\n  paths: [tests]');
  // It cannot give itself the permission.
  const late = await connect({ cwd: bare.path });
  writeFileSync(join(bare.path, 'assay.config.yaml'), 'agent: ./agent.mjs\nmcp: { paths: [.] }\n');
  expect(await call(late, 'run')).toMatchObject({ isError: true });
  await closeClients();

  writeFileSync(
    join(bare.path, 'assay.config.yaml'),
    'targets:\n  - { name: cheap, agent: ./agent.mjs }\n  - { name: dear, agent: ./agent.mjs }\nmcp: { paths: [a.test.yaml], targets: [cheap] }\n',
  );
  const limited = await connect({ cwd: bare.path });
  expect((await call(limited, 'run', { target: 'dear' })).text).toContain('"dear" may not be run from here');
  expect((await call(limited, 'run', { target: 'cheap,dear' })).text).toContain('"dear" may not be run');
  expect((await call(limited, 'run', { target: 'cheap, cheap', grep: 'berlin' })).text).toContain('1 passed');
  await closeClients();

  // What is missing is an error, as with `assay run`; without suites nothing else runs.
  writeFileSync(
    join(bare.path, 'assay.config.yaml'),
    'agent: ./agent.mjs\nmcp: { paths: [a.test.yaml, gone.test.yaml] }\n',
  );
  const partial = await call(await connect({ cwd: bare.path }), 'run', { grep: 'berlin' });
  expect(partial.text).toMatch(/gone\.test\.yaml[^]*1 passed \(1 test\) in .*, exit code 2/);
  mkdirSync(join(bare.path, 'empty'));
  writeFileSync(join(bare.path, 'assay.config.yaml'), 'agent: ./agent.mjs\nmcp: { paths: [empty] }\n');
  expect((await call(await connect({ cwd: bare.path }), 'run')).text).toContain('no test ran (0 tests)');
  await closeClients();

  // Nothing in the list is nothing, not everything.
  for (const block of ['{ paths: [] }', '{ paths: [.], targets: [] }']) {
    writeFileSync(join(bare.path, 'assay.config.yaml'), `agent: ./agent.mjs\nmcp: ${block}\n`);
    const closed = await connect({ cwd: bare.path });
    for (const paths of [undefined, ['a.test.yaml']])
      expect(await call(closed, 'run', { ...(paths && { paths }) })).toMatchObject({
        isError: true,
        text: expect.stringContaining('in the config is empty') as unknown,
      });
  }
  await closeClients();
  bare.remove();
});

test('one run at a time; a cancelled run ends, and the next one starts', async () => {
  const slow = createProject({
    'agent.mjs': AGENT,
    'assay.config.yaml': 'agent: ./agent.mjs\nmcp: { paths: [.] }\n',
    'wait.test.yaml': 'id: wait\ninput: wait\nassert: { output.includes: x }\n',
    'a.test.yaml': SUITE,
  });
  const client = await connect({ cwd: slow.path });
  const cancel = new AbortController();
  const first = client
    .callTool({ name: 'run', arguments: { paths: ['wait.test.yaml'] } }, { signal: cancel.signal })
    .catch((error: unknown) => error);
  let second = await call(client, 'run', { paths: ['a.test.yaml'] });
  while (!second.isError) second = await call(client, 'run', { paths: ['a.test.yaml'] });
  expect(second.text).toMatch(/^another run is in progress: wait\.test\.yaml, since \d+ s\nhint: wait/);
  expect((await call(client, 'list', { paths: ['a.test.yaml'] })).text).toContain('2 tests');
  cancel.abort();
  await first;
  let third = await call(client, 'run', { paths: ['a.test.yaml'], grep: 'berlin' });
  while (third.text.startsWith('another run'))
    third = await call(client, 'run', { paths: ['a.test.yaml'], grep: 'berlin' });
  expect(third.text).toContain('1 passed');
  await closeClients();
  slow.remove();
});

test('secrets are redacted, and answers have a limit', async () => {
  const many = Array.from(
    { length: 3000 },
    (_, index) => `- id: test-${index}\n  input: x\n  assert: { output.includes: x }\n`,
  );
  writeFileSync(join(project.path, 'many.test.yaml'), many.join(''));
  const client = await connect({ cwd: project.path, env: { SHOP_API_KEY: 'sk-verysecretvalue-123456' } });
  await call(client, 'run', { paths: ['tests'] });
  const { text } = await call(client, 'show', { test: 'tests/prices.test.yaml:1' });
  expect(text).toContain('The flight to Berlin costs 74 EUR.');
  expect(text).not.toContain('verysecret');
  const listed = await call(client, 'list', { paths: ['many.test.yaml'] });
  expect(listed.text.length).toBeLessThan(21_000);
  expect(listed.text).toMatch(/^3000 tests\n/);
  expect(listed.text).toMatch(/more; narrow it with paths or grep$/);
});

test('a client that sends nonsense gets errors, and the server continues', async () => {
  const child = spawn(process.execPath, [CLI, 'mcp'], { cwd: project.path, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: unknown): void =>
    void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  send('not json at all');
  send('[]');
  send('{"jsonrpc":"1.0","id":{},"method":7}');
  send('\u0000\u0001\u0002');
  send(`"${'x'.repeat(1_000_000)}"`);
  send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
  const answerTo = async (id: number): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the server ended');
      const message = JSON.parse(value) as Record<string, unknown>;
      if (message['id'] === id) return message;
    }
  };
  expect(await answerTo(1)).toHaveProperty('result');
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'nothing', arguments: {} } });
  await answerTo(2);
  send({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'run', arguments: { paths: 'tests', repeats: 1e9 } },
  });
  await answerTo(3);
  send({
    jsonrpc: '2.0',
    id: 4,
    method: 'tools/call',
    params: { name: 'show', arguments: { test: { $gt: '' } } },
  });
  await answerTo(4);
  send({ jsonrpc: '2.0', id: 5, method: 'no/such/method' });
  expect(await answerTo(5)).toHaveProperty('error');
  send({
    jsonrpc: '2.0',
    id: 6,
    method: 'tools/call',
    params: { name: 'validate', arguments: { paths: ['broken.test.yaml'] } },
  });
  expect(JSON.stringify(await answerTo(6))).toContain('broken.test.yaml:3');
  // A message that is too large ends the server: it does not stay there without answering.
  const ended = once(child, 'exit') as Promise<unknown>;
  child.stdin.on('error', () => undefined);
  send(`"${'x'.repeat(11_000_000)}"`);
  expect(await ended).toEqual([0, null]);
});
