import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, runCli, startCli, type CliResult, type StartCliOptions } from '../project.ts';
import {
  startModelServer,
  type ModelServer,
  type ReceivedRequest,
  type Turn,
} from '../servers/model-server.ts';

/** A function that asks the model with `fetch` until it calls no more tools. `SYSTEM` is its prompt. */
export const FETCH_AGENT = `
const base = () => process.env.OPENAI_BASE_URL;
async function ask(messages) {
  const response = await fetch(base() + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    body: JSON.stringify({
      model: process.env.MODEL ?? 'test-model',
      messages,
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }],
    }),
  });
  if (!response.ok) throw new Error(response.status + ' ' + (await response.text()));
  return (await response.json()).choices[0].message;
}
export const workers = 8;
export default async function agent(input) {
  const messages = [
    { role: 'system', content: process.env.SYSTEM ?? 'You are brief.\\nUse tools.' },
    { role: 'user', content: input },
  ];
  for (;;) {
    const message = await ask(messages);
    messages.push(message);
    if (!message.tool_calls?.length) return { output: message.content ?? '' };
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: '{"degrees":21}' });
  }
}
`;

/** Calls a tool for a question, and answers with what was asked and how often it was asked before. */
export function weatherModel(): (request: ReceivedRequest, index: number) => Turn {
  const asked = new Map<string, number>();
  return ({ body }) => {
    const { messages } = body as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    };
    const question = messages.find(({ role }) => role === 'user')!.content;
    if (messages.at(-1)!.role !== 'tool') {
      const id = `call_${Math.random().toString(36).slice(2)}`;
      return { toolCalls: [{ name: 'weather', args: '{"city":"Paris"}', id }] };
    }
    const before = asked.get(question) ?? 0;
    asked.set(question, before + 1);
    return { text: `${question}: 21 degrees, answer ${before + 1}` };
  };
}

export interface TapedProject {
  readonly path: string;
  readonly server: ModelServer;
  /** Runs `assay` with the address of the model server, and a key unless it is replaying. */
  run(
    args: readonly string[],
    env?: Readonly<Record<string, string | undefined>>,
    onStart?: StartCliOptions['onStart'],
  ): Promise<CliResult>;
  /** The text of every cassette, by its path in the folder. */
  cassettes(): Readonly<Record<string, string>>;
  read(file: string): string;
  remove(): Promise<void>;
}

export const KEY = 'sk-test-0123456789abcdef';

export async function createTapedProject(
  files: Readonly<Record<string, string>>,
  script: Parameters<typeof startModelServer>[0] = weatherModel(),
): Promise<TapedProject> {
  const project = createProject(files);
  const server = await startModelServer(script);
  const folder = join(project.path, 'cassettes');
  return {
    path: project.path,
    server,
    run(args, env = {}, onStart) {
      const isReplay = args.includes('replay');
      const options = {
        cwd: project.path,
        env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: isReplay ? undefined : KEY, ...env },
      };
      return onStart === undefined ? runCli(args, options) : startCli(args, { ...options, onStart });
    },
    cassettes: () =>
      Object.fromEntries(filesIn(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
    read: (file) => readFileSync(join(project.path, file), 'utf8'),
    async remove() {
      await server.close();
      project.remove();
    },
  };
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort();
}
