import { objectAt, textAt } from '../../evidence/foreign-fields.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { CodingProgram } from './coding-program.ts';

/** `opencode run`. */
export const OPENCODE: CodingProgram = {
  provider: 'opencode',
  program: 'opencode',
  install: 'npm i -g opencode-ai',
  login: "run `opencode auth login`, or set the provider's API key",
  loggedOut: /providerautherror|api key is missing|opencode auth/i,
  servers: {
    files: ['opencode.json', '.opencode/opencode.json', '.config/opencode/opencode.json'],
    field: 'mcp',
  },
  args: ({ model, sessionId, args }) => [
    'run',
    '--format',
    'json',
    ...(sessionId === undefined ? [] : ['--session', sessionId]),
    ...(model === undefined ? [] : ['--model', model]),
    ...args,
  ],
  env: ({ allowedTools }) =>
    allowedTools === undefined ? {} : { OPENCODE_PERMISSION: JSON.stringify(permissions(allowedTools)) },
  isEnded,
};

function permissions(tools: readonly string[]): Readonly<Record<string, string>> {
  return { '*': 'deny', ...Object.fromEntries(tools.map((tool) => [tool, 'allow'])) };
}

/** After a step that called tools comes another one. */
function isEnded(events: readonly JsonObject[]): boolean {
  const last = events.findLast((event) => /^step_(start|finish)$/.test(textAt(event, 'type') ?? ''));
  return (
    textAt(last ?? {}, 'type') === 'step_finish' &&
    textAt(objectAt(last!, 'part') ?? {}, 'reason') !== 'tool-calls'
  );
}
