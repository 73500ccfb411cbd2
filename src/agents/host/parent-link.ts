import { Socket } from 'node:net';
import type { Json, JsonObject } from '../../model/json.ts';
import { DEPTH_LIMIT, mayRound, parseJson } from '../../model/parse-json.ts';
import { printJson } from '../../model/print-json.ts';

// Before code of users is loaded: it may replace them.
const { stringify, parse } = JSON;
const exit = process.exit.bind(process);

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

interface Waiting {
  resolve(reply: Json): void;
  reject(error: Error): void;
}

type Line = JsonObject & { readonly call?: number; readonly abort?: number; readonly answer?: number };

export interface LinkHandler {
  /** Answers a call. It never rejects. */
  call(request: JsonObject, signal: AbortSignal): Promise<object>;
}

/** The host's end of the pipes: see src/processes/host-process.ts. The process ends when the other end does. */
export class ParentLink {
  private readonly input = new Socket({ fd: 3, readable: true, writable: false });
  private readonly output = new Socket({ fd: 4, readable: false, writable: true });
  private readonly handler: LinkHandler;
  private readonly aborts = new Map<number, AbortController>();
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private rest = '';

  constructor(handler: LinkHandler) {
    this.handler = handler;
    this.input.setEncoding('utf8');
    this.input.on('data', (text: string) => this.receive(text));
    this.input.on('close', () => exit(0));
    this.output.on('error', () => {});
  }

  /** Undefined if nothing is left that could end the work: it would never come to an end. */
  async orNever<T>(work: Promise<T>): Promise<T | undefined> {
    let giveUp: () => void = () => {};
    const never = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)));
    process.once('beforeExit', giveUp);
    this.input.unref();
    try {
      return await Promise.race([work, never]);
    } finally {
      this.input.ref();
      process.off('beforeExit', giveUp);
    }
  }

  ask(question: object): Promise<Json> {
    const number = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.write({ ask: number, ...question });
    });
  }

  private receive(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (let index = 0; index < lines.length; index++) this.take(parseLine(lines[index]!) as Line);
  }

  private take(line: Line): void {
    const { call, abort, answer } = line;
    if (call !== undefined) void this.work(call, line);
    else if (abort !== undefined) this.aborts.get(abort)?.abort(new Error(String(line['reason'])));
    else if (answer !== undefined) this.settle(answer, line);
  }

  private async work(call: number, request: JsonObject): Promise<void> {
    if (request['ping'] === true) return this.write({ call });
    const controller = new AbortController();
    this.aborts.set(call, controller);
    const answer = await this.handler.call(request, controller.signal);
    this.aborts.delete(call);
    this.write({ call, ...answer });
  }

  private settle(number: number, line: Line): void {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    const { error, reply = null } = line;
    if (typeof error === 'string') waiting?.reject(new Error(error));
    else waiting?.resolve(reply);
  }

  private write(message: object): void {
    this.output.write(`${printLine(message)}\n`);
  }
}
