import { textAt } from '../../evidence/foreign-fields.ts';
import type { CodingProgram } from './coding-program.ts';

/** `codex exec`, of OpenAI. */
export const CODEX: CodingProgram = {
  provider: 'codex',
  program: 'codex',
  install: 'npm i -g @openai/codex',
  login: 'run `codex login`, or set OPENAI_API_KEY or CODEX_API_KEY',
  loggedOut: /not logged in|codex login|401 unauthorized/i,
  noAllowedTools: 'Codex has no list of allowed tools: limit it with `args: [--sandbox, read-only]`',
  // Most options are not options of `resume`, so they stand before it.
  args: ({ model, sessionId, args, env, telemetry }) => [
    'exec',
    '--json',
    ...baseUrl(env),
    ...otel(telemetry),
    ...(model === undefined ? [] : ['--model', model]),
    ...args,
    ...(sessionId === undefined ? [] : ['resume', sessionId]),
    '-',
  ],
  isEnded: (events) => events.some((event) => /^turn\.(completed|failed)$/.test(textAt(event, 'type') ?? '')),
  isTotal: (event) => textAt(event, 'type') === 'turn.completed',
};

/** Codex itself does not read this variable. Watching its model calls needs it too. */
function baseUrl({ OPENAI_BASE_URL: address = '' }: NodeJS.ProcessEnv): readonly string[] {
  return address.trim() === '' ? [] : ['-c', `openai_base_url=${JSON.stringify(address.trim())}`];
}

/** It reads no variables for its telemetry. Its events have all of it, its spans nothing. */
function otel(endpoint: string | undefined): readonly string[] {
  if (endpoint === undefined) return [];
  const exporter = `{otlp-http={endpoint=${JSON.stringify(`${endpoint}/v1/logs`)},protocol="binary"}}`;
  return ['-c', `otel.exporter=${exporter}`, '-c', 'otel.log_user_prompt=true'];
}
