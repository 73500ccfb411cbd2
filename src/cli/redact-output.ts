import type { Redactor } from '../base/match/redact-secrets.ts';
import type { Output } from './command.ts';

/** For text that people read. JSON is redacted before it is printed: a secret of digits may be a number in it. */
export function redactOutput(output: Output, redactor: Redactor): Output {
  return {
    isTTY: output.isTTY,
    get columns() {
      return output.columns;
    },
    write: (text) => output.write(redactor.text(text)),
  };
}
