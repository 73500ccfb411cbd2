import { textAt } from '../../evidence/foreign-fields.ts';
import { isJsonList, isJsonObject, ownValue, type JsonObject } from '../../base/model/json.ts';
import type { LoadedParts } from '../../base/model/workspace.ts';
import type { CodingProgram } from './coding-program.ts';

/** `claude -p`, of Anthropic. */
export const CLAUDE_CODE: CodingProgram = {
  provider: 'claude-code',
  program: 'claude',
  install: 'npm i -g @anthropic-ai/claude-code',
  login: 'run `claude` and log in, or set ANTHROPIC_API_KEY',
  loggedOut: /not logged in|run \/login|authentication_failed|oauth token/i,
  args: ({ model, allowedTools, sessionId, args }) => [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(allowedTools === undefined ? [] : ['--allowedTools', allowedTools.join(',')]),
    ...args,
  ],
  oneTurn,
  isEnded: (events) => events.some(isResult),
  isTotal: isResult,
  loaded,
};

/** Its first event lists everything. An MCP server or plugin is an object with a name. */
function loaded(events: readonly JsonObject[]): LoadedParts | undefined {
  const init = events.find(
    (event) => textAt(event, 'type') === 'system' && textAt(event, 'subtype') === 'init',
  );
  if (init === undefined) return undefined;
  const names = (key: string): readonly string[] | undefined => {
    const value = ownValue(init, key);
    if (!isJsonList(value)) return undefined;
    return value.flatMap((each) =>
      typeof each === 'string' ? each : isJsonObject(each) ? (textAt(each, 'name') ?? []) : [],
    );
  };
  return {
    model: textAt(init, 'model'),
    tools: names('tools'),
    mcp_servers: names('mcp_servers'),
    skills: names('skills'),
    plugins: names('plugins'),
    agents: names('agents'),
  };
}

function isResult(event: JsonObject): boolean {
  return textAt(event, 'type') === 'result';
}

/** Work in the background may make turns of its own, each with a result. Together they are the step: the last result has the totals. */
function oneTurn(events: readonly JsonObject[]): readonly JsonObject[] {
  const results = events.filter(isResult);
  const last = results.at(-1);
  if (last === undefined || results.length === 1) return events;
  const { model_usage_since_last_result: _, ...total } = last;
  return [...events.filter((event) => !isResult(event)), total];
}
