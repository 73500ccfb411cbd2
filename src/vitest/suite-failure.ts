import { resolve } from 'node:path';
import type { Finding } from '../base/model/finding.ts';
import type { Place } from '../base/model/place.ts';

interface FailureFacts {
  readonly place: Place;
  /** What the place belongs to: the first line of the stack. */
  readonly name?: string;
  readonly hint?: string | undefined;
}

/** A failure at a place of a suite: its stack leads there, so that editors open the file at this line. */
export class SuiteFailure extends Error {
  constructor(message: string, { place, name = 'suite', hint }: FailureFacts) {
    super(hint === undefined ? message : `${message}\nhint: ${hint}`);
    this.name = 'AssayFailure';
    const at = `${resolve(place.file)}:${place.line}:${place.column}`;
    // What an agent said must not look like a place: runners open these files.
    const said = this.message.replaceAll(/^(\s*)at /gm, '$1- at ');
    this.stack = `${this.name}: ${said}\n    at ${name.replaceAll(/[^\w.-]+/g, '_')} (${at})`;
  }
}

/** Everything that is wrong with files, at the first place. */
export function findingFailure(findings: readonly Finding[]): SuiteFailure {
  const lines = findings.map(({ file, line, column, code, message, hint }) => {
    const help = hint === undefined ? '' : `\n  hint: ${hint}`;
    return `${file}:${line}:${column} ${code}: ${message}${help}`;
  });
  return new SuiteFailure(lines.join('\n'), { place: findings[0]!, name: findings[0]!.code });
}
