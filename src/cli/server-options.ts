import { count, duration, flag, text, type OptionTable } from './option.ts';
import { ALLOW_SCRIPTS, CONFIG, HELP, NO_CACHE, TARGET, TRUST_CONFIG } from './shared-options.ts';

export const LSP_OPTIONS = {
  stdio: flag('talk over stdin and stdout; always on'),
  clientProcessId: text("the editor's process, which some editors pass", { placeholder: 'PID' }),
  ...HELP,
} satisfies OptionTable;

export const MCP_OPTIONS = { 'trust-config': TRUST_CONFIG, ...HELP } satisfies OptionTable;

export const WORKER_OPTIONS = {
  queue: text('the queue: redis://..., postgres://..., or the name of a variable with the URL', {
    placeholder: 'URL',
  }),
  concurrency: count('how many tests to run at once (default: as many as the agent allows)', { max: 99_999 }),
  agent: text('take tests only of runs with this agent', { placeholder: 'AGENT' }),
  target: TARGET,
  config: CONFIG,
  'allow-scripts': ALLOW_SCRIPTS,
  'no-cache': NO_CACHE,
  'idle-exit': duration('exit after this long without work: 30s, 5m (default: never)'),
  'queue-wait': duration('how long to wait if the queue does not answer (default 10m)'),
  ...HELP,
} satisfies OptionTable;
