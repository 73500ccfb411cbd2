import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { NowOrLater } from '../contract.ts';
import { DEPTH_LIMIT, mayRound, parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';

// Before code of users is loaded: it may replace them.
const { stringify, parse } = JSON;
const exit = process.exit.bind(process);
const { nextTick } = process;
const toBuffer = Buffer.from.bind(Buffer);
const uncurry = Function.prototype.call;
const indexOf = uncurry.bind(String.prototype.indexOf) as (
  text: string,
  found: string,
  from: number,
) => number;
const slice = uncurry.bind(String.prototype.slice) as (text: string, from: number, to?: number) => string;

function printLine(message: object): string {
  try {
    return stringify(message);
  } catch {
    // It holds a bigint.
    return printJson(message);
  }
}

function parseLine(line: string): Json {
  // What is deepest in it may be as deep as memory may be.
  return mayRound(line) ? parseJson(line, { maxDepth: DEPTH_LIMIT + 10 }) : (parse(line) as Json);
}

/** At once: what was said cannot be lost by the end of the process. */
function writeAll(text: string): void {
  const bytes = toBuffer(text, 'utf8');
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(4, bytes, done);
  } catch {
    // Nobody is left who could read it.
    exit(0);
  }
}

const BUFFER_BYTES = 64 * 1024;

/** The types know `onread` for connections only. */
type SocketOptions = ConstructorParameters<typeof Socket>[0];

interface Waiting {
  resolve(reply: Json): void;
  reject(error: Error): void;
}

type Line = JsonObject & { readonly call?: number; readonly abort?: number; readonly answer?: number };

export interface LinkHandler {
  /** Answers a call. It never throws or rejects. */
  call(request: JsonObject, signal: AbortSignal): NowOrLater<object>;
  beforeAnswer(): void;
  note(note: JsonObject): void;
}

/** Also a promise of code that replaced `Promise`. */
export function isLater<T>(value: NowOrLater<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function';
}

/** The host's end of the pipes: see src/agents/processes/host-process.ts. The process ends when the other end does. */
export class ParentLink {
  private readonly input: Socket;
  private readonly handler: LinkHandler;
  private readonly aborts = new Map<number, AbortController>();
  /** Those of calls that were answered: making one takes longer than the rest of a call. */
  private readonly unused: AbortController[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private rest = '';
  private unwritten = '';

  constructor(handler: LinkHandler) {
    this.handler = handler;
    const decoder = new StringDecoder('utf8');
    const decode = decoder.write.bind(decoder);
    // One buffer for all that is read: a buffer for each message takes longer than the rest of a call.
    const buffer = Buffer.alloc(BUFFER_BYTES);
    const subarray = buffer.subarray.bind(buffer);
    const callback = (length: number): boolean => {
      this.receive(decode(subarray(0, length)));
      return true;
    };
    this.input = new Socket({
      fd: 3,
      readable: true,
      writable: false,
      onread: { buffer, callback },
    } as SocketOptions);
    this.input.on('close', () => exit(0));
    this.input.resume();
  }

  /** Undefined if nothing is left that could end the work: it would never come to an end. */
  orNever<T>(work: Promise<T>): Promise<T | undefined> {
    // Not `Promise.race`, which calls what the work may have replaced.
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.input.ref();
        process.off('beforeExit', giveUp);
      };
      const giveUp = (): void => {
        end();
        resolve(undefined);
      };
      const wait = async (): Promise<void> => {
        try {
          resolve(await work);
        } catch (error) {
          reject(error as Error);
        }
        end();
      };
      process.once('beforeExit', giveUp);
      this.input.unref();
      void wait();
    });
  }

  ask(question: object): Promise<Json> {
    const number = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.write({ ask: number, ...question });
    });
  }

  private receive(text: string): void {
    const all = this.rest + text;
    let start = 0;
    for (let end = indexOf(all, '\n', 0); end !== -1; end = indexOf(all, '\n', start)) {
      const line = slice(all, start, end);
      start = end + 1;
      this.take(parseLine(line) as Line);
    }
    this.rest = slice(all, start);
  }

  private take(line: Line): void {
    const { call, abort, answer } = line;
    if (call !== undefined) this.work(call, line);
    else if (abort !== undefined) this.aborts.get(abort)?.abort(new Error(String(line['reason'])));
    else if (answer !== undefined) this.settle(answer, line);
    else this.handler.note(line);
  }

  private work(call: number, request: JsonObject): void {
    if (request['ping'] === true) return this.write({ call });
    const controller = this.unused.pop() ?? new AbortController();
    this.aborts.set(call, controller);
    const answer = this.handler.call(request, controller.signal);
    if (isLater(answer)) void this.answerLater(call, answer);
    else this.answer(call, answer);
  }

  private async answerLater(call: number, answer: Promise<object>): Promise<void> {
    this.answer(call, await answer);
  }

  private answer(call: number, answer: object): void {
    const controller = this.aborts.get(call)!;
    this.aborts.delete(call);
    if (!controller.signal.aborted) this.unused.push(controller);
    this.handler.beforeAnswer();
    this.write({ call, ...answer });
  }

  private settle(number: number, line: Line): void {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    const { error, reply = null } = line;
    if (typeof error === 'string') waiting?.reject(new Error(error));
    else waiting?.resolve(reply);
  }

  /** What comes in one turn is written at once. */
  private write(message: object): void {
    if (this.unwritten === '')
      nextTick(() => {
        const text = this.unwritten;
        this.unwritten = '';
        writeAll(text);
      });
    this.unwritten += `${printLine(message)}\n`;
  }
}
