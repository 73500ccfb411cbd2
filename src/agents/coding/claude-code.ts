import { textAt } from '../../evidence/foreign-fields.ts';
import type { JsonObject } from '../../base/model/json.ts';
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
};

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
