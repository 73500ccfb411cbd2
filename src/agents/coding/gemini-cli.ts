import { textAt } from '../../evidence/foreign-fields.ts';
import type { CodingProgram } from './coding-program.ts';

/** `gemini`, of Google. Without a terminal and with a prompt on stdin, it answers and exits. */
export const GEMINI_CLI: CodingProgram = {
  provider: 'gemini-cli',
  program: 'gemini',
  install: 'npm i -g @google/gemini-cli',
  login: 'run `gemini` and log in, or set GEMINI_API_KEY',
  loggedOut: /set an auth method|invalid auth method|must specify the GEMINI_API_KEY|unauthenticated/i,
  servers: { files: ['.gemini/settings.json'], field: 'mcpServers' },
  args: ({ model, allowedTools, sessionId, args }) => [
    '--output-format',
    'stream-json',
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(allowedTools ?? []).flatMap((tool) => ['--allowed-tools', tool]),
    ...args,
  ],
  isEnded: (events) => events.some((event) => textAt(event, 'type') === 'result'),
};
