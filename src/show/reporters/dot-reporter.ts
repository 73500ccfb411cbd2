import type { BuiltInContext } from './built-in-context.ts';
import type { Reporter } from './reporter.ts';
import { TerminalReporter } from './terminal-reporter.ts';

/** Like the terminal reporter, with a character for every attempt. */
export function createReporter(context: BuiltInContext): Reporter {
  return new TerminalReporter(context, 'dots');
}
