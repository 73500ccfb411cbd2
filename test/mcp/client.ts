import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI } from '../project.ts';

const clients: Client[] = [];

export interface ConnectOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** A client of `assay mcp` in a process of its own. */
export async function connect({ cwd, env = {}, args = [] }: ConnectOptions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

export async function closeClients(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Answer> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [part] = content as { type: string; text: string }[];
  return { text: part!.text, isError: isError === true };
}
