import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentError, type Agent } from '../../src/agents/contract.ts';
import { readEvidence, type ReadEvidence } from '../../src/evidence/reply/read-evidence.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import type { AgentRequest } from '../../src/base/model/reply.ts';
import { trackProcesses } from '../track-processes.ts';

/**
 * A kind of agent, and what its test agent does when the input is one of these words. Any other input is echoed, with
 * the memory and one tool. What a kind cannot do is left out.
 */
export interface AgentKind {
  readonly name: string;
  /** `env` is added to the environment of what it starts. */
  create(folder: string, env?: Readonly<Record<string, string>>): Promise<Agent>;
  /** Whether it runs in processes of ours; then `slow` and its like write `pid` into their folder. */
  readonly hasProcess: boolean;
  /** The error that each misbehaviour is. */
  readonly errors: Partial<Record<Misbehaviour, ExpectedError>>;
  /** How many crashes in a row it must get over. */
  readonly crashes?: number;
  /** Inputs with their own answers, in addition to the echo. */
  readonly can?: readonly ('text' | 'print' | 'unread' | 'grandchild' | 'stubborn' | 'bigint' | 'late')[];
  /** What other kinds do, and agents of this one cannot. */
  readonly cannot?: readonly Ability[];
}

/**
 * `input`: its reply depends on the input. `memory`: it gets the memory and returns it. `tools`: it reports tools. `any text`, `long text`: every
 * text reaches it. `number`: it can return what is not a reply.
 */
export type Ability = 'input' | 'memory' | 'tools' | 'any text' | 'long text' | 'number';

interface ExpectedError {
  /** Default: any. */
  readonly kind?: string;
  readonly message: RegExp;
}

type Misbehaviour = 'crash' | 'exit' | 'kill' | 'garbage' | 'flood' | 'unencodable';

const TEXTS = [
  '',
  'é ß 漢字',
  '😀 👩‍👩‍👧 \u{10FFFF}',
  '\u0000 \u001b[31m \r\n \u2028',
  'lone \ud800 and \udfff',
  '"quotes" \\ {{input}} $HOME',
];
/** Neither NUL nor what UTF-8 cannot hold. */
const CAN_BE_ARGUMENT = /^[^\0\ud800-\udfff]*$/u;

/** Every kind keeps the same promises. */
export function contractSuite(kind: AgentKind): void {
  const { errors, can = [], cannot = [], crashes = 50 } = kind;
  const does = (...abilities: Ability[]): boolean => !cannot.some((ability) => abilities.includes(ability));

  describe(kind.name, () => {
    let folder: string;
    let file: string;
    let agent: Agent;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'assay-agents-'));
      file = join(folder, 'suite.yaml');
      agent = await kind.create(folder);
    });
    afterAll(async () => {
      await agent.close();
      rmSync(folder, { recursive: true });
    });

    const send = async (input: string, memory: JsonObject = {}, signal = new AbortController().signal) => {
      const session = await agent.open({ id: 'a test', file });
      try {
        return await session.send(requestOf(input, memory, file), signal);
      } finally {
        await session.close();
      }
    };
    const sendWell = async (input: string, memory: JsonObject = {}) => {
      const { reply } = await send(input, memory);
      const answer = read(reply);
      if (!('reply' in answer)) throw new Error(JSON.stringify(answer));
      return answer.reply;
    };
    const echoOf = (input: string, memory: JsonObject = {}) => ({
      output: does('input') ? input : (expect.any(String) as unknown),
      ...(does('memory') ? { memory } : {}),
      ...(does('tools') ? { tools_used: ['echo_tool'] } : {}),
    });
    const isStillWell = async () =>
      expect(await sendWell('still there?')).toMatchObject(echoOf('still there?'));

    test('answers a request', async () => {
      const memory = { a: { b: [1, 2.5, null, true, 'x'] } };
      expect(await sendWell('hello', memory)).toMatchObject(echoOf('hello', memory));
    });

    test('answers step after step, in sessions that share nothing', async () => {
      const sessions = await Promise.all([1, 2].map(async () => agent.open({ id: 'a test', file })));
      for (const input of ['one', 'two']) {
        for (const [index, session] of sessions.entries()) {
          const memory = { [input]: index };
          const { reply } = await session.send(requestOf(input, memory, file), new AbortController().signal);
          expect(read(reply)).toMatchObject({ reply: echoOf(input, memory) });
        }
      }
      await Promise.all(sessions.map((session) => session.close()));
    });

    test('answers in concurrent sessions', async () => {
      const inputs = Array.from({ length: 6 }, (_, index) => `input ${index}`);
      const replies = await Promise.all(inputs.map((input, index) => sendWell(input, { index })));
      expect(replies).toMatchObject(inputs.map((input, index) => echoOf(input, { index })));
    });

    test('leaves no process after close()', async () => {
      const processes = trackProcesses();
      const own = await kind.create(folder, processes.env);
      const session = await own.open({ id: 'a test', file });
      await session.send(requestOf('hello', {}, file), new AbortController().signal);
      await session.close();
      await own.close();
      expect(await processes.orphans()).toEqual([]);
    });

    for (const text of does('input')
      ? TEXTS.filter((each) => does('any text') || CAN_BE_ARGUMENT.test(each))
      : [])
      test(`text survives: ${JSON.stringify(text)}`, async () => {
        expect(await sendWell(text, { [text]: text })).toMatchObject(echoOf(text, { [text]: text }));
      });

    if (does('input', 'long text'))
      test('a megabyte of text survives', async () => {
        const text = 'ä😀x'.repeat(200_000);
        expect((await sendWell(text)).output === text).toBe(true);
      });

    if (does('memory'))
      test('deep and unusual memory survives', async () => {
        let deep: JsonObject = { end: true };
        for (let depth = 0; depth < 200; depth++) deep = { deep };
        const memory = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "": 2}') as JsonObject;
        const after = (await sendWell('x', { memory, deep })).memory!;
        expect(JSON.stringify(after)).toBe(JSON.stringify({ memory, deep }));
      });

    if (can.includes('bigint')) {
      test('integers of any size survive', async () => {
        const memory = { n: 12345678901234567890n, list: [-9007199254740993n, 9007199254740991] };
        expect((await sendWell('x', memory)).memory).toEqual(memory);
      });
    }

    if (does('memory'))
      test('changes to its memory do not reach the caller', async () => {
        const memory = { list: [1], inner: { a: 1 } };
        expect((await sendWell('mutate', memory)).memory).toEqual({ list: [1, 2], inner: {} });
        expect(memory).toEqual({ list: [1], inner: { a: 1 } });
      });

    if (does('number'))
      test('output that is not text breaks the contract', async () => {
        expect(read((await send('number')).reply)).toEqual({
          problem: '`output` must be text, but is the number 5',
        });
        await isStillWell();
      });

    for (const [input, { kind: errorKind, message }] of Object.entries(errors)) {
      test(`${input} is an error of that step only`, async () => {
        const error = await send(input).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(AgentError);
        expect(error).toMatchObject({
          kind: errorKind ?? (expect.any(String) as unknown),
          message: expect.stringMatching(message) as unknown,
        });
        await isStillWell();
      });
    }

    if (errors.crash !== undefined) {
      test('still answers after several crashes', async () => {
        for (let round = 0; round < crashes; round++) await expect(send('crash')).rejects.toThrow(AgentError);
        await isStillWell();
      }, 60_000);
    }

    if (does('input'))
      test('is stopped by the signal', async () => {
        await stopIn('slow');
      });

    test('does not start if the signal is already aborted', async () => {
      await expect(send('x', {}, AbortSignal.abort())).rejects.toMatchObject({ kind: 'timeout' });
    });

    if (can.includes('stubborn')) {
      test('is stopped even if it ignores SIGTERM', async () => {
        await stopIn('stubborn');
      });
    }

    async function stopIn(input: string): Promise<void> {
      rmSync(join(folder, 'pid'), { force: true });
      const controller = new AbortController();
      const session = await agent.open({ id: 'a test', file });
      const sending = Promise.resolve(session.send(requestOf(input, {}, file), controller.signal));
      sending.catch(() => {});
      const pid = await waitForPid(folder);
      controller.abort(new Error('enough'));
      await expect(sending).rejects.toMatchObject({ name: 'AgentError', kind: 'timeout' });
      await session.close();
      if (kind.hasProcess) expect(isGroupAlive(pid)).toBe(false);
      await isStillWell();
    }

    if (can.includes('late')) {
      test('a reply after the signal is dropped', async () => {
        await stopIn('late');
        while (!existsSync(join(folder, 'late'))) await new Promise((resolve) => setTimeout(resolve, 10));
        await isStillWell();
      });
    }

    if (can.includes('text')) {
      test('a plain text is the output', async () =>
        expect((await sendWell('text')).output).toBe('just text\n'));
    }

    if (can.includes('print')) {
      test('its printed output is kept apart from its reply', async () => {
        const { reply, printed } = await send('print');
        expect(read(reply)).toMatchObject({ reply: { output: 'printed' } });
        expect(printed).toContain('to stderr é');
        expect((await send('quiet')).printed).toBe('');
      });
    }

    if (can.includes('unread')) {
      test('need not read its input', async () => {
        const { reply } = await send(`unread ${'x'.repeat(3_000_000)}`);
        expect(read(reply)).toMatchObject({ reply: { output: 'did not read' } });
      });
    }

    if (can.includes('grandchild')) {
      test('processes it leaves behind neither block nor survive', async () => {
        rmSync(join(folder, 'pid'), { force: true });
        const own = await kind.create(folder);
        const session = await own.open({ id: 'a test', file });
        const { reply } = await session.send(requestOf('grandchild', {}, file), new AbortController().signal);
        expect(read(reply)).toMatchObject({ reply: { output: 'left one' } });
        await session.close();
        await own.close();
        expect(isGroupAlive(await waitForPid(folder))).toBe(false);
      });
    }
  });
}

function read(reply: Json | undefined): ReadEvidence {
  return readEvidence({ reply, printed: '' }, { input: '' });
}

export function requestOf(input: string, memory: JsonObject, file = 'suite.yaml'): AgentRequest {
  const input_messages = [{ role: 'user' as const, content: input }];
  return {
    input,
    input_messages,
    messages: input_messages,
    conversation_id: 'c1',
    memory,
    settings: {},
    test: { id: 'a test', file },
    step: 1,
    attempt: 1,
  };
}

/** The test agent tells its number as soon as it is at work. */
async function waitForPid(folder: string): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      if (pid > 0) return pid;
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Without zombies: the first process of a container may never reap them. */
export function isGroupAlive(pid: number): boolean {
  const processes = execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' });
  return new RegExp(`^ *${pid} +[^Z]`, 'm').test(processes);
}
