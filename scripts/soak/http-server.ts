import { appendFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../test/servers/listen.ts';
import { HANG_MS } from './agents.ts';

export interface SoakServer {
  readonly url: string;
  /** The run that is under way: requests do not say it. */
  run: number;
  close(): void;
}

interface Call {
  readonly input: string;
  readonly memory: { readonly count?: number };
}

/** The agent of the soak behind HTTP. It lives in this process, so no kill of a run touches it. */
export async function startSoakServer(folder: string): Promise<SoakServer> {
  const busyOnce = new Set<string>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const call = JSON.parse(body) as Call;
      appendFileSync(join(folder, 'calls.log'), `${soakServer.run} ${call.input}\n`);
      const isBusy = call.input.endsWith(' busy 0') && !busyOnce.has(call.input);
      busyOnce.add(call.input);
      if (isBusy) response.writeHead(429, { 'retry-after': '0' }).end('slow down');
      else void answer(call, response).catch(() => response.destroy());
    });
  });
  const url = await listen(server);
  const soakServer: SoakServer = {
    url: `${url}/`,
    run: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return soakServer;
}

async function answer({ input, memory }: Call, response: ServerResponse): Promise<void> {
  const fault = input.split(' ')[1];
  await sleep(fault === 'slow' ? 500 : fault === 'hang' ? HANG_MS : 40, undefined, { ref: false });
  switch (fault) {
    case 'throw':
      return void response.writeHead(400).end('broken');
    case 'exit':
      return void response.destroy();
    case 'flood':
      return void response.end('x'.repeat(11_000_000));
    case 'garbage':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"output": 7}');
  }
  const output = fault === 'wrong' ? 'something else' : `You said ${input}`;
  const reply = { output, tools_used: ['look_up'], memory: { count: (memory.count ?? 0) + 1 } };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}
