import type { ReceivedRequest, Turn } from '../servers/model-server.ts';
import { readRequest, type ReadRequest, type Said } from './read-request.ts';
import { CITIES } from './weather.mjs';

/**
 * The model of the agents here. It asks for the tool of each city that the question names and answers with what came back.
 * What it uses depends on where in the conversation it is: 280 tokens in the first turn, 680 in the second.
 */
export function createWeatherScript(): (request: ReceivedRequest) => Turn {
  const conversations = new Map<string, ReadRequest>();
  return (request) => {
    const asked = readRequest(request);
    const before = conversations.get(asked.previous ?? '');
    const said = [...(before?.said ?? []), ...asked.said];
    const tools = asked.tools.length === 0 ? (before?.tools ?? []) : asked.tools;
    // As the server names its answers.
    for (const id of [`msg_${request.index}`, `resp_${request.index}`])
      conversations.set(id, { said, tools });
    return answer(said, tools);
  };
}

function answer(said: readonly Said[], tools: readonly string[]): Turn {
  if (tools.length === 0) return { text: 'A short title', usage: { input: 30, output: 5, cached: 0 } };
  const last = said.findLastIndex(({ by }) => by === 'user');
  const results = said.slice(last + 1).filter(({ by }) => by === 'tool');
  const users = said.filter(({ by }) => by === 'user');
  return {
    ...reply(
      users.map(({ text }) => text),
      results,
      tools,
    ),
    usage: {
      input: 100 + (results.length > 0 ? 50 : 0) + (users.length - 1) * 200,
      output: results.length > 0 ? 10 : 20,
      cached: results.length > 0 ? 60 : 40,
    },
  };
}

function reply(questions: readonly string[], results: readonly Said[], tools: readonly string[]): Turn {
  const question = questions.at(-1) ?? '';
  if (/delete my account/i.test(question)) {
    if (results.length > 0) return { text: 'Your account is deleted.' };
    return { toolCalls: [{ name: offered(tools, 'delete_account'), args: '{"reason":"asked"}' }] };
  }
  if (/asked about first/i.test(question)) {
    return { text: `You asked about ${citiesIn(questions[0] ?? '')[0]} first.` };
  }
  if (/lines/i.test(question)) return countLines(question, results, tools);
  const cities = citiesIn(question);
  if (results.length > 0) return { text: report(results) };
  const name = offered(tools, 'get_weather');
  return { toolCalls: cities.map((city) => ({ name, args: JSON.stringify({ city }) })) };
}

/** Frameworks wrap what a tool gave back in texts of their own. */
function report(results: readonly Said[]): string {
  const found = results.flatMap(({ text }) => [...text.matchAll(/city\W+(\w+)\W+celsius\W+(\d+)/g)]);
  if (found.length < results.length)
    return `The weather is unknown: ${results.map(({ text }) => text).join(' ')}`;
  return `${found.map(([, city, celsius]) => `${city} is ${celsius} °C`).join(', ')}.`;
}

/** How each coding agent's shell is called. */
const SHELLS: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: 'Run it' }),
  bash: (command) => ({ command, description: 'Run it' }),
  exec_command: (cmd) => ({ cmd }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
  shell_command: (command) => ({ command }),
  run_shell_command: (command) => ({ command, description: 'Run it' }),
};

function countLines(question: string, results: readonly Said[], tools: readonly string[]): Turn {
  const file = /[ab]\.txt/.exec(question)?.[0] ?? 'a.txt';
  if (results.length > 0) {
    const count = /(?:^|\D)([35])(?:\D|$)/.exec(
      results[0]!.text.replace(/^(?:Chunk|Wall|Original).*$/gm, ''),
    )?.[1];
    return { text: `${file} has ${count ?? 'an unknown number of'} lines.` };
  }
  const name = tools.find((tool) => Object.hasOwn(SHELLS, tool)) ?? 'bash';
  const wait = /slowly/.test(question) ? 'sleep 1; ' : '';
  return { toolCalls: [{ name, args: JSON.stringify(SHELLS[name]!(`${wait}wc -l < ${file}`)) }] };
}

/** MCP servers' tools have longer names. */
function offered(tools: readonly string[], name: string): string {
  return tools.find((tool) => tool.endsWith(name)) ?? name;
}

function citiesIn(text: string): readonly string[] {
  return CITIES.filter((city) => text.includes(city));
}
