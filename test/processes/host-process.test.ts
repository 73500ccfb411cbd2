import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/model/json.ts';
import { HostError, HostProcess, type HostOptions } from '../../src/agents/processes/host-process.ts';
import { until } from '../run-folders.ts';
import { trackProcesses } from '../track-processes.ts';

/** Does what each request says. `hold` answers when a later call releases it. */
const HOST = `
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
const held = new Map();
const asked = new Map();
const aborted = [];
const input = new Socket({ fd: 3, readable: true, writable: false });
function write(text) {
  for (let data = Buffer.from(text); data.length > 0;) data = data.subarray(writeSync(4, data));
}
const send = (message) => write(JSON.stringify(message) + '\\n');
const ask = (question) => new Promise((resolve) => {
  const number = asked.size + 1;
  asked.set(number, resolve);
  send({ ask: number, ...question });
});
const DO = {
  echo: ({ text }) => ({ reply: text }),
  line: (_, line) => ({ reply: line }),
  hold: ({ call, name }) => void held.set(name, call),
  release: ({ name }) => {
    send({ call: held.get(name), reply: name });
    return {};
  },
  aborted: () => ({ reply: aborted.map((call) => [...held].find(([, each]) => each === call)[0]) }),
  pid: () => ({ reply: process.pid }),
  write: ({ text }) => void write(text),
  exit: ({ code, text }) => {
    writeSync(2, text);
    process.exit(code);
  },
  last: ({ call }) => {
    send({ call, reply: 'last', printed: [1, 0] });
    process.exit(0);
  },
  print: ({ text, claimed = 0 }) => {
    writeSync(1, text);
    writeSync(2, 'err');
    return { printed: [Buffer.byteLength(text) + claimed, 3] };
  },
  ask: async ({ question }) => ({ reply: await ask(question) }),
  block: () => {
    send({ ask: 0, blocks: true });
    for (;;);
  },
};
createInterface({ input }).on('line', async (line) => {
  const message = JSON.parse(line);
  if ('answer' in message) asked.get(message.answer)(message);
  else if ('abort' in message) aborted.push(message.abort);
  else if (message.ping) send({ call: message.call });
  else {
    const answer = await DO[message.do](message, line);
    if (answer !== undefined) send({ call: message.call, ...answer });
  }
}).on('close', () => {
  writeSync(1, 'bye');
  process.exit(0);
});
`;

const hosts: HostProcess[] = [];
afterEach(() => Promise.all(hosts.splice(0).map((host) => host.stop())));

async function start(options: Partial<HostOptions> = {}): Promise<HostProcess> {
  const argv = [process.execPath, '--input-type=module', '-e', HOST];
  const host = await HostProcess.start(argv, { cwd: '/', env: process.env, ...options });
  hosts.push(host);
  return host;
}

const failureOf = (call: Promise<unknown>): Promise<HostError> =>
  call.then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error as HostError,
  );

test('calls run at the same time, and each gets its own answer in any order', async () => {
  const host = await start();
  const names = ['a', 'b', 'c', 'd'];
  const calls = names.map((name) => host.call({ do: 'hold', name }));
  for (const name of names.toReversed()) await host.call({ do: 'release', name });
  expect(host.pending).toEqual([]);
  expect((await Promise.all(calls)).map(({ reply }) => reply)).toEqual(names);
});

test('text beyond ASCII and whole numbers of any size arrive as they are', async () => {
  const host = await start();
  const text = 'é漢😀\u2028'.repeat(50_000);
  expect((await host.call({ do: 'echo', text })).reply).toBe(text);
  const big = 2n ** 70n;
  expect((await host.call({ do: 'line', big })).reply).toBe(`{"call":2,"do":"line","big":${big}}`);
  expect((await host.call({ do: 'write', text: `{"call":3,"reply":${big}}\n` })).reply).toBe(big);
});

test.each([
  ['no JSON', 'no json', 'unreadable'],
  ['a call that does not exist', '{"call":7,"reply":1}', 'unexpected'],
  ['a call that was answered', '{"call":1,"reply":1}', 'unexpected'],
  ['no call', '{"reply":1}', 'unexpected'],
  ['a question that nobody answers', '{"ask":1}', 'unexpected'],
  ['null', 'null', 'unexpected'],
  ['a list', '[1]', 'unexpected'],
  ['an inherited key', '{"call":"constructor"}', 'unexpected'],
])('a line with %s fails every call under way and ends the host', async (_, line, reason) => {
  const host = await start();
  await host.call({ do: 'echo', text: 'first' });
  const held = failureOf(host.call({ do: 'hold', name: 'a' }));
  const wrote = failureOf(host.call({ do: 'write', text: `${line}\n` }));
  for (const error of await Promise.all([held, wrote])) {
    expect(error).toBeInstanceOf(HostError);
    expect(error.reason).toBe(reason);
    expect(error.pending).toMatchObject([{ do: 'hold' }, { do: 'write' }]);
  }
  expect(host.isUsable).toBe(false);
  expect(await failureOf(host.call({ do: 'echo' }))).toMatchObject({ reason: 'ended', message: 'has ended' });
});

test('a second answer while the output of the first is on its way is not taken', async () => {
  const host = await start();
  const text = `{"call":1,"reply":"true","printed":[1,0]}\n{"call":1,"reply":"forged"}\n`;
  expect(await failureOf(host.call({ do: 'write', text }))).toMatchObject({ reason: 'unexpected' });
});

test('nothing counts after a line that cannot be read', async () => {
  const questions: JsonObject[] = [];
  const host = await start({
    onAsk: async (question) => {
      questions.push(question);
      return null;
    },
  });
  const text = '{"ask":1}\nno json\n{"ask":2}\n';
  expect(await failureOf(host.call({ do: 'write', text }))).toMatchObject({ reason: 'unreadable' });
  await host.stop();
  expect(questions).toEqual([{ ask: 1 }]);
});

test('a line without end is cut off', async () => {
  const host = await start();
  const text = 'x'.repeat(11 * 1024 * 1024);
  expect(await failureOf(host.call({ do: 'write', text }))).toMatchObject({
    reason: 'flooded',
    message: 'returned more than 10 MB',
  });
});

test('a host that exits in the middle says how, and what it wrote last', async () => {
  const host = await start();
  const held = failureOf(host.call({ do: 'hold', name: 'a' }));
  const exited = failureOf(host.call({ do: 'exit', code: 9, text: 'out of luck\n' }));
  for (const error of await Promise.all([held, exited])) {
    expect(error).toMatchObject({
      reason: 'ended',
      message: 'exited with code 9',
      said: ':\nout of luck',
      pending: [{ do: 'hold' }, { do: 'exit' }],
    });
  }
  expect(host.isUsable).toBe(false);
});

test('an answer counts although the host ends before its output came', async () => {
  const host = await start();
  expect((await host.call({ do: 'last' })).reply).toBe('last');
});

test('a host that is killed from outside says so', async () => {
  const host = await start();
  const { reply: pid } = await host.call({ do: 'pid' });
  const held = failureOf(host.call({ do: 'hold', name: 'a' }));
  process.kill(pid as number, 'SIGKILL');
  expect(await held).toMatchObject({ reason: 'ended', message: 'was killed by SIGKILL', said: '' });
});

test('what it printed is complete when its call is answered, and is taken once', async () => {
  const host = await start();
  for (const letter of ['a', 'b', 'c']) {
    const text = letter.repeat(1_000_000);
    await host.call({ do: 'print', text });
    expect(host.takePrinted()).toBe(`${text}err`);
  }
  expect(host.takePrinted()).toBe('');
});

test('output that never comes does not keep a call waiting for long', async () => {
  const host = await start();
  await host.call({ do: 'print', text: 'a', claimed: 1 });
  expect(host.takePrinted()).toBe('aerr');
});

test('an aborted call ends a host that takes one call at a time', async () => {
  const host = await start();
  const { reply: pid } = await host.call({ do: 'pid' });
  const controller = new AbortController();
  const held = failureOf(host.call({ do: 'hold', name: 'a' }, controller.signal));
  controller.abort();
  expect(await held).toMatchObject({ reason: 'aborted', pending: [{ name: 'a' }] });
  expect(host.isUsable).toBe(false);
  await until(() => !isAlive(pid as number), 'the host to end');
});

test('a signal that was aborted before sends nothing', async () => {
  const host = await start();
  expect(await failureOf(host.call({ do: 'exit', code: 1 }, AbortSignal.abort()))).toMatchObject({
    reason: 'aborted',
  });
  expect((await host.call({ do: 'echo', text: 'x' })).reply).toBe('x');
});

test('an aborted call ends alone if the host still answers, and its late answer is dropped', async () => {
  const host = await start({ isConcurrent: true });
  const controller = new AbortController();
  const gone = failureOf(host.call({ do: 'hold', name: 'gone' }, controller.signal));
  const stays = host.call({ do: 'hold', name: 'stays' });
  controller.abort();
  expect(await gone).toMatchObject({ reason: 'aborted' });
  expect((await host.call({ do: 'aborted' })).reply).toEqual(['gone']);
  await host.call({ do: 'release', name: 'gone' });
  await host.call({ do: 'release', name: 'stays' });
  expect((await stays).reply).toBe('stays');
  expect(await host.ping(10_000)).toBe(true);
});

test('an aborted call that blocks: the host is killed, and its neighbours know that it was not their fault', async () => {
  const controller = new AbortController();
  const host = await start({ isConcurrent: true, onAsk: async () => (controller.abort(), null) });
  const { reply: pid } = await host.call({ do: 'pid' });
  const neighbour = failureOf(host.call({ do: 'hold', name: 'neighbour' }));
  const blocked = failureOf(host.call({ do: 'block' }, controller.signal));
  expect(await blocked).toMatchObject({ reason: 'aborted' });
  expect(await neighbour).toMatchObject({ reason: 'killed', pending: [{ name: 'neighbour' }] });
  await until(() => !isAlive(pid as number), 'the host to end');
});

test('a ping is answered while calls are held, and not by a host that blocks', async () => {
  let onBlocked!: () => void;
  const isBlocked = new Promise<void>((resolve) => (onBlocked = resolve));
  const host = await start({ isConcurrent: true, onAsk: async () => (onBlocked(), null) });
  const held = failureOf(host.call({ do: 'hold', name: 'a' }));
  expect(await host.ping(10_000)).toBe(true);
  const blocked = failureOf(host.call({ do: 'block' }));
  await isBlocked;
  expect(await host.ping(100)).toBe(false);
  expect(host.kill()).toMatchObject([{ do: 'hold' }, { do: 'block' }]);
  for (const error of await Promise.all([held, blocked])) expect(error.reason).toBe('killed');
  expect(await host.ping(100)).toBe(false);
});

test('a host asks while it is called, several at once, and gets the reply or the error', async () => {
  const questions: JsonObject[] = [];
  const host = await start({
    onAsk: async (question) => {
      questions.push(question);
      // The second is answered first.
      if (question['name'] === 'one') await until(() => questions.length === 2, 'the other question');
      if (question['name'] === 'bad') throw new Error('no such thing');
      return { for: question['name']! };
    },
  });
  const ask = (name: string) => host.call({ do: 'ask', question: { name } });
  const replies = (await Promise.all([ask('one'), ask('two')])).map(({ reply }) => reply);
  expect(replies).toEqual([
    { answer: 1, reply: { for: 'one' } },
    { answer: 2, reply: { for: 'two' } },
  ]);
  expect((await ask('bad')).reply).toEqual({ answer: 3, error: 'no such thing' });
  expect(questions[0]).toEqual({ ask: 1, name: 'one' });
});

test('one that retires ends by itself', async () => {
  const host = await start();
  const { reply: pid } = await host.call({ do: 'pid' });
  await host.retire();
  expect(host.takePrinted()).toBe('bye');
  expect(isAlive(pid as number)).toBe(false);
  expect(host.isUsable).toBe(false);
});

test('a host ends when the process that started it is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-host-'));
  const source = fileURLToPath(new URL('../../src/agents/processes/host-process.ts', import.meta.url));
  writeFileSync(
    join(folder, 'parent.ts'),
    `import { HostProcess } from ${JSON.stringify(source)};
const argv = [process.execPath, '--input-type=module', '-e', ${JSON.stringify(HOST)}];
const host = await HostProcess.start(argv, { cwd: '/', env: process.env });
void host.call({ do: 'hold', name: 'a' });
console.log((await host.call({ do: 'pid' })).reply);
`,
  );
  const tracked = trackProcesses();
  const jiti = fileURLToPath(
    import.meta.resolve('jiti/package.json').replace('package.json', 'lib/jiti-cli.mjs'),
  );
  const parent = spawn(process.execPath, [jiti, join(folder, 'parent.ts')], {
    env: { ...process.env, ...tracked.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
    );
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => tracked.living().length === 0, 'both to end');
  } finally {
    parent.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
