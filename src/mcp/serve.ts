import { Writable, type Readable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { version } from '../base/system/version.ts';
import { Refusal } from './refusal.ts';
import { createTools, type ToolHost } from './tools.ts';

export interface ServeOptions {
  readonly input: Readable;
  write(text: string): Promise<void>;
  /** About messages that are not understood, and defects. */
  complain(text: string): void;
  readonly signal: AbortSignal;
}

const INSTRUCTIONS =
  'Assay tests AI agents. `list` finds tests, `run` runs them, `failures` says what failed where, and `show` shows one test with its conversation. Fix the agent or the suite file, then `run` again. `validate` checks suite files after you edit them.';

/** Serves the tools until the client goes away, or the signal aborts. */
export async function serveMcp(
  host: ToolHost,
  { input, write, complain, signal }: ServeOptions,
): Promise<void> {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) =>
      void write(String(chunk)).then(
        () => done(),
        (error: Error) => done(error),
      ),
  });
  const tools = createTools(host);
  const calls = new Calls();
  const transport = new StdioServerTransport(input, output);
  const ended = new Promise<void>((resolve) => {
    // After a message that is too large, the transport reads nothing more.
    input.once('end', resolve).once('close', resolve).once('pause', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    output.once('error', () => resolve());
  });
  const handle = serveStdio(() => createServer(tools, host, calls), {
    transport,
    onerror: (error) => complain(`a message was not understood: ${inOneLine(error.message)}`),
  });
  await ended;
  await handle.close();
  await calls.stop();
}

/** The calls that are being answered. When the client is gone, their runs end in order. */
class Calls {
  private readonly controller = new AbortController();
  private readonly current = new Set<Promise<unknown>>();

  async answer<Result>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const answered = call(AbortSignal.any([signal, this.controller.signal]));
    this.current.add(answered);
    try {
      return await answered;
    } finally {
      this.current.delete(answered);
    }
  }

  async stop(): Promise<void> {
    this.controller.abort();
    await Promise.allSettled(this.current);
  }
}

function createServer(
  tools: ReturnType<typeof createTools>,
  { redactor }: ToolHost,
  calls: Calls,
): McpServer {
  const server = new McpServer({ name: 'assay', version }, { instructions: INSTRUCTIONS });
  for (const { name, title, description, input, isReading, call } of tools)
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        annotations: { readOnlyHint: isReading, destructiveHint: false, openWorldHint: !isReading },
      },
      async (given, context) => {
        try {
          return answer(
            redactor.text(await calls.answer(context.mcpReq.signal, (signal) => call(given, signal))),
          );
        } catch (error) {
          return { ...answer(redactor.text(problemOf(error))), isError: true };
        }
      },
    );
  return server;
}

function answer(text: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text }] };
}

function problemOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `this did not work: ${message}`;
}

function inOneLine(text: string): string {
  return text.slice(0, 300).replaceAll(/\s+/g, ' ');
}
